// SPDX-License-Identifier: Apache-2.0
#include "berth/math/delay_roots.h"

// The delayed signal w = C x travels along θ ∈ [−h, 0] at unit speed:
//
//   ∂w/∂t = ∂w/∂θ,   w(0) = C x,   ẋ = A x + B w(−h)                                     (2)
//
// On N + 1 Chebyshev points (2) is a matrix of n + r N rows whose rightmost eigenvalues are near the
// roots of (1). Inverse iteration on F (Newton for s and x) makes them exact and drops the others.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/LU>

#include "berth/math/complex.h"
#include "berth/math/eigen_system.h"
#include "berth/math/minimal_loop.h"

namespace berth {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Roots = std::vector<Complex>;  // of pairs the upper one only

struct Loop {
  MatrixXd A, B, C, M;  // M = B C
  double h;
  double rate;     // a bound of |s| for roots on and right of the axis [1/s]
  int zero_roots;  // of (1) at s = 0
};

MatrixXcd characteristic(const Loop& loop, Complex s) {
  MatrixXcd F = -loop.A - exp(-s * loop.h) * loop.M;
  F.diagonal().array() += s;
  return F;
}

MatrixXcd characteristic_slope(const Loop& loop, Complex s) {
  MatrixXcd dF = loop.h * exp(-s * loop.h) * loop.M;
  dF.diagonal().array() += 1.0;
  return dF;
}

// Multiplicity of the root at zero: with F(s) = F₀ + F₁ s + …, the null space of
//   [F₀; F₁ F₀; F₂ F₁ F₀; …]
// grows with every block row by the Jordan chains that are at least that long.
int find_zero_roots(const Loop& loop) {
  const Index n = loop.A.rows();
  const double unit = std::min(loop.rate, 1 / loop.h);  // of s, so that the blocks are alike
  int zeros = 0;
  for (Index k = 1; k <= 8; ++k) {
    MatrixXd T = MatrixXd::Zero(n * k, n * k);
    double power = 1;  // (−h s)^lag / lag!
    for (Index lag = 0; lag < k; ++lag) {
      if (lag > 0) power *= -loop.h * unit / static_cast<double>(lag);
      MatrixXd F = -power * loop.M;
      if (lag == 0) F -= loop.A;
      if (lag == 1) F.diagonal().array() += unit;
      for (Index j = 0; j + lag < k; ++j) T.block((j + lag) * n, j * n, n, n) = F;
    }
    const int nullity = static_cast<int>(n * k) - find_rank(T, 1e-12 * loop.rate);
    if (nullity == zeros) break;
    zeros = nullity;
  }
  return zeros;
}

// d/dθ on θ_j = ½ h (cos(jπ/N) − 1), j = 0 … N.
MatrixXd find_chebyshev_slopes(int N, double h) {
  MatrixXd D(N + 1, N + 1);
  const double step = std::numbers::pi / N;
  const auto edge = [N](int j) { return j == 0 || j == N ? 2.0 : 1.0; };
  for (int i = 0; i <= N; ++i) {
    double sum = 0;
    for (int j = 0; j <= N; ++j) {
      if (i == j) continue;
      // cos a − cos b as a product: the difference of near nodes would cancel.
      const double gap = -2 * sin(0.5 * (i + j) * step) * sin(0.5 * (i - j) * step);
      D(i, j) = ((i + j) % 2 == 0 ? 1 : -1) * edge(i) / edge(j) / gap;
      sum += D(i, j);
    }
    D(i, i) = -sum;  // a constant has no slope
  }
  return D * (2 / h);
}

MatrixXd build_generator(const Loop& loop, int N) {
  const Index n = loop.A.rows(), r = loop.C.rows();
  const MatrixXd D = find_chebyshev_slopes(N, loop.h);
  MatrixXd generator = MatrixXd::Zero(n + r * N, n + r * N);
  generator.topLeftCorner(n, n) = loop.A;
  generator.topRightCorner(n, r) = loop.B;
  for (Index j = 1; j <= N; ++j) {
    generator.block(n + r * (j - 1), 0, r, n) = D(j, 0) * loop.C;
    for (Index i = 1; i <= N; ++i)
      generator.block(n + r * (j - 1), n + r * (i - 1), r, r).diagonal().setConstant(D(j, i));
  }
  return generator;
}

// Adds eigenvalues as first guesses, without the zeros, which come as those of least modulus.
void add_guesses(const MatrixXd& X, int zeros, Roots& guesses) {
  const VectorXcd values = find_eigenvalues(X);
  Roots found(values.begin(), values.end());
  std::sort(found.begin(), found.end(), [](Complex a, Complex b) { return abs(a) < abs(b); });
  found.erase(found.begin(), found.begin() + std::min<Index>(zeros, values.size()));
  for (const Complex s : found)
    if (s.imag() >= 0) guesses.push_back(s);
}

// Inverse iteration with y = F⁻¹ F' x, s ← s − (xᴴx)/(xᴴy): quadratic, also where several roots fall
// together, which Newton on det F is not. False when it does not settle.
bool refine_root(const Loop& loop, Complex& s) {
  const Index n = loop.A.rows();
  VectorXcd x(n);
  for (Index i = 0; i < n; ++i) x(i) = 1 + 0.3 * sin(1.7 * static_cast<double>(i) + 1);
  x.normalize();
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 60; ++i) {
    const VectorXcd y =
        characteristic(loop, s).partialPivLu().solve(characteristic_slope(loop, s) * x);
    if (!y.allFinite()) return i > 2;  // singular to the last bit
    const Complex step = 1.0 / x.dot(y);
    x = y.normalized();
    if (i < 2) continue;  // first a direction
    const double size = std::abs(step), scale = std::abs(s);
    // Rounding sets the limit: no more progress on steps that are already small.
    if (size >= 0.7 * last && last < 1e-7 * scale) return true;
    if (!(size < 1e3 * (loop.rate + scale))) return false;
    s -= step;
    if (s.real() * loop.h < -300) return false;  // e^{−sh} overflows
    if (size <= 1e-16 * scale) return true;
    last = size;
  }
  return last < 1e-6 * abs(s);
}

// Roots within a circle:  (1/2πi) ∮ tr(F⁻¹ F') ds.
int count_roots(const Loop& loop, Complex centre, double radius) {
  constexpr int points = 32;
  Complex sum = 0;
  for (int j = 0; j < points; ++j) {
    const Complex to = polar(radius, 2 * std::numbers::pi * j / points);
    const Complex s = centre + to;
    sum += to * characteristic(loop, s).partialPivLu().solve(characteristic_slope(loop, s)).trace();
  }
  return static_cast<int>(std::lround(sum.real() / points));
}

// Guesses that led to the same place are one root, unless a circle around it holds more.
Roots merge_repeated(const Loop& loop, const Roots& refined) {
  const auto distance = [](Complex a, Complex b) {
    return std::min(abs(a - b), abs(a - std::conj(b)));
  };
  const auto same = [&](Complex a, Complex b) { return distance(a, b) < 1e-7 * abs(a); };
  Roots roots;
  std::vector<bool> done(refined.size(), false);
  for (std::size_t i = 0; i < refined.size(); ++i) {
    if (done[i]) continue;
    Roots cluster;
    double gap = abs(refined[i]);
    for (std::size_t j = 0; j < refined.size(); ++j) {
      if (!done[j] && same(refined[i], refined[j])) {
        done[j] = true;
        cluster.push_back(refined[j]);
      } else if (!same(refined[i], refined[j])) {
        gap = std::min(gap, distance(refined[i], refined[j]));
      }
    }
    // A pair's other half is another root, too, but not a double real one's.
    if (!same(refined[i], refined[i].real())) gap = std::min(gap, refined[i].imag());
    int multiplicity = 1;
    if (cluster.size() > 1) multiplicity = std::max(1, count_roots(loop, refined[i], 0.2 * gap));
    cluster.resize(static_cast<std::size_t>(multiplicity), cluster.front());
    roots.insert(roots.end(), cluster.begin(), cluster.end());
  }
  return roots;
}

void sort_rightmost_first(Roots& roots) {
  std::sort(roots.begin(), roots.end(), [](Complex a, Complex b) {
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  });
}

// The first of the sorted ones, with their pairs, until there are `count`.
std::vector<Complex> take_first(const Roots& sorted, int count) {
  std::vector<Complex> all;
  for (const Complex s : sorted) {
    if (static_cast<int>(all.size()) >= count) break;
    all.push_back(s);
    if (s.imag() > 0) all.push_back(std::conj(s));
  }
  return all;
}

Roots find_roots_on_grid(const Loop& loop, int N, int count) {
  Roots guesses;
  add_guesses(build_generator(loop, N), loop.zero_roots, guesses);
  sort_rightmost_first(guesses);
  // Some guesses are spurious or lead to the same root: take more than asked for.
  const auto most = static_cast<std::size_t>(2 * count + 10);
  if (guesses.size() > most) guesses.resize(most);
  // The generator's norm is N²/h; for a very short delay the roots of order one drown in it.
  if (loop.h * loop.rate < 1e-3) {
    Spectrum undelayed = find_spectrum(loop.A + loop.M, 1e-12 * loop.rate);
    for (const Complex s : undelayed.others)
      if (s.imag() >= 0) guesses.push_back(s);
  }
  Roots refined;
  for (Complex s : guesses) {
    if (!refine_root(loop, s)) continue;
    if (abs(s) < 1e-9 * loop.rate && loop.zero_roots > 0) continue;  // a zero again
    const double imag = std::abs(s.imag());
    refined.emplace_back(s.real(), imag < 1e-13 * std::abs(s) ? 0.0 : imag);
  }
  Roots roots = merge_repeated(loop, refined);
  sort_rightmost_first(roots);
  return roots;
}

// Above this frequency the feedback is weaker than what it controls: no roots on the axis.
double find_bandwidth(const Loop& loop) {
  double omega = loop.rate;
  for (int i = 0; i < 40; ++i, omega *= 0.7) {
    MatrixXcd P = -loop.A.cast<Complex>();
    P.diagonal().array() += Complex(0, omega);
    const MatrixXcd G = loop.C * P.partialPivLu().solve(loop.B.cast<Complex>());
    if (!(G.norm() < 1)) break;
  }
  return omega;
}

bool agree(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(abs(a[i] - b[i]) < 1e-6 * abs(a[i]))) return false;
  return true;
}

// Two grids must show the same roots. A wave e^{iωθ} needs about two points per period.
Roots find_coupled_roots(const Loop& loop, int count) {
  const double radians = std::max(3.2 * count, find_bandwidth(loop) * loop.h);
  const int most = std::max(24, 600 / static_cast<int>(loop.C.rows()));
  int N = std::min(most, 16 + static_cast<int>(0.5 * std::min(radians, 1e4)));
  Roots roots = find_roots_on_grid(loop, N, count);
  while (N < most) {
    N = std::min(most, N + N / 2);
    Roots finer = find_roots_on_grid(loop, N, count);
    const bool settled = agree(take_first(roots, count), take_first(finer, count));
    roots = std::move(finer);
    if (settled) break;
  }
  return roots;
}

}  // namespace

DelayRoots find_rightmost_roots(const DelayLoop& given, int count) {
  const SplitLoop split = split_loop(given);
  const DelayLoop& c = split.coupled;
  Loop loop{c.A, c.B, c.C, c.B * c.C, c.delay, 0, 0};
  loop.rate = loop.A.norm() + loop.M.norm();

  DelayRoots result{split.uncoupled.zeros, {}};
  Roots roots;
  for (const Complex s : split.uncoupled.others)
    if (s.imag() >= 0) roots.push_back(s);

  if (loop.A.rows() > 0 && loop.h > 0) {
    loop.zero_roots = find_zero_roots(loop);
    result.zero_roots += loop.zero_roots;
    const Roots coupled = find_coupled_roots(loop, count);
    roots.insert(roots.end(), coupled.begin(), coupled.end());
  } else if (loop.A.rows() > 0) {
    const Spectrum undelayed = find_spectrum(loop.A + loop.M, 1e-12 * loop.rate);
    result.zero_roots += undelayed.zeros;
    for (const Complex s : undelayed.others)
      if (s.imag() >= 0) roots.push_back(s);
  }
  sort_rightmost_first(roots);
  result.roots = take_first(roots, count);
  return result;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/math/delay_roots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/math/delay_cases.h"
#include "tests/support/dense.h"

namespace berth::test::delay_roots_test {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

MatrixXcd characteristic(const DelayLoop& loop, Complex s) {
  MatrixXcd F =
      -loop.A.cast<Complex>() - std::exp(-s * loop.delay) * product(loop.B, loop.C).cast<Complex>();
  F.diagonal().array() += s;
  return F;
}

// How far F(s) is from singular, relative to its terms.
double residual(const DelayLoop& loop, Complex s) {
  const MatrixXcd F = characteristic(loop, s);
  const Eigen::VectorXd sigma = singular_values(F);
  return sigma(sigma.size() - 1) / (std::abs(s) + loop.A.norm());
}

double nearest(const std::vector<Complex>& roots, Complex s) {
  double best = std::numeric_limits<double>::infinity();
  for (const Complex root : roots) best = std::min(best, std::abs(root - s));
  return best;
}

MatrixXd random_matrix(std::mt19937& random, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

DelayLoop random_loop(std::mt19937& random, int n, int r, double h) {
  return {random_matrix(random, n, n), random_matrix(random, n, r), random_matrix(random, r, n), h};
}

DelayLoop rotated(const DelayLoop& loop, std::mt19937& random) {
  const Eigen::Index n = loop.A.rows();
  const MatrixXd Q = orthogonal_factor(random_matrix(random, n, n));
  return {product(product(Q.transpose(), loop.A), Q), product(Q.transpose(), loop.B),
          product(loop.C, Q), loop.delay};
}

// Both loops side by side, each with its own channels.
DelayLoop beside(const DelayLoop& a, const DelayLoop& b) {
  const auto diagonal = [](const MatrixXd& X, const MatrixXd& Y) {
    MatrixXd Z = MatrixXd::Zero(X.rows() + Y.rows(), X.cols() + Y.cols());
    Z.topLeftCorner(X.rows(), X.cols()) = X;
    Z.bottomRightCorner(Y.rows(), Y.cols()) = Y;
    return Z;
  };
  return {diagonal(a.A, b.A), diagonal(a.B, b.B), diagonal(a.C, b.C), a.delay};
}

TEST(DelayRoots, TableOfTheTheoryPage) {
  const double w = inverse_mass(stability_cases[0]);
  for (const char* h : root_delays) {
    const Complex s = reference_root(h);
    const DelayRoots found = find_rightmost_roots(spring_loop(1000 * w, 200 * w, std::stod(h)));
    EXPECT_EQ(found.zero_roots, 0);
    ASSERT_GE(found.roots.size(), 10u);
    EXPECT_NEAR(found.roots[0].real(), s.real(), 1e-10);
    EXPECT_NEAR(found.roots[0].imag(), s.imag(), 1e-10);
    EXPECT_EQ(found.roots[1], std::conj(found.roots[0]));
  }
}

TEST(DelayRoots, OnTheAxisAtTheCriticalDelay) {
  for (const StabilityCase& c : stability_cases) {
    const double w = inverse_mass(c);
    const DelayRoots found = find_rightmost_roots(spring_loop(c.k * w, c.b * w, c.delay()), 2);
    EXPECT_NEAR(found.roots[0].real(), 0, 1e-11);
    EXPECT_NEAR(found.roots[0].imag(), c.frequency(), 1e-10);
  }
}

// s = a e^{−sh}: s h = W(a h), all branches of Lambert's function.
TEST(DelayRoots, ScalarEquationIsLambertsFunction) {
  DelayLoop loop{MatrixXd::Zero(1, 1), MatrixXd::Constant(1, 1, -1), MatrixXd::Ones(1, 1), 1};
  const DelayRoots found = find_rightmost_roots(loop, 40);
  EXPECT_GE(found.roots.size(), 40u);
  for (const Complex s : found.roots)
    EXPECT_LT(std::abs(s * std::exp(s) + 1.0), 1e-13 * std::abs(s));
  EXPECT_LT(std::abs(found.roots[0] - Complex(-0.31813150520476413, 1.3372357014306895)), 1e-14);
  EXPECT_LT(std::abs(found.roots[2] - Complex(-2.0622777295982838, 7.588631178472513)), 1e-13);
  // One branch after the other, about 2π apart.
  for (std::size_t i = 2; i + 2 < found.roots.size(); i += 2)
    EXPECT_NEAR(found.roots[i + 2].imag() - found.roots[i].imag(), 2 * std::numbers::pi, .1);
}

TEST(DelayRoots, WithoutDelayAreEigenvalues) {
  std::mt19937 random(3);
  const DelayLoop loop = random_loop(random, 7, 2, 0);
  const DelayRoots found = find_rightmost_roots(loop, 7);
  ASSERT_EQ(found.roots.size(), 7u);
  const Eigen::VectorXcd values = eigenvalues(loop.A + product(loop.B, loop.C));
  for (const Complex s : values) EXPECT_LT(nearest(found.roots, s), 1e-12);
}

TEST(DelayRoots, ShortDelaysTendToEigenvalues) {
  std::mt19937 random(5);
  DelayLoop loop = random_loop(random, 6, 2, 0);
  const DelayRoots none = find_rightmost_roots(loop, 6);
  for (double h : {1e-4, 1e-7, 1e-10, 1e-13}) {
    loop.delay = h;
    const DelayRoots found = find_rightmost_roots(loop, 6);
    ASSERT_EQ(found.roots.size(), none.roots.size());
    for (std::size_t i = 0; i < none.roots.size(); ++i)
      EXPECT_LT(std::abs(found.roots[i] - none.roots[i]), 300 * h + 1e-12);
  }
}

TEST(DelayRoots, RandomLoopsSatisfyTheEquation) {
  std::mt19937 random(7);
  for (int n = 1; n <= 12; ++n)
    for (int r = 1; r <= 3; ++r)
      for (double h : {.02, 1.}) {
        const DelayLoop loop = random_loop(random, n, r, h);
        const DelayRoots found = find_rightmost_roots(loop);
        EXPECT_EQ(found.zero_roots, 0);
        EXPECT_GE(found.roots.size(), 10u);
        for (std::size_t i = 0; i < found.roots.size(); ++i) {
          const Complex s = found.roots[i];
          EXPECT_LT(residual(loop, s), 1e-12) << n << ' ' << r << ' ' << h << ' ' << s;
          if (i > 0) {
            EXPECT_LE(s.real(), found.roots[i - 1].real());
          }
          if (s.imag() > 0) {
            EXPECT_EQ(found.roots[i + 1], std::conj(s));
          }
        }
      }
}

// Roots right of Re s = σ by the argument principle, along a box that holds all of them.
int count_right_of(const DelayLoop& loop, double sigma) {
  const double far = loop.A.norm() +
                     product(loop.B, loop.C).norm() * std::exp(std::max(0., -sigma * loop.delay)) +
                     1;
  const Complex corners[] = {{sigma, -far}, {far, -far}, {far, far}, {sigma, far}, {sigma, -far}};
  double turned = 0;
  for (int side = 0; side < 4; ++side) {
    constexpr int points = 3000;
    Complex last = determinant(characteristic(loop, corners[side]));
    for (int i = 1; i <= points; ++i) {
      const double u = static_cast<double>(i) / points;
      const Complex now = determinant(
          characteristic(loop, corners[side] + u * (corners[side + 1] - corners[side])));
      turned += std::arg(now / last);
      last = now;
    }
  }
  return static_cast<int>(std::lround(turned / (2 * std::numbers::pi)));
}

TEST(DelayRoots, NoneIsMissing) {
  std::mt19937 random(11);
  for (int n : {2, 5, 8})
    for (int r : {1, 2}) {
      const DelayLoop loop = random_loop(random, n, r, .8);
      const DelayRoots found = find_rightmost_roots(loop, 12);
      // Between two real parts that differ.
      std::size_t i = found.roots.size() - 1;
      while (found.roots[i - 1].real() - found.roots[i].real() < 1e-6) --i;
      const double sigma = 0.5 * (found.roots[i - 1].real() + found.roots[i].real());
      EXPECT_EQ(count_right_of(loop, sigma), static_cast<int>(i)) << n << ' ' << r;
    }
}

// Two free bodies, relative position and two attitudes: nine coordinates, one contact direction n.
//   q̈ = −W n (k nᵀq + b nᵀq̇)(t−h)
DelayLoop build_two_bodies(std::mt19937& random, double k, double b, double h,
                           double& inverse_mass) {
  MatrixXd W = MatrixXd::Zero(9, 9);
  const auto inertia = [&](double size) {
    const MatrixXd L = random_matrix(random, 3, 3);
    return inverse(size * (MatrixXd::Identity(3, 3) + .1 * product(L, L.transpose())));
  };
  W.topLeftCorner(3, 3) = MatrixXd::Identity(3, 3) / 1500;
  W.block(3, 3, 3, 3) = inertia(500);
  W.block(6, 6, 3, 3) = inertia(700);
  const MatrixXd n = random_matrix(random, 9, 1);
  inverse_mass = product(n.transpose(), product(W, n))(0, 0);
  DelayLoop loop{MatrixXd::Zero(18, 18), MatrixXd::Zero(18, 1), MatrixXd::Zero(1, 18), h};
  loop.A.topRightCorner(9, 9).setIdentity();
  loop.B.bottomRows(9) = -product(W, n);
  loop.C << k * n.transpose(), b * n.transpose();
  return loop;
}

TEST(DelayRoots, TwoFreeBodiesHaveSixteenZerosAndTheScalarSpectrum) {
  std::mt19937 random(13);
  for (int trial = 0; trial < 20; ++trial) {
    double w;
    const DelayLoop bodies = build_two_bodies(random, 1000, 200, trial % 2 ? .15 : 0, w);
    const DelayRoots scalar = find_rightmost_roots(spring_loop(1000 * w, 200 * w, bodies.delay));
    const CriticalDelay closed = find_critical_delay(1000 * w, 200 * w);
    for (const DelayLoop& loop : {bodies, rotated(bodies, random)}) {
      const DelayRoots found = find_rightmost_roots(loop);
      EXPECT_EQ(found.zero_roots, 16);
      ASSERT_EQ(found.roots.size(), scalar.roots.size());
      for (std::size_t i = 0; i < scalar.roots.size(); ++i)
        EXPECT_LT(std::abs(found.roots[i] - scalar.roots[i]), 1e-9 * std::abs(scalar.roots[i]));
      const auto crossing = find_critical_delay(loop);
      ASSERT_TRUE(crossing);
      EXPECT_NEAR(crossing->delay, closed.delay, 1e-11);
      EXPECT_NEAR(crossing->frequency, closed.frequency, 1e-10);
    }
  }
}

TEST(DelayRoots, MixedUnitsDoNotMatter) {
  std::mt19937 random(17);
  double w;
  DelayLoop loop = build_two_bodies(random, 1000, 200, .15, w);
  const DelayRoots scalar = find_rightmost_roots(spring_loop(1000 * w, 200 * w, .15), 4);
  std::uniform_real_distribution<double> decades(-4, 4);
  const Eigen::VectorXd d =
      Eigen::VectorXd::NullaryExpr(18, [&] { return std::pow(10, decades(random)); });
  loop = {d.cwiseInverse().asDiagonal() * loop.A * d.asDiagonal(),
          d.cwiseInverse().asDiagonal() * loop.B, loop.C * d.asDiagonal(), loop.delay};
  const DelayRoots found = find_rightmost_roots(loop, 4);
  EXPECT_EQ(found.zero_roots, 16);
  ASSERT_EQ(found.roots.size(), scalar.roots.size());
  for (std::size_t i = 0; i < scalar.roots.size(); ++i)
    EXPECT_LT(std::abs(found.roots[i] - scalar.roots[i]), 1e-9 * std::abs(scalar.roots[i]));
}

TEST(DelayRoots, UncoupledOscillatorIsListed) {
  std::mt19937 random(19);
  DelayLoop panel{MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 0), MatrixXd::Zero(0, 2), .1};
  panel.A << 0, 1, -9, -.02;
  const DelayLoop loop = rotated(beside(spring_loop(2, .6, .1), panel), random);
  const DelayRoots found = find_rightmost_roots(loop);
  EXPECT_EQ(found.zero_roots, 0);
  EXPECT_LT(nearest(found.roots, {-.01, std::sqrt(9 - 1e-4)}), 1e-12);
  EXPECT_LT(nearest(found.roots, {-.01, -std::sqrt(9 - 1e-4)}), 1e-12);
  EXPECT_NEAR(find_critical_delay(loop)->delay, find_critical_delay(2, .6).delay, 1e-12);
}

TEST(DelayRoots, EqualLoopsGiveEveryRootTwice) {
  std::mt19937 random(23);
  const DelayLoop one = spring_loop(2, .6, .3);
  const DelayRoots once = find_rightmost_roots(one, 5);
  const DelayRoots twice = find_rightmost_roots(rotated(beside(one, one), random), 10);
  ASSERT_EQ(twice.roots.size(), 2 * once.roots.size());
  for (const Complex s : once.roots) {
    const auto near = [&](Complex t) { return std::abs(s - t) < 1e-9 * std::abs(s); };
    EXPECT_EQ(std::count_if(twice.roots.begin(), twice.roots.end(), near), 2) << s;
  }
}

// s + b e^{−sh} with b h = 1/e has the double root −1/h.
TEST(DelayRoots, DoubleRootIsListedTwice) {
  const DelayLoop loop{MatrixXd::Zero(1, 1), MatrixXd::Constant(1, 1, -std::exp(-1)),
                       MatrixXd::Ones(1, 1), 1};
  const DelayRoots found = find_rightmost_roots(loop, 6);
  for (int i : {0, 1}) EXPECT_LT(std::abs(found.roots[static_cast<std::size_t>(i)] + 1.0), 1e-6);
  EXPECT_LT(found.roots[2].real(), -2);
}

// ẋ = a (x − x(t−h)) is at rest anywhere; at a h = 1 a second root passes zero.
TEST(DelayRoots, ZeroRootOfTheLoopItself) {
  DelayLoop loop{MatrixXd::Constant(1, 1, 2), MatrixXd::Constant(1, 1, -2), MatrixXd::Ones(1, 1),
                 .3};
  EXPECT_EQ(find_rightmost_roots(loop).zero_roots, 1);
  EXPECT_LT(find_rightmost_roots(loop).roots[0].real(), -.1);
  loop.delay = .5;
  EXPECT_EQ(find_rightmost_roots(loop).zero_roots, 2);
  EXPECT_LT(find_rightmost_roots(loop).roots[0].real(), -.1);
  loop.delay = .7;
  EXPECT_EQ(find_rightmost_roots(loop).zero_roots, 1);
  EXPECT_GT(find_rightmost_roots(loop).roots[0].real(), .1);
  EXPECT_NEAR(find_critical_delay(loop)->delay, .5, 1e-12);
}

// Without stiffness the position is not seen: one zero, and s + b e^{−sh} = 0.
TEST(DelayRoots, DamperAlone) {
  const DelayRoots found = find_rightmost_roots(spring_loop(0, 2, .1));
  EXPECT_EQ(found.zero_roots, 1);
  EXPECT_LT(std::abs(found.roots[0] + 2.0 * std::exp(-.1 * found.roots[0])), 1e-13);
  EXPECT_NEAR(find_critical_delay(spring_loop(0, 2, 0))->delay, std::numbers::pi / 4, 1e-14);
}

TEST(DelayRoots, NoFeedback) {
  DelayLoop loop{MatrixXd::Zero(3, 3), MatrixXd::Zero(3, 2), MatrixXd::Zero(2, 3), .1};
  loop.A << 0, 1, 0, 0, 0, 0, 0, 0, -2;
  const DelayRoots found = find_rightmost_roots(loop);
  EXPECT_EQ(found.zero_roots, 2);
  ASSERT_EQ(found.roots.size(), 1u);
  EXPECT_EQ(found.roots[0], -2.0);
  EXPECT_FALSE(find_critical_delay(loop));
}

TEST(CriticalDelayOfLoop, SameAsTheClosedForm) {
  for (const StabilityCase& c : stability_cases) {
    const double w = inverse_mass(c);
    const auto found = find_critical_delay(spring_loop(c.k * w, c.b * w, 0));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->delay, c.delay(), 2e-12);
    EXPECT_NEAR(found->frequency, c.frequency(), 1e-11);
  }
  EXPECT_EQ(find_critical_delay(spring_loop(3, 0, 0))->delay, 0);
}

// Force of the spring and damper through a filter of rate a, and a robot that follows with ω₀, ζ:
//   ẍ = f,   ḟ = a (g(t−h) − f),   p̈ = ω₀² (x − p) − 2 ζ ω₀ ṗ,   g = −k p − b ṗ
DelayLoop build_facility(double k, double b, double a, double omega, double zeta) {
  DelayLoop loop{MatrixXd::Zero(5, 5), MatrixXd::Zero(5, 1), MatrixXd::Zero(1, 5), 0};
  loop.A << 0, 1, 0, 0, 0,  // x
      0, 0, 1, 0, 0,        // ẋ
      0, 0, -a, 0, 0,       // f
      0, 0, 0, 0, 1,        // p
      omega * omega, 0, 0, -omega * omega, -2 * zeta * omega;
  loop.B(2, 0) = a;
  loop.C << 0, 0, 0, -k, -b;
  return loop;
}

TEST(CriticalDelayOfLoop, LagAndFilterUseUpTheDelay) {
  const double k = 2.7, b = .53, pure = find_critical_delay(k, b).delay;
  for (double a : {20., 60., 3000.})
    for (double omega : {30., 300.}) {
      DelayLoop loop = build_facility(k, b, a, omega, .7);
      const auto found = find_critical_delay(loop);
      ASSERT_TRUE(found);
      // To first order every lag counts as delay: 1/a and 2ζ/ω₀.
      EXPECT_NEAR(found->delay, pure - 1 / a - 1.4 / omega, .02 * pure);
      loop.delay = found->delay;
      const DelayRoots at = find_rightmost_roots(loop, 4);
      EXPECT_NEAR(at.roots[0].real(), 0, 1e-11);
      EXPECT_NEAR(at.roots[0].imag(), found->frequency, 1e-10);
      loop.delay = .99 * found->delay;
      EXPECT_LT(find_rightmost_roots(loop, 2).roots[0].real(), 0);
      loop.delay = 1.01 * found->delay;
      EXPECT_GT(find_rightmost_roots(loop, 2).roots[0].real(), 0);
    }
  // A filter slower than the margin: unstable without any delay.
  EXPECT_EQ(find_critical_delay(build_facility(k, b, 2, 30, .7))->delay, 0);
}

TEST(CriticalDelayOfLoop, RandomStableLoopsCrossThereFirst) {
  std::mt19937 random(29);
  int crossed = 0, never = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 2 + trial % 7, r = 1 + trial % 3;
    DelayLoop loop = random_loop(random, n, r, 0);
    loop.B *= trial % 4 == 0 ? .2 : 1;
    const double right = find_rightmost_roots(loop, 1).roots[0].real();
    loop.A.diagonal().array() -= right + .1;
    const auto found = find_critical_delay(loop);
    if (!found) {
      ++never;
      for (double h : {.1, 1., 5.}) {
        loop.delay = h;
        EXPECT_LT(find_rightmost_roots(loop, 2).roots[0].real(), 0);
      }
      continue;
    }
    ++crossed;
    EXPECT_GT(found->delay, 0);
    loop.delay = found->delay;
    const DelayRoots at = find_rightmost_roots(loop);
    EXPECT_NEAR(at.roots[0].real(), 0, 1e-9);
    EXPECT_LT(nearest(at.roots, {0, found->frequency}), 1e-9);
    for (double part : {.2, .5, .8, .99}) {
      loop.delay = part * found->delay;
      EXPECT_LT(find_rightmost_roots(loop, 2).roots[0].real(), 0);
    }
  }
  EXPECT_GT(crossed, 3);
  EXPECT_GT(never, 0);
}

// ẍ = −x + a x(t−h): the root on the axis at h = 0 goes left, another comes at ω² = 1 + a, ω h = π.
TEST(CriticalDelayOfLoop, RootsOnTheAxisWithoutDelay) {
  DelayLoop loop{MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 1), MatrixXd::Zero(1, 2), 0};
  loop.A << 0, 1, -1, 0;
  loop.B(1, 0) = 1;
  loop.C(0, 0) = .3;
  const auto found = find_critical_delay(loop);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->frequency, std::sqrt(1.3), 1e-14);
  EXPECT_NEAR(found->delay, std::numbers::pi / std::sqrt(1.3), 1e-13);
  loop.C(0, 0) = -.3;  // delayed stiffness pumps
  EXPECT_EQ(find_critical_delay(loop)->delay, 0);
}

// A weak loop around a lightly damped panel: the gain exceeds one in a band of relative width 1e-5.
TEST(CriticalDelayOfLoop, NarrowResonance) {
  DelayLoop loop{MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 1), MatrixXd::Zero(1, 2), 0};
  const double zeta = 1e-5;
  loop.A << 0, 1, -1, -2 * zeta;
  loop.B(1, 0) = 1;
  loop.C(0, 1) = -2.5 * zeta;  // delayed damping
  const auto found = find_critical_delay(loop);
  ASSERT_TRUE(found);
  loop.delay = found->delay;
  EXPECT_LT(std::abs(find_rightmost_roots(loop, 2).roots[0] - Complex(0, found->frequency)), 1e-11);
  loop.C(0, 1) = -1.5 * zeta;  // weaker than the panel's own: never
  EXPECT_FALSE(find_critical_delay(loop));
}

}  // namespace
}  // namespace berth::test::delay_roots_test

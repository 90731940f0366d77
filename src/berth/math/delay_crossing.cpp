// SPDX-License-Identifier: Apache-2.0
#include "berth/math/delay_roots.h"

// Where roots cross the imaginary axis. With G(s) = C (s I − A)⁻¹ B, a root at iω has
//
//   λ e^{−iωh} = 1 for an eigenvalue λ of G(iω):    |λ| = 1,   h = (angle of λ)/ω         (3)
//   and along the root  ds/dh = s / (λ'/λ − h):     to the right where d|λ|/dω < 0        (4)
//
// so the frequencies do not depend on the delay. All of them are found at once: |λ| = 1 makes 1 an
// eigenvalue of G(s) ⊗ G(−s) at s = iω, hence iω one of the matrix
//
//   [ A ⊗ I   −B ⊗ C ]
//   [ C ⊗ B   −I ⊗ A ]                                                                   (5)
//
// which for one channel is the Hamiltonian matrix of the H∞ norm. A sweep over frequencies, the
// other way, can step over a narrow resonance.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Eigenvalues>
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

MatrixXd kronecker(const MatrixXd& X, const MatrixXd& Y) {
  MatrixXd K(X.rows() * Y.rows(), X.cols() * Y.cols());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      K.block(i * Y.rows(), j * Y.cols(), Y.rows(), Y.cols()) = X(i, j) * Y;
  return K;
}

MatrixXd build_crossing_matrix(const DelayLoop& loop) {
  const Index m = loop.A.rows() * loop.C.rows();
  const MatrixXd I = MatrixXd::Identity(loop.C.rows(), loop.C.rows());
  MatrixXd H(2 * m, 2 * m);
  H << kronecker(loop.A, I), -kronecker(loop.B, loop.C), kronecker(loop.C, loop.B),
      -kronecker(I, loop.A);
  return H;  // (5)
}

// Eigenvalues of G(iω) and their logarithmic slopes λ'(s)/λ.
struct LoopGain {
  Eigen::VectorXcd lambda, log_slope;
};

LoopGain find_loop_gain(const DelayLoop& loop, double omega) {
  MatrixXcd P = -loop.A.cast<Complex>();
  P.diagonal().array() += Complex(0, omega);
  const Eigen::PartialPivLU<MatrixXcd> lu(P);
  const MatrixXcd X = lu.solve(loop.B.cast<Complex>());
  const MatrixXcd G = loop.C * X, dG = -loop.C * lu.solve(X);
  const Eigen::ComplexEigenSolver<MatrixXcd> solver(G);
  const MatrixXcd V = solver.eigenvectors();
  const Eigen::VectorXcd slope = V.partialPivLu().solve(dG * V).diagonal();
  return {solver.eigenvalues(), slope.cwiseQuotient(solver.eigenvalues())};
}

// Newton for ln|λ| = 0 on the eigenvalue that is nearest to the last one; false when there is no
// solution close to the guess.
struct Crossing {
  double omega;
  Complex lambda, log_slope;
};

bool refine_crossing(const DelayLoop& loop, Crossing& c) {
  const double guess = c.omega;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 30; ++i) {
    const LoopGain gain = find_loop_gain(loop, c.omega);
    Index at = 0;
    (gain.lambda.array() - c.lambda).abs2().minCoeff(&at);
    c.lambda = gain.lambda(at);
    c.log_slope = gain.log_slope(at);
    // d ln|λ| / dω = Re(i λ'/λ)
    const double error = log(abs(c.lambda)), step = error / c.log_slope.imag();
    if (error == 0 || (std::abs(step) >= 0.7 * last && std::abs(error) < 1e-9)) return true;
    if (!(std::abs(c.omega + step - guess) < 1e-2 * guess)) return false;
    if (std::abs(step) < 1e-16 * c.omega) return true;
    c.omega += step;
    last = std::abs(step);
  }
  return false;
}

// A root at zero for every delay is met by a second one where yᵀ F'(0) x = 0 for the null vectors
// of A + B C:  h = −yᵀx / yᵀB C x.
double find_second_zero(const MatrixXd& M, const MatrixXd& BC) {
  const Eigen::FullPivLU<MatrixXd> right(M), left(M.transpose());
  const Eigen::VectorXd x = right.kernel().col(0), y = left.kernel().col(0);
  return -y.dot(x) / y.dot(BC * x);
}

}  // namespace

std::optional<CriticalDelay> find_critical_delay(const DelayLoop& given) {
  const SplitLoop split = split_loop(given);
  const DelayLoop& loop = split.coupled;
  if (loop.A.rows() == 0) return std::nullopt;
  const MatrixXd BC = loop.B * loop.C, undelayed = loop.A + BC;
  const double rate = loop.A.norm() + BC.norm();

  // Unstable from the beginning?
  const Spectrum spectrum = find_spectrum(undelayed, 1e-12 * rate);
  for (const Complex s : spectrum.others)
    if (s.real() > 1e-12 * rate) return CriticalDelay{0, std::abs(s.imag())};

  std::optional<CriticalDelay> first;
  const auto consider = [&first](double delay, double omega) {
    if (!first || delay < first->delay) first = CriticalDelay{delay, omega};
  };
  if (spectrum.zeros == 1) {
    const double h = find_second_zero(undelayed, BC);
    if (h > 0 && std::isfinite(h)) consider(h, 0);
  }

  // Near zero a root that stays there would pass for a crossing.
  const double lowest = (spectrum.zeros > 0 ? 1e-6 : 1e-14) * rate;
  for (const Complex s : find_eigenvalues(build_crossing_matrix(loop))) {
    if (s.imag() < lowest || std::abs(s.real()) > 1e-4 * s.imag()) continue;
    for (const Complex lambda : find_loop_gain(loop, s.imag()).lambda) {
      if (!(std::abs(log(abs(lambda))) < 0.1)) continue;
      Crossing c{s.imag(), lambda, 0};
      if (!refine_crossing(loop, c) || c.log_slope.imag() <= 0) continue;  // (4)
      double phase = arg(c.lambda);
      if (phase < -1e-8) phase += 2 * std::numbers::pi;
      if (phase < 1e-13) phase = 0;        // on the axis without delay
      consider(phase / c.omega, c.omega);  // (3)
    }
  }
  return first;
}

}  // namespace berth

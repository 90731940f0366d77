// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dense.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <Eigen/Dense>

namespace berth::test {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

MatrixXd product(const MatrixXd& A, const MatrixXd& B) { return A * B; }
MatrixXd inverse(const MatrixXd& A) { return A.inverse(); }
// Without Eigen's decompositions of complex matrices, which take as long to compile as all the others.
std::complex<double> determinant(MatrixXcd A) {
  std::complex<double> product = 1;
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < A.rows(); ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (A(pivot, k) == 0.0) return 0;
    if (pivot != k) A.row(k).swap(A.row(pivot)), product = -product;
    product *= A(k, k);
    for (Eigen::Index i = k + 1; i < A.rows(); ++i) A.row(i) -= A(i, k) / A(k, k) * A.row(k);
  }
  return product;
}

VectorXd solve_dense(const MatrixXd& A, const VectorXd& b) { return A.fullPivLu().solve(b); }
MatrixXd solve_definite(const MatrixXd& S, const MatrixXd& B) { return S.ldlt().solve(B); }
std::optional<VectorXd> solve_least_squares(const MatrixXd& A, const VectorXd& b) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  if (qr.rank() < A.cols()) return std::nullopt;
  return qr.solve(b);
}

VectorXcd eigenvalues(const MatrixXd& A) { return A.eigenvalues(); }
VectorXd symmetric_eigenvalues(const MatrixXd& S) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(S, Eigen::EigenvaluesOnly).eigenvalues();
}
VectorXd singular_values(const MatrixXd& A) {
  return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}
// Those of the same map on real and imaginary parts, where each comes twice.
VectorXd singular_values(const MatrixXcd& A) {
  MatrixXd both(2 * A.rows(), 2 * A.cols());
  both << A.real(), -A.imag(), A.imag(), A.real();
  const VectorXd twice = singular_values(both);
  VectorXd out(twice.size() / 2);
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = twice(2 * i);
  return out;
}
MatrixXd lower_factor(const MatrixXd& S) { return S.llt().matrixL(); }
MatrixXd orthogonal_factor(const MatrixXd& A) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).householderQ();
}

Modes find_modes(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, M);
  return {modes.eigenvalues(), modes.eigenvectors()};
}

MatrixXd find_dense_mass_matrix(const Model<double>& model, const Motion<double>& motion) {
  const Eigen::Index n = model.speed_count();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(n, n);
  find_mass_matrix<double>(model, motion, {M.data(), static_cast<std::size_t>(n * n)});
  return M;
}

MatrixXd find_speed_jacobian(const Layout& at, std::span<const double> x,
                             const std::function<VectorXd(std::span<const double>)>& rates) {
  std::vector<double> y(x.begin(), x.end());
  std::fill(y.begin() + at.v, y.begin() + at.z, 0.0);
  MatrixXd J;
  for (int k = 0; k < at.z - at.v; ++k) {
    double& speed = y[static_cast<std::size_t>(at.v + k)];
    speed = 1;
    const VectorXd column = rates(y);
    if (k == 0) J.resize(column.size(), at.z - at.v);
    J.col(k) = column;
    speed = 0;
  }
  return J;
}

double find_impact_loss(const System<double>& system, std::size_t dock, std::span<const double> x) {
  Workspace<double> w(system);
  const Mode<double> mode = idle_mode(w);
  const auto rates = [&](std::span<const double> state) {
    motion_stage<double>(system, 0.0, state, mode, w);
    const DockMotion<double>& d = w.docks[dock];
    VectorXd out(d.count);
    for (int r = 0; r < d.count; ++r) out(r) = d.rows.row[static_cast<std::size_t>(r)].rate;
    return out;
  };
  const MatrixXd J = find_speed_jacobian(w.layout, x, rates);
  const VectorXd now = rates(x);
  const MatrixXd M = find_dense_mass_matrix(system.model, w.motion);
  const MatrixXd S = J * M.ldlt().solve(J.transpose());
  return 0.5 * now.dot(S.fullPivLu().solve(now));
}

}  // namespace berth::test

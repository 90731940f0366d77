// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dense algebra that results are compared with. Decompositions and products take long to compile:
// they are here, once; tests themselves include no more of Eigen than its elementwise part.

#include <complex>
#include <functional>
#include <optional>
#include <span>

#include <Eigen/Core>

#include "berth/system/docks.h"

namespace berth::test {

inline Eigen::Vector3d to_eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Eigen::Matrix3d to_eigen(const Mat3<double>& m) {
  Eigen::Matrix3d e;
  e << m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz;
  return e;
}

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
std::complex<double> determinant(Eigen::MatrixXcd A);

// A x = b, by LU with full pivoting.
Eigen::VectorXd solve_dense(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
// S X = B for a symmetric positive definite S.
Eigen::MatrixXd solve_definite(const Eigen::MatrixXd& S, const Eigen::MatrixXd& B);
// The x of least |A x − b|; nothing if columns of A depend on each other.
std::optional<Eigen::VectorXd> solve_least_squares(const Eigen::MatrixXd& A,
                                                   const Eigen::VectorXd& b);

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
// Of a symmetric matrix, in rising order.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& S);
// In falling order.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
Eigen::VectorXd singular_values(const Eigen::MatrixXcd& A);
// L of S = L Lᵀ.
Eigen::MatrixXd lower_factor(const Eigen::MatrixXd& S);
// Q of A = Q R.
Eigen::MatrixXd orthogonal_factor(const Eigen::MatrixXd& A);

// K φ = ω² M φ with φᵀ M φ = 1, one mode a column.
struct Modes {
  Eigen::VectorXd squares;
  Eigen::MatrixXd shapes;
};
Modes find_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

Eigen::MatrixXd find_dense_mass_matrix(const Model<double>& model, const Motion<double>& motion);

// Jacobian of `rates` with respect to the speeds of x. Rates are linear in them.
Eigen::MatrixXd find_speed_jacobian(
    const Layout& at, std::span<const double> x,
    const std::function<Eigen::VectorXd(std::span<const double>)>& rates);

// What a plastic impact of one dock takes: ½ ψ̇ᵀ (J M⁻¹ Jᵀ)⁻¹ ψ̇ of all its rows.
double find_impact_loss(const System<double>& system, std::size_t dock, std::span<const double> x);

}  // namespace berth::test

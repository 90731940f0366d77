// SPDX-License-Identifier: Apache-2.0
#include "berth/math/eigen_system.h"

#include <Eigen/Eigenvalues>

namespace berth {

EigenSystem find_eigen_system(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd find_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

}  // namespace berth

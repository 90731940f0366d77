// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eigenvalues and eigenvectors of a dense real matrix, compiled once.

#include <Eigen/Core>

namespace berth {

struct EigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // columns
};
EigenSystem find_eigen_system(const Eigen::MatrixXd& A);

// The values alone, in less time.
Eigen::VectorXcd find_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations in cyclic order.
//
//   A = V diag(w) Vᵀ,   VᵀV = 1                                                              (1)
//   rotation in the plane p, q that makes A_pq vanish (Golub and Van Loan, 8.5.2):
//   τ = (A_qq − A_pp)/2A_pq,  t = sign(τ)/(|τ| + √(1 + τ²)),  c = 1/√(1 + t²),  s = t c       (2)
//
// Sums, products and square roots in a fixed order: the same bits on every processor.

#include <cstddef>
#include <vector>

namespace berth {

// Rows one after the other.
struct SquareMatrix {
  explicit SquareMatrix(std::size_t n = 0) : size(n), entries(n * n) {}
  static SquareMatrix identity(std::size_t n);
  double& operator()(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
  std::size_t size;
  std::vector<double> entries;
};

struct SymmetricEigen {
  std::vector<double> values;  // as they come out of the rotations, not sorted
  SquareMatrix vectors;        // column k belongs to value k
};
// Of the matrix (A + Aᵀ)/2.
SymmetricEigen solve_symmetric_eigen(const SquareMatrix& a);

}  // namespace berth

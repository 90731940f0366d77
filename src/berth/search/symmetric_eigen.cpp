// SPDX-License-Identifier: Apache-2.0
#include "berth/search/symmetric_eigen.h"

#include <cmath>
#include <utility>

namespace berth {

namespace {

constexpr int kMostSweeps = 60;  // six or so are needed: the convergence is quadratic

// A ← RᵀAR and V ← VR with the rotation R of (2).
void rotate(SquareMatrix& a, SquareMatrix& v, std::size_t p, std::size_t q) {
  const double tau = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  const std::size_t n = a.size;
  for (std::size_t k = 0; k < n; ++k) {
    const double kp = a(k, p), kq = a(k, q);
    a(k, p) = c * kp - s * kq, a(k, q) = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double pk = a(p, k), qk = a(q, k);
    a(p, k) = c * pk - s * qk, a(q, k) = s * pk + c * qk;
  }
  a(p, q) = a(q, p) = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double kp = v(k, p), kq = v(k, q);
    v(k, p) = c * kp - s * kq, v(k, q) = s * kp + c * kq;
  }
}

}  // namespace

SquareMatrix SquareMatrix::identity(std::size_t n) {
  SquareMatrix one(n);
  for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

SymmetricEigen solve_symmetric_eigen(const SquareMatrix& matrix) {
  const std::size_t n = matrix.size;
  SquareMatrix a(n), v = SquareMatrix::identity(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a(i, j) = (matrix(i, j) + matrix(j, i)) / 2;

  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool is_diagonal = true;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        // So small that it changes neither of its diagonal entries.
        const double small = 1e-17 * std::sqrt(std::abs(a(p, p))) * std::sqrt(std::abs(a(q, q)));
        if (!(std::abs(a(p, q)) > small)) continue;
        rotate(a, v, p, q);
        is_diagonal = false;
      }
    if (is_diagonal) break;
  }
  SymmetricEigen result{std::vector<double>(n), std::move(v)};
  for (std::size_t i = 0; i < n; ++i) result.values[i] = a(i, i);
  return result;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Householder reflections on a small dense matrix, row-major, in place and without pivots: whoever
// needs them chooses independent columns beforehand.
//
//   H = I + v vᵀ/(α v₀),   v = x − α e₁,   α = −sign(x₀)|x|          takes x to α e₁             (1)

#include <cstddef>

#include "berth/scalar/scalar.h"

namespace berth {

// A [m × n], n ≥ m, becomes Qᵀ A: R in its first m columns. The diagonal of R stands in `diagonal`;
// on and below the diagonal of A stand the vectors v.
template <Scalar T>
void factor_qr(T* A, std::size_t m, std::size_t n, T* diagonal) {
  for (std::size_t j = 0; j < m; ++j) {
    T sum(0.0);
    for (std::size_t i = j; i < m; ++i) sum += square(A[i * n + j]);
    const T length = sqrt(sum);
    const T alpha = select(A[j * n + j] > 0.0, -length, length);
    A[j * n + j] -= alpha;
    const T scale = 1.0 / (alpha * A[j * n + j]);
    for (std::size_t k = j + 1; k < n; ++k) {
      T s(0.0);
      for (std::size_t i = j; i < m; ++i) s += A[i * n + j] * A[i * n + k];
      s *= scale;
      for (std::size_t i = j; i < m; ++i) A[i * n + k] += s * A[i * n + j];
    }
    diagonal[j] = alpha;
  }
}

// R x = column `k` of A, in its place.
template <Scalar T>
void solve_upper(T* A, std::size_t m, std::size_t n, const T* diagonal, std::size_t k) {
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t j = i + 1; j < m; ++j) A[i * n + k] -= A[i * n + j] * A[j * n + k];
    A[i * n + k] /= diagonal[i];
  }
}

// (Q R)ᵀ x = b, in its place.
template <Scalar T>
void solve_transposed(const T* A, std::size_t m, std::size_t n, const T* diagonal, T* b) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < i; ++j) b[i] -= A[j * n + i] * b[j];
    b[i] /= diagonal[i];
  }
  for (std::size_t j = m; j-- > 0;) {
    T s(0.0);
    for (std::size_t i = j; i < m; ++i) s += A[i * n + j] * b[i];
    s /= diagonal[j] * A[j * n + j];
    for (std::size_t i = j; i < m; ++i) b[i] += s * A[i * n + j];
  }
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// S = L D Lᵀ of a small symmetric positive definite matrix, row-major, in place and without pivots:
// whoever needs them chooses independent rows beforehand.

#include <cstddef>

#include "berth/scalar/scalar.h"

namespace berth {

// Below the diagonal L, on it invert(row, D). The upper triangle is not used.
template <Scalar T, class Invert>
void factor_ldl_by(T* S, std::size_t n, Invert&& invert) {
  for (std::size_t j = 0; j < n; ++j) {
    T* const row_j = S + j * n;
    // Row j holds L D so far; turn it into L and take the squares off the diagonal.
    for (std::size_t k = 0; k < j; ++k) {
      const T scaled = row_j[k] * S[k * n + k];
      row_j[j] = row_j[j] - scaled * row_j[k];
      row_j[k] = scaled;
    }
    row_j[j] = invert(j, row_j[j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      T* const row_i = S + i * n;
      for (std::size_t k = 0; k < j; ++k) row_i[j] = row_i[j] - row_i[k] * row_j[k];
    }
  }
}

template <Scalar T>
void factor_ldl(T* S, std::size_t n) {
  factor_ldl_by(S, n, [](std::size_t, const T& d) { return 1.0 / d; });
}
// Rows whose D is below what least(row) says are left out: their unknowns come out zero.
template <Scalar T, class Least>
void factor_ldl(T* S, std::size_t n, Least&& least) {
  factor_ldl_by(S, n,
                [&](std::size_t j, const T& d) { return select(d > least(j), 1.0 / d, T(0.0)); });
}

template <Scalar T>
void solve_ldl(const T* L, std::size_t n, T* b) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - L[i * n + k] * b[k];
  for (std::size_t i = 0; i < n; ++i) b[i] = b[i] * L[i * n + i];
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = i + 1; k < n; ++k) b[i] = b[i] - L[k * n + i] * b[k];
}

}  // namespace berth

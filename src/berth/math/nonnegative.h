// SPDX-License-Identifier: Apache-2.0
#pragma once

// Non-negative least squares with six rows:  min |A x − b|²,  x ≥ 0     (Lawson and Hanson).
//
// Columns enter the passive set P one at a time, the one with the steepest descent first; the free
// problem on P is solved by Cholesky of A_Pᵀ A_P. A column that nearly lies in the span of P is
// passed over, so P has at most six columns and the solution is a basic one: few thrusters fire.

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "berth/scalar/graph.h"
#include "berth/scalar/scalar.h"

namespace berth {

inline constexpr int kRows = 6;
inline constexpr int kMaxColumns = 64;
using Column6 = std::array<double, kRows>;

struct PassiveSet {
  int size = 0;
  std::array<int, kRows> column{};
};

// S y = c for a symmetric positive definite S of n ≤ 6, in place; false when not definite.
template <class T>
bool solve_cholesky(int n, T (&S)[kRows][kRows], T (&c)[kRows]) {
  for (int j = 0; j < n; ++j) {
    const T before = S[j][j];
    for (int k = 0; k < j; ++k) S[j][j] -= S[j][k] * S[j][k];
    if (!(S[j][j] > before * 1e-12)) return false;
    S[j][j] = sqrt(S[j][j]);
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) S[i][j] -= S[i][k] * S[j][k];
      S[i][j] /= S[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) c[i] -= S[i][k] * c[k];
    c[i] /= S[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) c[i] -= S[k][i] * c[k];
    c[i] /= S[i][i];
  }
  return true;
}

// The free least-squares problem on the columns P: y = (A_Pᵀ A_P)⁻¹ A_Pᵀ b.
template <class T>
bool solve_passive(const std::array<T, kRows>* A, const std::array<T, kRows>& b,
                   const PassiveSet& P, T (&y)[kRows]) {
  T S[kRows][kRows];
  for (int i = 0; i < P.size; ++i) {
    const auto& ai = A[P.column[static_cast<std::size_t>(i)]];
    y[i] = T(0.0);
    for (std::size_t r = 0; r < kRows; ++r) y[i] += ai[r] * b[r];
    for (int j = 0; j <= i; ++j) {
      const auto& aj = A[P.column[static_cast<std::size_t>(j)]];
      S[i][j] = T(0.0);
      for (std::size_t r = 0; r < kRows; ++r) S[i][j] += ai[r] * aj[r];
    }
  }
  return solve_cholesky(P.size, S, y);
}

// x in double, and the set P it rests on.
PassiveSet solve_nonnegative(int n, const Column6* A, const Column6& b, double* x);

// The same in T: P by the values, its solution once more in T, so that the slopes of a Dual come along.
template <Scalar T>
void solve_by_values(int n, const std::array<T, kRows>* A, const std::array<T, kRows>& b, T* x) {
  std::array<Column6, kMaxColumns> A_value;
  Column6 b_value;
  std::array<double, kMaxColumns> x_value;
  for (std::size_t r = 0; r < kRows; ++r) {
    b_value[r] = value(b[r]);
    for (int i = 0; i < n; ++i) A_value[static_cast<std::size_t>(i)][r] = value(A[i][r]);
  }
  const PassiveSet P = solve_nonnegative(n, A_value.data(), b_value, x_value.data());
  for (int i = 0; i < n; ++i) x[i] = T(0.0);
  T y[kRows];
  if (P.size > 0 && solve_passive(A, b, P, y))
    for (int i = 0; i < P.size; ++i) x[P.column[static_cast<std::size_t>(i)]] = max(y[i], T(0.0));
}

// x of b and the columns of A, one after the other: what a Trace records.
extern const OpaqueFunction kFindNonnegative;

template <Scalar T>
void find_nonnegative(int n, const std::array<T, kRows>* A, const std::array<T, kRows>& b, T* x) {
  if constexpr (records<T>) {
    std::vector<T> in(b.begin(), b.end());
    for (int i = 0; i < n; ++i) in.insert(in.end(), A[i].begin(), A[i].end());
    record_call(kFindNonnegative, in, std::span<T>(x, static_cast<std::size_t>(n)));
  } else {
    solve_by_values(n, A, b, x);
  }
}

}  // namespace berth

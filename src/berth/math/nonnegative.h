// SPDX-License-Identifier: Apache-2.0
#pragma once

// Non-negative least squares with six rows:  min |A x − b|²,  x ≥ 0     (Lawson and Hanson).
//
// Columns enter the passive set P one at a time, the one with the steepest descent first; the free
// problem on P is solved by Cholesky of A_Pᵀ A_P. A column that nearly lies in the span of P is
// passed over, so P has at most six columns and the solution is a basic one: few thrusters fire.

#include <array>
#include <cmath>

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

inline PassiveSet solve_nonnegative(int n, const Column6* A, const Column6& b, double* x) {
  PassiveSet P;
  std::array<bool, kMaxColumns> in_P{}, barred{};
  for (int i = 0; i < n; ++i) x[i] = 0;
  const auto dot6 = [](const Column6& u, const Column6& v) {
    double s = 0;
    for (std::size_t r = 0; r < kRows; ++r) s += u[r] * v[r];
    return s;
  };
  const double b_norm = std::sqrt(dot6(b, b));

  for (int round = 0; round < 8 * kMaxColumns && P.size < kRows; ++round) {
    // The residual, and the outside column that reduces it fastest.
    Column6 residual = b;
    for (int i = 0; i < n; ++i)
      for (std::size_t r = 0; r < kRows; ++r)
        residual[r] -= A[i][r] * x[i];
    int best = -1;
    double steepest = 1e-12 * b_norm;
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (in_P[k] || barred[k]) continue;
      const double slope = dot6(A[i], residual) / std::sqrt(dot6(A[i], A[i]));
      if (slope > steepest) steepest = slope, best = i;
    }
    if (best < 0) break;
    P.column[static_cast<std::size_t>(P.size++)] = best;
    in_P[static_cast<std::size_t>(best)] = true;

    // Solve on P; step back to the boundary and drop columns while any would turn negative.
    bool entered = true;
    for (;;) {
      double y[kRows];
      if (!solve_passive(A, b, P, y)) {
        // The newcomer depends on the others: never mind it this time.
        --P.size;
        in_P[static_cast<std::size_t>(best)] = false;
        barred[static_cast<std::size_t>(best)] = true;
        entered = false;
        break;
      }
      double alpha = 1;
      for (int i = 0; i < P.size; ++i) {
        const double xi = x[P.column[static_cast<std::size_t>(i)]];
        if (y[i] <= 0) alpha = std::min(alpha, xi / (xi - y[i]));
      }
      for (int i = 0; i < P.size; ++i) {
        double& xi = x[P.column[static_cast<std::size_t>(i)]];
        xi = alpha == 1 ? y[i] : xi + alpha * (y[i] - xi);
      }
      if (alpha == 1) break;
      int kept = 0;
      for (int i = 0; i < P.size; ++i) {
        const int c = P.column[static_cast<std::size_t>(i)];
        if (x[c] > 1e-14 * b_norm) {
          P.column[static_cast<std::size_t>(kept++)] = c;
        } else {
          x[c] = 0;
          in_P[static_cast<std::size_t>(c)] = false;
        }
      }
      P.size = kept;
      if (kept == 0) break;
    }
    if (entered) barred.fill(false);
  }
  return P;
}

}  // namespace berth

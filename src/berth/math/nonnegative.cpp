// SPDX-License-Identifier: Apache-2.0
#include "berth/math/nonnegative.h"

#include <algorithm>

namespace berth {

PassiveSet solve_nonnegative(int n, const Column6* A, const Column6& b, double* x) {
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
      for (std::size_t r = 0; r < kRows; ++r) residual[r] -= A[i][r] * x[i];
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
        xi = std::max(0.0, alpha == 1 ? y[i] : xi + alpha * (y[i] - xi));
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

const OpaqueFunction kFindNonnegative{
    "nonnegative_least_squares", [](std::span<const double> in, std::span<double> x) {
      const auto column = [&](std::size_t k) {
        Column6 c;
        std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(kRows * k), kRows, c.begin());
        return c;
      };
      std::array<Column6, kMaxColumns> A;
      for (std::size_t i = 0; i < x.size(); ++i) A[i] = column(i + 1);
      find_nonnegative(static_cast<int>(x.size()), A.data(), column(0), x.data());
    }};

}  // namespace berth

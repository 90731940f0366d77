// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every table must satisfy, proved by the compiler (methods.h asserts it for the whole list).
//
//   nodes        Σⱼ aᵢⱼ = cᵢ                                every row                     (1)
//   quadrature   Σᵢ bᵢ cᵢᵏ = 1/(k+1)                        k = 0 … order−1               (2)
//   tall trees   b Aᵏ 1 = 1/(k+1)!                          k = 0 … order−1               (3)
//   embedded     Σᵢ error_rᵢ cᵢᵏ = 0                        k = 0 … embedded_order_r−1    (4)
//   dense        Σᵢ bᵢ(θ) cᵢᵏ = θᵏ⁺¹/(k+1)                  k = 0 … dense_order−1         (5)
//
// (2) is exactness for ẋ = tᵏ, (3) for ẋ = λx. They bind each coefficient at least once; the
// remaining order conditions are measured (tests/integrate/order_test.cpp).

#include <array>

#include "berth/integrate/tableau.h"

namespace berth {

namespace detail {

// A sum with its rounding: every check allows a few ulps of the sum of absolute terms.
struct CheckedSum {
  double sum = 0, magnitude = 0;

  constexpr void add(double term) {
    sum += term;
    magnitude += term < 0 ? -term : term;
  }
  constexpr bool equals(double expected) const {
    const double difference = sum > expected ? sum - expected : expected - sum;
    return difference <= 16 * 2.220446049250313e-16 * (magnitude + 1);
  }
};

constexpr double power(double x, int k) {
  double p = 1;
  for (int i = 0; i < k; ++i) p *= x;
  return p;
}

// Σᵢ weightᵢ cᵢᵏ
constexpr CheckedSum moment(const Tableau& m, std::span<const Coefficient> weights, int k) {
  CheckedSum s;
  for (const Coefficient& w : weights) {
    s.add(w.value * power(m.c[std::size_t(w.column)], k));
  }
  return s;
}

}  // namespace detail

constexpr bool has_valid_shape(const Tableau& m) {
  const auto sorted = [](std::span<const Coefficient> table) {
    for (std::size_t i = 1; i < table.size(); ++i) {
      if (table[i].row < table[i - 1].row) return false;
    }
    return true;
  };
  for (const Coefficient& a : m.a) {
    if (a.column < 0 || a.column >= a.row || a.row >= m.all_stages()) return false;
  }
  return m.all_stages() <= kMaxStages && m.dense_rows() <= kMaxDenseRows &&
         m.c.size() == std::size_t(m.all_stages()) && sorted(m.a) && sorted(m.error) &&
         sorted(m.dense) && m.adaptive() == !m.error.empty();
}

constexpr bool rows_sum_to_nodes(const Tableau& m) {  // (1)
  for (int i = 0; i < m.all_stages(); ++i) {
    detail::CheckedSum s;
    for (const Coefficient& a : find_row(m.a, i)) s.add(a.value);
    if (!s.equals(m.c[std::size_t(i)])) return false;
  }
  return true;
}

constexpr bool quadrature_holds(const Tableau& m) {  // (2)
  for (int k = 0; k < m.order; ++k) {
    if (!detail::moment(m, find_row(m.a, m.stages), k).equals(1.0 / (k + 1))) return false;
  }
  return true;
}

constexpr bool tall_trees_hold(const Tableau& m) {  // (3)
  std::array<detail::CheckedSum, kMaxStages> v{};   // Aᵏ 1
  for (auto& one : v) one.add(1);
  double factorial = 1;
  for (int k = 0; k < m.order; ++k) {
    std::array<detail::CheckedSum, kMaxStages> next{};
    for (const Coefficient& a : m.a) {
      const detail::CheckedSum& from = v[std::size_t(a.column)];
      detail::CheckedSum& to = next[std::size_t(a.row)];
      to.sum += a.value * from.sum;
      to.magnitude += (a.value < 0 ? -a.value : a.value) * from.magnitude;
    }
    v = next;
    factorial *= k + 1;
    if (!v[std::size_t(m.stages)].equals(1 / factorial)) return false;
  }
  return true;
}

constexpr bool embedded_formulas_hold(const Tableau& m) {  // (4)
  for (int k = 0; k < m.embedded_order; ++k) {
    if (!detail::moment(m, find_row(m.error, 0), k).equals(0)) return false;
  }
  for (int k = 0; k < m.embedded_order_2; ++k) {
    if (!detail::moment(m, find_row(m.error, 1), k).equals(0)) return false;
  }
  return true;
}

// (5) with (4) of tableau.h applied to the moments of each Fᵣ in place of the stages.
constexpr bool dense_output_holds(const Tableau& m) {
  for (int k = 0; k < m.dense_order; ++k) {
    const double first = k == 0 ? 1 : 0;  // c₀ᵏ
    const detail::CheckedSum b = detail::moment(m, find_row(m.a, m.stages), k);
    std::array<detail::CheckedSum, 3 + kMaxDenseRows> F{};
    F[0] = b;
    F[1] = {first - b.sum, 1 + b.magnitude};
    F[2] = {2 * b.sum - first - 1, 2 + 2 * b.magnitude};
    const int rows = 3 + m.dense_rows();
    for (int r = 3; r < rows; ++r) {
      F[std::size_t(r)] = detail::moment(m, find_row(m.dense, r - 3), k);
    }
    for (const double theta : {0.125, 0.375, 0.625, 0.875}) {
      detail::CheckedSum x;
      double factor = 1;
      for (int r = 0; r < rows; ++r) {
        factor *= r % 2 == 0 ? theta : 1 - theta;
        x.sum += factor * F[std::size_t(r)].sum;
        x.magnitude += factor * F[std::size_t(r)].magnitude;
      }
      if (!x.equals(detail::power(theta, k + 1) / (k + 1))) return false;
    }
  }
  return true;
}

constexpr bool is_consistent(const Tableau& m) {
  return has_valid_shape(m) && rows_sum_to_nodes(m) && quadrature_holds(m) && tall_trees_hold(m) &&
         embedded_formulas_hold(m) && dense_output_holds(m);
}

}  // namespace berth

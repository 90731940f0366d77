// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tableau — an explicit Runge–Kutta method as data.
//
//   ẋ = f(t, x),   a step of h [s] from (t₀, x₀):
//
//   stages      kᵢ = f(t₀ + cᵢ h, x₀ + h Σⱼ aᵢⱼ kⱼ)            i = 0 … s−1                  (1)
//   solution    x₁ = x₀ + h Σⱼ a_sⱼ kⱼ                         row s of a: the weights b    (2)
//               k_s = f(t₀ + h, x₁)                            stage 0 of the next step
//   error       e_r = h Σⱼ error_rⱼ kⱼ                         solution − embedded formula  (3)
//   dense       x(θ) = x₀ + θ (F₀ + (1−θ) (F₁ + θ (F₂ + (1−θ) (F₃ + …)))),  t = t₀ + θ h    (4)
//               F₀ = x₁ − x₀,  F₁ = h k₀ − F₀,  F₂ = 2 F₀ − h (k₀ + k_s)
//               F₃₊ᵣ = h Σⱼ dense_rⱼ kⱼ
//
// Every table carries the solution as row s of a and its slope as stage s, so methods with and
// without "first same as last" read alike. Without dense rows (4) is the cubic through both ends
// with both slopes. Rows s+1 … s+dense_stages of a make the stages needed for dense output alone.

#include <cstddef>
#include <span>
#include <string_view>

namespace berth {

// One nonzero entry; tables are lists of them sorted by row.
struct Coefficient {
  int row, column;
  double value;
};

struct Tableau {
  std::string_view name;
  int stages;  // s in (1)
  int order;   // the solution's error over a fixed time is O(h^order)

  // Error estimate; a method without one takes fixed steps.
  int error_order = 0;        // the error ratio shrinks as h^error_order; 0: no estimate
  int embedded_order = 0;     // of the formula behind error row 0
  int embedded_order_2 = 0;   // of the formula behind error row 1; 0: no such row
  double control_beta = 0;    // see step_control.h; 0: predictive control
  double control_shrink = 1;  // smallest factor from one step to the next
  double control_grow = 1;    // largest factor

  // Dense output.
  int dense_stages = 0;  // extra evaluations for (4), made only when asked for
  int dense_order = 3;   // the error of (4) within one step is O(h^(dense_order+1))

  std::span<const double> c;                // s + 1 + dense_stages nodes
  std::span<const Coefficient> a;           // rows 1 … s + dense_stages
  std::span<const Coefficient> error = {};  // rows 0, 1
  std::span<const Coefficient> dense = {};  // rows 0, 1, …

  constexpr bool adaptive() const { return error_order > 0; }
  constexpr int all_stages() const { return stages + 1 + dense_stages; }
  constexpr int dense_rows() const { return dense.empty() ? 0 : dense.back().row + 1; }

  // True when (3) needs k_s: it is then evaluated before the step is judged.
  constexpr bool error_needs_end() const {
    for (const Coefficient& e : error) {
      if (e.column == stages) return true;
    }
    return false;
  }
};

// The largest table: 16 stages (DOP853 with dense output), 4 dense rows.
inline constexpr int kMaxStages = 16;
inline constexpr int kMaxDenseRows = 4;

// One row of a table; empty when there is none.
constexpr std::span<const Coefficient> find_row(std::span<const Coefficient> table, int row) {
  std::size_t first = 0;
  while (first < table.size() && table[first].row < row) ++first;
  std::size_t last = first;
  while (last < table.size() && table[last].row == row) ++last;
  return table.subspan(first, last - first);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The schema of a part: one row per input, read by the file reader and writer, by `describe`, by
// the docs, by the conformance tests and by lift().
//
//   static constexpr auto fields() {
//     using P = HingedPanel;
//     return std::tuple{Field{"mass", &P::m, unit::kg, Range::positive, "panel mass", required}, …};
//   }
//
// A unit carries its exponents of mass, length and time (an angle is a number), so that a test can
// restate any part in another system of units.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "berth/math/rotation.h"

namespace berth {

struct Unit {
  std::string_view symbol;
  int kg = 0, m = 0, s = 0;
};

namespace unit {
inline constexpr Unit none{"-"};
inline constexpr Unit kg{"kg", 1, 0, 0};
inline constexpr Unit metre{"m", 0, 1, 0};
inline constexpr Unit second{"s", 0, 0, 1};
inline constexpr Unit rad{"rad"};
inline constexpr Unit m_per_s{"m/s", 0, 1, -1};
inline constexpr Unit rad_per_s{"rad/s", 0, 0, -1};
inline constexpr Unit per_s{"1/s", 0, 0, -1};
inline constexpr Unit m_per_s2{"m/s²", 0, 1, -2};
inline constexpr Unit rad_per_s2{"rad/s²", 0, 0, -2};
inline constexpr Unit kg_m{"kg·m", 1, 1, 0};
inline constexpr Unit kg_m2{"kg·m²", 1, 2, 0};
inline constexpr Unit newton{"N", 1, 1, -2};
inline constexpr Unit N_m{"N·m", 1, 2, -2};
inline constexpr Unit joule{"J", 1, 2, -2};
inline constexpr Unit watt{"W", 1, 2, -3};
inline constexpr Unit N_per_m{"N/m", 1, 0, -2};
inline constexpr Unit N_s_per_m{"N·s/m", 1, 0, -1};
inline constexpr Unit N_m_per_rad{"N·m/rad", 1, 2, -2};
inline constexpr Unit N_m_s_per_rad{"N·m·s/rad", 1, 2, -1};
inline constexpr Unit N_m_per_rad_s{"N·m/(rad·s)", 1, 2, -3};
inline constexpr Unit N_per_m_s{"N/(m·s)", 1, 0, -3};
inline constexpr Unit N_s{"N·s", 1, 1, -1};
inline constexpr Unit N_m_s{"N·m·s", 1, 2, -1};
inline constexpr Unit per_s2{"1/s²", 0, 0, -2};
inline constexpr Unit m3_per_s2{"m³/s²", 0, 3, -2};
}  // namespace unit

enum class Range {
  any,           // any finite number
  positive,      // > 0
  not_negative,  // ≥ 0
  unit_vector,   // a direction; it is normalised on reading
  inertia,       // positive definite and obeying the triangle inequality (or all zero)
};

inline constexpr bool required = true;

template <class Part, class Member>
struct Field {
  std::string_view name;
  Member Part::*member;
  Unit unit;
  Range range;
  std::string_view meaning;
  bool is_required = false;

  constexpr Field(std::string_view n, Member Part::*p, Unit u, Range r, std::string_view about,
                  bool must = false)
      : name(n), member(p), unit(u), range(r), meaning(about), is_required(must) {}
};

template <class P>
concept HasFields = requires {
  P::fields();
};

// Calls visit(field, part.*field.member) for every input of a part.
template <HasFields Part, class Visit>
void for_each_field(Part& part, Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field, part.*field.member), ...); },
             std::remove_const_t<Part>::fields());
}

// Calls visit(field_a, a.*, b.*) on two parts of the same kind, whatever their scalars.
template <HasFields A, HasFields B, class Visit>
void zip_fields(const A& a, B& b, Visit&& visit) {
  constexpr auto fa = A::fields();
  constexpr auto fb = B::fields();
  static_assert(std::tuple_size_v<decltype(fa)> == std::tuple_size_v<decltype(fb)>);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit(std::get<I>(fa), a.*std::get<I>(fa).member, b.*std::get<I>(fb).member), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(fa)>>{});
}

}  // namespace berth

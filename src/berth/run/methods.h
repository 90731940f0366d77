// SPDX-License-Identifier: Apache-2.0
#pragma once

// The integrators a scenario may name: every explicit method there is (integrate/methods.h), Radau and
// the variational steps.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "berth/integrate/methods.h"

namespace berth {

inline constexpr std::string_view kRadauName = "radau";
inline constexpr std::array<std::string_view, 2> kVariationalNames{"variational2", "variational4"};

inline constexpr auto kMethodNames = [] {
  std::array<std::string_view, kExplicitMethods.size() + 1 + kVariationalNames.size()> names;
  auto end = std::ranges::transform(kExplicitMethods, names.begin(), &Tableau::name).out;
  *end++ = kRadauName;
  std::ranges::copy(kVariationalNames, end);
  return names;
}();

// "dop853 | dopri5 | …"
inline constexpr auto kMethodText = [] {
  constexpr std::size_t length = [] {
    std::size_t n = 3 * (kMethodNames.size() - 1);
    for (std::string_view name : kMethodNames) n += name.size();
    return n;
  }();
  std::array<char, length> text{};
  auto end = text.begin();
  for (std::string_view name : kMethodNames) {
    if (end != text.begin()) end = std::ranges::copy(std::string_view(" | "), end).out;
    end = std::ranges::copy(name, end).out;
  }
  return text;
}();

inline std::vector<std::string> list_methods() {
  return {kMethodNames.begin(), kMethodNames.end()};
}
inline bool is_stiff_method(std::string_view name) { return name == kRadauName; }
inline bool is_variational_method(std::string_view name) {
  return std::ranges::find(kVariationalNames, name) != kVariationalNames.end();
}
// Without an error estimate: its steps are as long as `step` sets them.
inline bool takes_fixed_steps(std::string_view name) {
  const Tableau* table = find_method(name);
  return (table && !table->adaptive()) || is_variational_method(name);
}

}  // namespace berth

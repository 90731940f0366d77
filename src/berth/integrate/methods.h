// SPDX-License-Identifier: Apache-2.0
#pragma once

// The list of explicit methods. A method joins with its file and one line here; scenario files,
// tests and pages walk the list.

#include <algorithm>
#include <array>
#include <string_view>

#include "berth/integrate/dop853.h"
#include "berth/integrate/dopri5.h"
#include "berth/integrate/rk4.h"
#include "berth/integrate/rkf45.h"
#include "berth/integrate/tableau_checks.h"

namespace berth {

inline constexpr std::array kExplicitMethods = {
    &kDop853,  // the default
    &kDopri5,  //
    &kRkf45,   //
    &kRk4,     //
};

static_assert(std::ranges::all_of(kExplicitMethods,
                                  [](const Tableau* m) { return is_consistent(*m); }));

// The method of this name, or nullptr.
constexpr const Tableau* find_method(std::string_view name) {
  for (const Tableau* m : kExplicitMethods) {
    if (m->name == name) return m;
  }
  return nullptr;
}

}  // namespace berth

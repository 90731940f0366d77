// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switches a force.

#include <optional>

#include "berth/run/actions/action.h"

namespace berth {

struct ForceAction {
  static constexpr std::string_view type = "force";

  ForceRef force;
  std::optional<bool> enable = {};

  static constexpr auto fields() {
    using P = ForceAction;
    return Schema{
        Field{"force", &P::force, unit::none, Range::any, "to switch", required},
        Field{"enable", &P::enable, unit::none, Range::any, "on or off"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (!enable) findings.add("force", "needs enable = true | false");
  }

  void act(auto& core, const auto&) const { switch_part(core, force.name, enable.value_or(true)); }
};

}  // namespace berth

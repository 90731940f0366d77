// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switches an external. One that is on again begins anew: what it commanded before is out of date.

#include <optional>

#include "berth/run/actions/action.h"

namespace berth {

struct ExternalAction {
  static constexpr std::string_view type = "external";

  ExternalRef external;
  std::optional<bool> enable = {};

  static constexpr auto fields() {
    using P = ExternalAction;
    return Schema{
        Field{"external", &P::external, unit::none, Range::any, "to switch", required},
        Field{"enable", &P::enable, unit::none, Range::any, "on or off"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (!enable) findings.add("external", "needs enable = true | false");
  }

  void act(auto& core, const auto&) const {
    switch_part(core, external.name, enable.value_or(true));
    switch_external(core, external.name);
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes the speed of a joint of one speed and of nothing else: what that takes comes from outside.

#include <optional>

#include "berth/run/actions/action.h"

namespace berth {

struct KickAction {
  static constexpr std::string_view type = "kick";

  JointRef joint;
  std::optional<double> rate = {}, add = {};

  static constexpr auto fields() {
    using P = KickAction;
    return Schema{
        Field{"kick", &P::joint, unit::none, Range::any, "whose speed changes", required},
        Field{"rate", &P::rate, unit::rad_per_s, Range::any,
              "the new speed; m/s of a prismatic joint"},
        Field{"add", &P::add, unit::rad_per_s, Range::any, "added to the speed, instead of rate"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (rate.has_value() == add.has_value()) findings.add("kick", "needs either rate or add");
  }

  void act(auto& core, const auto&) const {
    kick_joint(core.system, core.s.t, core.s.x, core.s.mode, core.w,
               core.system.model.find_body(joint.name), rate.value_or(add.value_or(0)),
               add.has_value());
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// An impact on a body from outside: an impulse at a point, an angular impulse, or both. All joint
// speeds of the tree jump by what it makes of them.

#include "berth/run/actions/action.h"

namespace berth {

struct StrikeAction {
  static constexpr std::string_view type = "strike";

  MovingBodyRef body;
  Vec3<double> impulse = {}, point = {}, angular_impulse = {};  // [N·s], [m], [N·m·s], body axes

  static constexpr auto fields() {
    using P = StrikeAction;
    return Schema{
        Field{"strike", &P::body, unit::none, Range::any, "that takes an impulse", required},
        Field{"impulse", &P::impulse, unit::N_s, Range::any, "body axes"},
        Field{"point", &P::point, unit::metre, Range::any, "where the impulse acts, body axes"},
        Field{"angular_impulse", &P::angular_impulse, unit::N_m_s, Range::any,
              "and, or instead, an angular impulse, body axes"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    const Vec3<double> none{};
    if (impulse == none && angular_impulse == none)
      findings.add("strike", "needs an impulse or an angular_impulse");
  }

  void act(auto& core, const auto&) const {
    strike_body(core.system, core.s.t, core.s.x, core.s.mode, core.w,
                core.system.model.find_body(body.name), impulse, point, angular_impulse);
  }
};

}  // namespace berth

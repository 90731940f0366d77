// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets a dock go.

#include <fmt/format.h>

#include "berth/run/actions/action.h"
#include "berth/run/event_record.h"

namespace berth {

struct ReleaseAction {
  static constexpr std::string_view type = "release";

  DockRef dock;

  static constexpr auto fields() {
    using P = ReleaseAction;
    return Schema{
        Field{"release", &P::dock, unit::none, Range::any, "that lets go", required},
    };
  }

  void act(auto& core, const auto& event) const {
    auto& s = core.s;
    const int k = find_dock_named(core.system, dock.name);
    const Dock<double>& joint = core.system.docks[static_cast<std::size_t>(k)];
    if (!joint.engaged)
      return warn(core, fmt::format("event {} ({}) releases {} at {:.6g} s, which is open already",
                                    event.name, event.where, joint.name, s.t));
    if (joint.enforce == Enforce::fused) remember_model(core);
    const ReleaseResult r = release(core.system, s.t, s.x, s.mode, core.w, k);
    report(core, "release", joint.name, {named("energy_lost", r.energy_lost)});
  }
};

}  // namespace berth

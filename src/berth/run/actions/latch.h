// SPDX-License-Identifier: Apache-2.0
#pragma once

// Joins a dock: as the ports stand (current), or as designed (nominal) when they are close enough. Its
// latch may have failed (fail.h): then it comes late, or never.

#include <cmath>

#include <fmt/format.h>

#include "berth/run/actions/action.h"
#include "berth/run/event_record.h"

namespace berth {

struct LatchAction {
  static constexpr std::string_view type = "latch";

  DockRef dock;
  OneOf<Lock> lock = Lock::current;

  static constexpr auto fields() {
    using P = LatchAction;
    return Schema{
        Field{"latch", &P::dock, unit::none, Range::any, "that joins", required},
        Field{"lock", &P::lock, unit::none, Range::any, "in which pose"},
    };
  }

  double find_wait(const auto& core) const {
    const auto k = static_cast<std::size_t>(find_dock_named(core.system, dock.name));
    const Dock<double>& joint = core.system.docks[k];
    return joint.engaged ? 0 : joint.latch_delay;
  }
  void report_wait(auto& core, const auto& event, double wait) const {
    if (std::isfinite(wait)) return report(core, "latch_late", dock.name, {named("late", wait)});
    warn(core,
         fmt::format("{} did not latch at {:.6g} s, where event {} ({}) commands it: its latch "
                     "is stuck open",
                     dock.name, core.s.t, event.name, event.where));
    report(core, "latch_stuck", dock.name);
  }

  void act(auto& core, const auto& event) const {
    auto& s = core.s;
    const bool nominal = lock == Lock::nominal;
    const int k = find_dock_named(core.system, dock.name);
    const Dock<double>& joint = core.system.docks[static_cast<std::size_t>(k)];
    if (joint.engaged)
      return warn(core, fmt::format("event {} ({}) latches {} at {:.6g} s, which is joined already",
                                    event.name, event.where, joint.name, s.t));
    if (joint.enforce == Enforce::fused) remember_model(core);
    const LatchResult r = latch(core.system, s.t, s.x, s.mode, core.w, k, nominal);
    if (r.refused) {
      warn(core, fmt::format("{} did not latch at {:.6g} s: the ports were {:.3g} m and {:.3g} rad "
                             "from mated, beyond its gap of {:.3g} m and {:.3g} rad",
                             joint.name, s.t, r.off.position, r.off.attitude, joint.gap,
                             joint.gap_angle));
      return report(core, "latch_refused", joint.name,
                    {named("gap", r.off.position), named("gap_angle", r.off.attitude)});
    }
    if (r.cannot_fuse)
      warn(core, fmt::format("{} is held exactly from {:.6g} s on: it cannot be fused, its craft "
                             "being joined already or neither port on a free hub",
                             joint.name, s.t));
    report(core, "latch", joint.name,
           {named("lock", std::string(lock.keyword())), named("energy_lost", r.energy_lost),
            named("impulse_N", r.impulse.force), named("angular_impulse_N", r.impulse.torque)});
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switches a controller, gives it new references, or both. Their `start` is counted from the event.

#include <algorithm>
#include <optional>
#include <vector>

#include "berth/control/task.h"
#include "berth/run/actions/action.h"
#include "berth/run/event_queue.h"

namespace berth {

struct ControlAction {
  static constexpr std::string_view type = "control";

  ControlRef control;
  std::optional<bool> enable = {};
  std::vector<Profile<double>> reference = {};
  std::optional<TaskSpec> task = {};  // stands for the references that follow it

  static constexpr auto fields() {
    using P = ControlAction;
    return Schema{
        Field{"control", &P::control, unit::none, Range::any,
              "to switch (enable) or to give a reference", required},
        Field{"enable", &P::enable, unit::none, Range::any, "on or off"},
        Field{"reference", &P::reference, unit::of_input, Range::any,
              "new profiles; their start is counted from the event"},
        Field{"task", &P::task, unit::none, Range::any, "a new task, likewise"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (!enable && reference.empty() && !task)
      findings.add("control", "needs enable = true | false, a reference or a task");
    if (!reference.empty() && task) findings.add("task", "a task or references, not both");
  }

  void act(auto& core, const auto&) const {
    if (enable) switch_part(core, control.name, *enable);
    if (reference.empty()) return;
    const double t = core.s.t;
    with_named(core.system, control.name, [&](auto& part) {
      std::vector<Profile<double>> fresh = reference;
      for (Profile<double>& p : fresh) {
        p.start += t;
        for (double& time : p.times) time += t;
      }
      const auto present = references_of(part);
      std::copy_n(fresh.begin(), std::min(fresh.size(), present.size()), present.begin());
      std::vector<double> times;
      for (const Profile<double>& p : fresh) p.add_times(times);
      for (double time : times)
        if (time > t) core.s.event_queue.add({time, Due::switching});
    });
  }
};

}  // namespace berth

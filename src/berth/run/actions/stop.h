// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ends the run with a verdict; an empty one is the event's name.

#include "berth/run/actions/action.h"

namespace berth {

struct StopAction {
  static constexpr std::string_view type = "stop";

  std::string verdict;

  static constexpr auto fields() {
    using P = StopAction;
    return Schema{
        Field{"stop", &P::verdict, unit::none, Range::any, "end the run with this verdict",
              required},
    };
  }

  void act(auto& core, const auto& event) const {
    core.s.stopped = true;
    core.s.verdict = verdict.empty() ? event.name : verdict;
  }
};

}  // namespace berth

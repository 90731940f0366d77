// SPDX-License-Identifier: Apache-2.0
#pragma once

// Says what the run has come to; it goes on. The last one counts; an empty one is the event's name.

#include "berth/run/actions/action.h"

namespace berth {

struct VerdictAction {
  static constexpr std::string_view type = "verdict";

  std::string verdict;

  static constexpr auto fields() {
    using P = VerdictAction;
    return Schema{
        Field{"verdict", &P::verdict, unit::none, Range::any, "of the run, which goes on",
              required},
    };
  }

  void act(auto& core, const auto& event) const {
    core.s.verdict = verdict.empty() ? event.name : verdict;
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Another interval between recorded rows, from here on.

#include "berth/run/actions/action.h"
#include "berth/run/interval.h"

namespace berth {

struct RecordAction {
  static constexpr std::string_view type = "record";

  double interval = 0;  // [s]

  static constexpr auto fields() {
    using P = RecordAction;
    return Schema{
        Field{"record", &P::interval, unit::second, Range::positive, "new interval between rows",
              required},
    };
  }
  void check(const Surroundings& around, Findings& findings) const {
    check_interval("record", interval, around.duration, kMostRecorded, "rows", findings);
  }

  void act(auto& core, const auto&) const { core.s.record_interval = interval; }
};

}  // namespace berth

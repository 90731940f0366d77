// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switches a sensor.

#include <optional>

#include "berth/run/actions/action.h"

namespace berth {

struct SensorAction {
  static constexpr std::string_view type = "sensor";

  SensorRef sensor;
  std::optional<bool> enable = {};

  static constexpr auto fields() {
    using P = SensorAction;
    return Schema{
        Field{"sensor", &P::sensor, unit::none, Range::any, "to switch", required},
        Field{"enable", &P::enable, unit::none, Range::any, "on or off"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (!enable) findings.add("sensor", "needs enable = true | false");
  }

  void act(auto& core, const auto&) const { switch_part(core, sensor.name, enable.value_or(true)); }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the schema says of the input at a path such as `--set` takes:
//
//   find_input(scenario, "spacecraft.servicer.component.wheel1.speed_rpm")   ↦  "rpm", "spin rate …"

#include <optional>
#include <string>
#include <string_view>

#include "berth/scenario/scenario.h"

namespace berth {

struct InputFacts {
  std::string unit;  // the one the key asks for; "-" = none
  std::string meaning;
  std::optional<double> value;  // where it is a number, in that unit
};

// Nothing when the path leads to no input of this scenario.
std::optional<InputFacts> find_input(const Scenario& scenario, std::string_view path);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Failures against the rest of a scenario: what can fail, and how each can.
//
//   list_failing(scenario)    "jets.1", "jets.2", "camera", "joint", …, in the order a FailingRef counts

#include <string>
#include <vector>

#include "berth/scenario/scenario.h"

namespace berth {

enum class FailingKind : unsigned char { thruster, sensor, dock, capture, contact };

struct Failing {
  std::string name;
  FailingKind kind;
  std::size_t number;  // of its force, sensor, dock, capture or contact in the scenario
};
std::vector<Failing> list_failing(const Scenario& scenario);

// What an event lets fail can fail so. Names that are none have been reported.
Findings check_failures(const Scenario& scenario, const EventSpec& event);

}  // namespace berth

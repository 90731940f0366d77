// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole program in a dozen lines:
//
//   ReadScenario read = read_scenario("slew.toml");
//   BuiltScenario built = build_scenario(read.scenario, read.problems);
//   Summary summary = simulate(read.scenario, built, {.h5 = "slew.h5"});
//   std::cout << describe(summary);
//
// simulate() runs a scenario to its end, records what it asks for (simulate/recorder.h), sums up
// (simulate/summary.h) and judges expectations (simulate/expectations.h). It throws only when a file
// cannot be written (RecordError).

#include "berth/scenario/scenario.h"
#include "berth/simulate/recorder.h"
#include "berth/simulate/summary.h"

namespace berth {

Summary simulate(const Scenario& scenario, const BuiltScenario& built,
                 const SimulateOptions& options);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole program in a dozen lines:
//
//   ReadScenario read = read_scenario("slew.toml");
//   Story story = build_story(read.scenario, read.problems);
//   Summary summary = simulate(read.scenario, story, {.h5 = "slew.h5"});
//   std::cout << describe(summary);
//
// simulate() runs a scenario to its end, records what it asks for (simulate/recorder.h), sums up
// (simulate/summary.h) and judges expectations (simulate/expectations.h). It throws only when a file
// cannot be written (RecordError).

#include "berth/scenario/scenario.h"
#include "berth/simulate/recorder.h"
#include "berth/simulate/summary.h"

namespace berth {

Summary simulate(const Scenario& scenario, const Story& story, const SimulateOptions& options);

}  // namespace berth

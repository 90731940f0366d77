// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run has at the end of its run, as a summary.

#include "berth/scenario/scenario.h"
#include "berth/simulate/summary.h"

namespace berth {

// All but expectations, samples, wall-clock time and the names of files.
Summary find_summary(HybridRun& run, const Outcome& outcome, const Scenario& scenario,
                     const BuiltScenario& built);

}  // namespace berth

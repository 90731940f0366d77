// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a scenario expects of its run, against what came of it.

#include "berth/scenario/scenario.h"
#include "berth/simulate/summary.h"

namespace berth {

// Fills the expectations of a summary that is complete but for them.
void judge(const ExpectSpec& expect, HybridRun& run, Summary& summary);

}  // namespace berth

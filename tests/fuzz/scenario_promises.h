// SPDX-License-Identifier: Apache-2.0
#pragma once

// What holds for every scenario, wherever its text comes from.

#include "berth/scenario/scenario.h"

namespace berth::fuzz {

// A problem is one line of text.
void check_problems(const Problems& problems);
// A scenario that was accepted and built: what is written of it reads again as the same; its start is finite; what
// `berth check` shows of it can be shown.
void check_accepted(const Scenario& scenario, const BuiltScenario& built);
// Of another name than any file has: nothing is found there.
inline constexpr const char* kNoFolder = "/no/such/folder";

}  // namespace berth::fuzz

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems of a scenario as the exception of the public face.

#include "berth/scenario/problem.h"
#include "berth/simulation.h"

namespace berth {

// As a ScenarioError.
[[noreturn]] void throw_problems(const Problems& problems);

}  // namespace berth

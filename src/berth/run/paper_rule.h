// SPDX-License-Identifier: Apache-2.0
#pragma once

// The paper's rule for impacts inside a step (paper_rule.cpp).

#include <span>

namespace berth {

struct Core;

// s of (2): how much of the reflection's impulse conserves the energy of the steps on both sides.
double find_paper_scale(Core& core, std::span<const double> reflected, bool with_work);

}  // namespace berth

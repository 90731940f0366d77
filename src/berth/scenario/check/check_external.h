// SPDX-License-Identifier: Apache-2.0
#pragma once

// Externals against the rest of a scenario.

#include "berth/scenario/scenario.h"

namespace berth {

// Events that an external names need no other trigger.
void mark_commanded(Scenario& scenario);

// Events and contacts it commands.
void check_external(const Scenario& scenario, const External<double>& external, Findings& findings);

}  // namespace berth

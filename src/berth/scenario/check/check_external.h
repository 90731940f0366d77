// SPDX-License-Identifier: Apache-2.0
#pragma once

// Externals against the rest of a scenario.

#include "berth/scenario/scenario.h"

namespace berth {

// Events that an external names need no other trigger.
void mark_commanded(Scenario& scenario);

// Whether an external gives the force of this contact.
bool is_given(const Scenario& scenario, const ContactSpec& contact);

// Those of contacts that need samples have some.
void check_compensations(const Scenario& scenario, Problems& problems);

// Events and contacts it commands.
void check_external(const Scenario& scenario, const External<double>& external, Findings& findings);

}  // namespace berth

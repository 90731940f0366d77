// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contacts of a scenario.

#include "berth/scenario/build_docks.h"

namespace berth {

void add_contacts(const Scenario& scenario, const Ports& ports, System<double>& system,
                  Problems& problems);

// Probes that start inside of what they are to touch.
void check_contacts(const System<double>& system, Problems& problems);

}  // namespace berth

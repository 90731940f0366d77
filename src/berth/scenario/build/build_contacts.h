// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contacts of a scenario.

#include "berth/scenario/build/structure.h"

namespace berth {

// Between ports that exist. A polygon is added corner by corner.
void add_contact(const ContactSpec& spec, const Ports& ports, System<double>& system);

// Moves craft whose contacts start at equilibrium. Expects all that pushes.
void place_contacts(const Scenario& scenario, System<double>& system, Problems& problems);

// Probes that start inside of what they are to touch.
void check_contacts(const Scenario& scenario, const System<double>& system, Problems& problems);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contacts of a scenario.

#include "berth/scenario/build/structure.h"

namespace berth {

// Between ports that exist. A polygon is added corner by corner.
void add_contact(const ContactSpec& spec, const Ports& ports, System<double>& system);

// Probes that start inside of what they are to touch.
void check_contacts(const System<double>& system, Problems& problems);

}  // namespace berth

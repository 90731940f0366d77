// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[event]] of a scenario that has been checked.

#include "berth/scenario/build/structure.h"

namespace berth {

// Problems are those of tasks that cannot be followed.
std::vector<Event> build_events(const Scenario& scenario, const Ports& ports,
                                const System<double>& system, const Channels& channels,
                                Problems& problems);

}  // namespace berth

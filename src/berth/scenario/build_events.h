// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[event]] of a scenario, and every other place that names channels.

#include "berth/scenario/build_docks.h"

namespace berth {

void build_events(const Scenario& scenario, const Ports& ports, Story& story, Problems& problems);

}  // namespace berth

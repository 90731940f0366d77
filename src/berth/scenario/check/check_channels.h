// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "berth/scenario/scenario.h"

namespace berth {

// Every channel that a record, a condition or an event names exists. `broken` are owners with something
// wrong, of whose channels nothing is known.
void check_channels(const Scenario& scenario, const Channels& channels,
                    const std::set<std::string>& broken, Problems& problems);

}  // namespace berth

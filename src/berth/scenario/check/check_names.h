// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/scenario/scenario.h"

namespace berth {

// Names are names, and each belongs to one thing.
void check_names(const Scenario& scenario, Problems& problems);

}  // namespace berth

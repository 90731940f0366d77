// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/scenario/scenario.h"

namespace berth {

// Reads the models that shapes name, each once: from `folder`, or out of `stored` alone where it is given.
void load_models(Scenario& scenario, const std::filesystem::path& folder, const ModelFiles* stored,
                 Problems& problems);

}  // namespace berth

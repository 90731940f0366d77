// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every number of a plant by name, with its unit: states x, outputs y, and what may be an input u.

#include <string>
#include <vector>

#include "berth/system/channels.h"

namespace berth {

struct PlantSignal {
  std::string name, unit;
};

std::vector<PlantSignal> list_plant_states(const System<double>& system);
std::vector<PlantSignal> list_plant_outputs(const Channels& channels);
// In the order of list_input_numbers (recorded_phase.h).
std::vector<PlantSignal> list_plant_inputs(const System<double>& system);

}  // namespace berth

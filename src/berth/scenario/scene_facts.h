// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a picture needs of a scenario besides its bodies (scene.h), as JSON:
//
//   captures      names and ports
//   contacts      names, ports, probe and its radius, surface
//   joins         docks: names, ports, whether they are springs
//   thrusters     body, place, direction, thrust, the channel of its level
//   shaped        bodies whose solids the scenario declares
//   gravity       [m/s²] N axes; null in an orbit and in free space

#include <nlohmann/json.hpp>

#include "berth/scenario/scenario.h"

namespace berth {

nlohmann::ordered_json build_scene_facts(const Scenario& scenario);

}  // namespace berth

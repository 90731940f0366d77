// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where craft start: by themselves, or by how they stand to another.

#include "berth/scenario/build/structure.h"

namespace berth {

// Position, velocity and attitude of a hub from its `state`, as far as that takes no other craft.
// `orbit` is null without one.
void place_hub_alone(const SpacecraftSpec& craft, const OrbitState* orbit, BodySpec<double>& hub);

// Moves the hubs whose state is relative to a port of another craft, those they stand to first.
void place_craft_by_others(const Scenario& scenario, const OrbitState* orbit, const Ports& ports,
                           Model<double>& model, Problems& problems);

}  // namespace berth

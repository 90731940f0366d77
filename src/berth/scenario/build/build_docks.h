// SPDX-License-Identifier: Apache-2.0
#pragma once

// Docks of a scenario: where craft are put by docking, and what joins them.

#include "berth/scenario/build/structure.h"

namespace berth {

// Bodies as they start.
Motion<double> find_start(const Model<double>& model);

// Pose and rates of a hub so that one of its bodies moves as wanted.
void place_hub(Model<double>& model, int hub, int body, const Mat3<double>& R_NB,
               const Vec3<double>& r_BN_N, const Vec3<double>& omega_N, const Vec3<double>& v_N);

// Moves the hubs with a `placement` to where their dock wants them, with the velocities that go
// with it.
void place_docked_craft(const Scenario& scenario, const Ports& ports, Model<double>& model,
                        Problems& problems);

// The constraint with its inputs completed, between its ports: of it follow rows and channels.
Dock<double> begin_dock(const DockSpec& spec, const Ports& ports, bool is_loop);

// Docks, then loops.
void add_docks(const Scenario& scenario, const Ports& ports, System<double>& system,
               Problems& problems);

// Moves the joints until every loop is closed, and their speeds with them; a chain that fits already
// stays as it is. A problem for each loop that cannot be.
void assemble_loops(System<double>& system, Problems& problems);

// Docks that start open although they are to hold, or whose rows contradict one another.
void check_docks(const System<double>& system, Problems& problems);

}  // namespace berth

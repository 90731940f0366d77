// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ports and docks of a scenario: where craft are put by docking, and what joins them.

#include <map>

#include "berth/scenario/scenario.h"

namespace berth {

// "servicer.probe" and so on. Bodies themselves are ports too: their own frames.
using Ports = std::map<std::string, Port<double>, std::less<>>;

// Bodies that components of this name end in: "servicer.arm" => its last link.
using LastBodies = std::map<std::string, int>;

Ports find_ports(const Scenario& scenario, const Model<double>& model,
                 const LastBodies& last_bodies, Problems& problems);

// The port of this name; null, and a problem of `path`, when there is none.
const Port<double>* find_port(const Ports& ports, const std::string& name, const std::string& path,
                              Problems& problems);

// Bodies as they start.
Motion<double> find_start(const Model<double>& model);

// Pose and rates of a hub so that one of its bodies moves as wanted.
void place_hub(Model<double>& model, int hub, int body, const Mat3<double>& R_NB,
               const Vec3<double>& r_BN_N, const Vec3<double>& omega_N, const Vec3<double>& v_N);

// What the docks name as their ports exists.
void check_dock_ports(const Scenario& scenario, const Ports& ports, Problems& problems);

// Moves the hubs with a `placement` to where their dock wants them, with the velocities that go
// with it.
void place_docked_craft(const Scenario& scenario, const Ports& ports, Model<double>& model,
                        Problems& problems);

// Docks, then loops.
void add_docks(const Scenario& scenario, const Ports& ports, System<double>& system,
               Problems& problems);

// Moves the joints until every loop is closed, and their speeds with them; a chain that fits already
// stays as it is. A problem for each loop that cannot be.
void assemble_loops(System<double>& system, Problems& problems);

// Docks that start open although they are to hold, or whose rows contradict one another.
void check_docks(const System<double>& system, Problems& problems);

}  // namespace berth

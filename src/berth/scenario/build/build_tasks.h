// SPDX-License-Identifier: Apache-2.0
#pragma once

// Joint references that lead a frame along a line, through whatever loops and docks are closed.

#include <span>

#include "berth/scenario/build/structure.h"

namespace berth {

// One reference per joint: the distance profile of the task, and each joint's angle as a series over
// that distance. Joints are bodies by name. Empty, and a problem of `path`, when the line cannot be
// followed.
std::vector<Profile<double>> find_joint_references(const System<double>& system, const Ports& ports,
                                                   const TaskSpec& task,
                                                   std::span<const JointRef> joints,
                                                   const std::string& path, Problems& problems);

void add_measures(const Scenario& scenario, const Ports& ports, System<double>& system,
                  Problems& problems);

}  // namespace berth

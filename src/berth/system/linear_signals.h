// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a linear model is made of (linear_model.h), by name: inputs, outputs, deviations.

#include <string>
#include <vector>

#include <Eigen/Core>

#include "berth/system/channels.h"
#include "berth/system/linear_model.h"

namespace berth {

// One number that may be put in.
struct LinearInput {
  enum class Kind : unsigned char {
    force,
    torque,
    effort,
    thruster_force,
    thruster_torque,
    command
  };
  Kind kind;
  int index;      // of a body, a speed, a thruster set, or of the command's first held number
  int component;  // 0, 1, 2 of a vector
  LinearSignal signal;
  std::vector<double> held = {};  // of a command: what a unit of it makes of its held numbers
};

std::vector<LinearInput> list_all_inputs(const System<double>& system, double t,
                                         std::span<const double> x, const Mode<double>& mode);
// Throw std::out_of_range for a name that there is not.
std::vector<LinearInput> choose_inputs(const System<double>& system,
                                       const std::vector<LinearInput>& all,
                                       const std::vector<std::string>& wanted);

struct LinearOutputs {
  std::vector<int> places;  // in a row of all channels
  std::vector<LinearSignal> signals;
};
LinearOutputs choose_outputs(const Channels& channels, const std::vector<std::string>& wanted);

// Deviations before any is eliminated: of coordinates, of speeds, of other states.
struct Deviations {
  int speeds = 0;
  std::vector<int> others;            // places in x
  std::vector<LinearSignal> signals;  // no name: of a hub that is welded, whose states lie idle
  std::vector<double> x0;
  Eigen::Index size() const { return 2 * speeds + static_cast<Eigen::Index>(others.size()); }
};

Deviations list_deviations(const System<double>& system, std::span<const double> x,
                           const Mode<double>& mode);

}  // namespace berth

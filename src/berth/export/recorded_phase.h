// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordedPhase — a smooth phase of a run as functions of (t, x, u): the mechanics of one structure, all
// numbers of the scenario worked in.
//
//   u    what stays as it is between two instants of the loop: outputs that are held, valves, forces
//        that come back late, the start of the smooth stretch; only those that a function reads
//
//   derivative, outputs      t | x | u               => ẋ; all channels
//   tangent                  t | x | u | δx | δu     => δẋ
//   normalise                x                       => coordinates, quaternions of unit length
//
// Exact docks and loops are brought back after every step as `project` does it (system/docks.h):
//
//   factor                   t | x | u               => kept values
//   violation                x | kept                => the largest of what is projected
//   pull_positions           x | kept                => coordinates, one Newton step
//   pull_rates               x | kept                => speeds

#include <span>
#include <stdexcept>
#include <vector>

#include "berth/run/core.h"
#include "berth/scalar/graph.h"

namespace berth {

// A phase that is no function of (t, x, u) without a branch; what() says why.
class CannotRecord : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RecordedPhase {
  int states = 0, coordinates = 0, speeds = 0, channels = 0;
  std::vector<int> inputs;       // u: their places among all there may be (list_input_numbers)
  std::vector<int> quaternions;  // their places in x, as far as they move

  Graph derivative, outputs, tangent, normalise;
  bool is_projected = false;
  int kept = 0;
  Graph factor, violation, pull_positions, pull_rates;

  // Decisions on the start of the smooth stretch, and how they came out.
  Graph guard;
  std::vector<double> truth;
  bool holds(double t_from) const;

  int input_count() const { return static_cast<int>(inputs.size()); }
};

// Everything that may be in u: numbers of the mode but t_from, what arrives of delayed contacts, t_from.
std::vector<double> list_input_numbers(const Mode<double>& mode,
                                       std::span<const ContactSignal<double>> arriving);

// Throws CannotRecord.
RecordedPhase record_phase(const Core& core, const Mode<double>& mode, double t,
                           std::span<const double> x);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// compare — one scenario, every formulation, side by side.
//
// Each way of holding the docks and loops (enforce; a loop cannot be fused and stays as written) or of integrating (integrator), or each pair of both, is run
// on the same scenario and compared at the same times. The reference is the tightest formulation
// there is: fused where it can be, else exact, with dop853 at a tolerance of 1e-13. Then
//
//   trajectory   largest distance of any hub from the reference [m], and angle [rad]
//   load         largest difference of any dock's force from the reference [N]
//   energy left  (T + V) at the end over all that was there or put in                          (1)
//   same state   largest difference of any acceleration from that of the exact formulation at the
//                same states, over the largest acceleration; of exact, reduced, baumgarte       (2)

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "berth/analysis/compare_steppers.h"
#include "berth/scenario/scenario.h"

namespace berth {

struct CompareOptions {
  std::vector<std::string> over{"enforce"};  // enforce, integrator
  int samples = 200;                         // of each run
  bool steppers = false;  // those too; where the file steps by variational methods, anyway
  std::function<bool()> interrupted;
  std::function<void(const std::string&)> progress;  // called with what is run next
};

struct Compared {
  std::string enforce, integrator;
  std::string refused;  // why it could not be run; empty when it was
  std::string outcome;
  double position = 0, attitude = 0;                             // [m], [rad] from the reference
  double violation_position = 0, violation_attitude = 0;         // [m], [rad]
  double load = 0, load_peak = 0;                                // [N] difference; largest
  double energy = 0, linear_momentum = 0, angular_momentum = 0;  // audits
  double energy_left = 0;                                        // (1)
  double same_state = NAN;                                       // (2)
  std::uint64_t steps = 0, rhs = 0;
  double seconds = 0;
};

struct Comparison {
  std::string title;
  std::string reference;
  std::vector<Compared> rows;
  std::optional<SteppersCompared> steppers;
  Problems problems;  // nothing was run when there are any
};

Comparison compare(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                   const CompareOptions& options);

std::string describe(const Comparison& comparison);
std::string to_json(const Comparison& comparison);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A scenario linearised on its way: berth linearise, berth modes.

#include <functional>
#include <optional>

#include "berth/record/array_file.h"
#include "berth/scenario/scenario.h"
#include "berth/system/linear_model.h"

namespace berth {

struct LinearOptions {
  double at = 0;             // [s]
  bool when_joined = false;  // instead: after the first dock that latches
  std::vector<std::string> inputs, outputs;
  std::function<bool()> interrupted = {};
};

// Runs the scenario to there. Nothing, with a problem, when it does not come so far, or there is no
// linear model there.
std::optional<LinearModel> find_linear_model(const Scenario& scenario, const BuiltScenario& built,
                                             const LinearOptions& options, Problems& problems);

// With inputs held over each period T [s]:
//   ξ_{k+1} = A_d ξ_k + B_d u_k,   [A_d B_d; 0 1] = exp([A B; 0 0] T)
LinearModel discretise(const LinearModel& model, double period);

// A, B, C, D, x0, u0, y0, t, names and units; the period where it is discrete.
std::vector<NamedArray> to_arrays(const LinearModel& model, std::optional<double> period);

}  // namespace berth

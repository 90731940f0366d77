// SPDX-License-Identifier: Apache-2.0
#pragma once

// [dispersion] of a scenario as a sweep takes it: each input as --vary would have it, and the groups that
// are drawn together.

#include <string>
#include <vector>

#include "berth/analysis/sweep_plan.h"
#include "berth/scenario/scenario.h"

namespace berth {

struct Dispersion {
  std::vector<std::string> vary;
  std::vector<Correlated> correlated;
};

// A normal distribution without a mean is about what the scenario says. A key that a covariance names and no
// input does is normal about that, too.
Dispersion read_dispersion(const Scenario& scenario, Problems& problems);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A linear model as those see it who use the library: rows of numbers, without Eigen.

#include "berth/simulation.h"
#include "berth/system/linear_model.h"

namespace berth {

Simulation::LinearModel to_public(const LinearModel& model);

}  // namespace berth

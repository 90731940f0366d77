// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plans of sweeps by what their keys say.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "berth/analysis/sweep.h"

namespace berth::test {

inline SweepPlan plan_of(const std::vector<std::string>& vary, std::uint64_t samples = 0,
                         std::uint64_t seed = 1) {
  Problems problems;
  SweepPlan plan = build_sweep_plan({.vary = vary, .samples = samples, .seed = seed}, problems);
  for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
  return plan;
}

}  // namespace berth::test

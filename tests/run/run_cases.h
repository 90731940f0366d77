// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of whole runs share.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "berth/run/run.h"

namespace berth::run_cases {

using V = Vec3<double>;

// All states but rotor angles, which are left out of step control, and ledgers.
inline double largest_difference(const System<double>& system, std::span<const double> a,
                                 std::span<const double> b) {
  double worst = 0;
  for (const Block& block : find_error_blocks(system))
    for (std::size_t i = block.first; i < block.first + block.size; ++i)
      worst = std::max(worst, std::fabs(a[i] - b[i]));
  return worst;
}

inline ExternalLoad<double> push(const V& force, std::vector<Window> schedule) {
  ExternalLoad<double> l;
  l.body = "servicer";
  l.force = force;
  l.schedule = std::move(schedule);
  return l;
}

struct StopsAt : Observer {
  double from;
  explicit StopsAt(double t) : from(t) {}
  bool step(HybridRun& driver) override { return driver.t() < from; }
};

}  // namespace berth::run_cases

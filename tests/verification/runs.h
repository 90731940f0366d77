// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every verification run needs: options by tolerance, and positions counted from O.

#include "berth/run/run.h"

namespace berth::test {

inline RunOptions with_tolerance(double tolerance) {
  RunOptions options;
  options.integrator.tolerance = tolerance;
  return options;
}

// States of the reference orbit: O from the Earth's centre, C from O.
struct OrbitState {
  Vec3<double> r_OE_N, v_OE_N, r_CO_N, v_CO_N;
};
inline OrbitState orbit_state(const HybridRun& run) {
  const double* o = run.x().data() + run.system().layout().orbit;
  return {{o[0], o[1], o[2]}, {o[3], o[4], o[5]}, {o[6], o[7], o[8]}, {o[9], o[10], o[11]}};
}

// The terms of the ledgers at the present state.
inline Balance<double> balance(HybridRun& run) {
  return find_balance(run.system(), run.x(), run.observe());
}

}  // namespace berth::test

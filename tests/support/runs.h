// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs inside a test: options by tolerance, positions counted from O, what is read off a run.

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/numbers.h"

namespace berth::test {

inline RunOptions with_tolerance(double tolerance, const std::string& method = "dop853") {
  RunOptions o;
  o.method = method;
  o.integrator.tolerance = tolerance;
  return o;
}
inline RunOptions tight(double tolerance = 1e-12) { return with_tolerance(tolerance); }

inline OrbitalGravity<double> earth_gravity(bool gravity_gradient, double j2 = 0) {
  OrbitalGravity<double> g;
  g.gravity_gradient = gravity_gradient;
  g.j2 = j2;
  return g;
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
  return find_balance<double>(run.system(), run.x(), run.observe());
}

// How the first body moves after t seconds.
inline BodyMotion<double> hub_after(const System<double>& system, double t) {
  HybridRun run(system, with_tolerance(1e-13));
  EXPECT_TRUE(run.advance(t).completed());
  return run.observe().motion.body(1);
}

// Of the first attitude controller, at the present state.
inline AttitudeControl<double>::Error attitude_error(HybridRun& run) {
  const auto& c = std::get<std::vector<AttitudeControl<double>>>(run.system().controls)[0];
  const Workspace<double>& w = run.observe();
  return c.find_error({run.system().model, w.motion, w.command});
}

}  // namespace berth::test

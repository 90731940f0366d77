// SPDX-License-Identifier: Apache-2.0

// Instants are located as accurately as states are, however long the steps.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/system/system.h"
#include "tests/run/contact_runs.h"

namespace berth::test::locate_test {
namespace {

// A ball of 1 kg on a spring: in contact for half a period, and gone as fast as it came. A step reaches
// far beyond its end; cut by its dense output, which is ten times less accurate, the speed would show it.
TEST(Locate, AContactOnASpringLastsHalfAPeriod) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    for (const double k : {1.0, 100.0, 1e4}) {
      HybridRun run(ball(0.5, 0.1, k, 0), with_tolerance(tolerance));
      run.advance(5 + 4 * M_PI / std::sqrt(k));
      const double on = time_of(run, "contact_on"), off = time_of(run, "contact_off");
      EXPECT_NEAR(on, 5, 1e-12);
      EXPECT_NEAR((off - on) * std::sqrt(k), M_PI, 0.5 * tolerance) << k;
      EXPECT_NEAR(x_of(run, run.system().layout().v), 0.1, 0.01 * tolerance) << k;
    }
  }
}

// The gap to a surface changes no faster than the bound says, wherever the motion goes within a time.
RC_GTEST_PROP(SpeedBound, HoldsForEverySurfaceAndProbe, ()) {
  Random random(*rc::gen::inRange(1u, 1u << 30));
  System<double> s;
  int bodies[2];
  for (int& b : bodies) {
    b = add_craft(s, &b == bodies ? "chaser" : "target", random.vector(1), random.vector(0.2));
    const Quaternion<double> q = random.quaternion();
    double* at = s.model.q0.data() + s.model.body(b).q + 3;
    at[0] = q.w, at[1] = q.x, at[2] = q.y, at[3] = q.z;
    for (int i = 3; i < 6; ++i)
      s.model.v0[static_cast<std::size_t>(s.model.body(b).v + i)] = random.number(-0.5, 0.5);
  }
  Contact<double> c = touching(bodies[0], random.vector(1), bodies[1], random.vector(1));
  if (random.number() > 0)
    c.surface = Cone<double>{random.number(0.2, 1.2), random.number(0.2, 2), 0};
  if (random.number() > 0) c.probe = SphereProbe<double>{random.number(0.01, 0.3)};
  s.add_contact(c);

  Workspace<double> w(s);
  const Mode<double> mode = idle_mode(w);
  std::vector<double> x = find_initial_state(s);
  const auto evaluate = [&] {
    motion_stage<double>(s, 0.0, x, mode, w);
    idle_contact_stage<double>(s, x, mode, w);
    return w.contacts[0].gap;
  };
  const double gap = evaluate();
  const double most = find_speed_bound(s.contacts[0], w.motion, w.contacts[0]);
  RC_ASSERT(std::fabs(w.contacts[0].gap_rate) <= most * (1 + 1e-12));
  // By differences: over a short time the speeds stay as they are.
  const double h = 1e-6;
  std::vector<double> x_dot(x.size());
  find_derivative<double>(s, 0.0, x, mode, w, x_dot);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * x_dot[i];
  RC_ASSERT(std::fabs(evaluate() - gap) <= h * most * (1 + 1e-5) + 1e-14);
}

}  // namespace
}  // namespace berth::test::locate_test

// SPDX-License-Identifier: Apache-2.0

// Moving the frame to the craft is bookkeeping: nothing counted from O may notice it.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/craft.h"
#include "tests/support/runs.h"
#include "tests/verification/quad.h"

namespace berth::recentring_test {
namespace {

using test::Quad;
using test::Quad3;

const Vec3<double> kOrbitPosition{6.878e6, 0, 0};
const Vec3<double> kOrbitVelocity{0, 6000, 4650};

RunOptions recentred_beyond(double distance) {
  RunOptions options = test::with_tolerance(1e-13);
  options.recentre_beyond = distance;
  return options;
}

// A burn that carries the craft away from O.
ExternalLoad<double> burn(const std::string& body, const Vec3<double>& force,
                          const std::string& axes) {
  ExternalLoad<double> load;
  load.body = body;
  load.force = force;
  load.axes = axes;
  load.schedule = {{100, 160}, {400, 430}};
  return load;
}

struct Seen {
  std::vector<Vec3<double>> r_BO_N, v_BO_N;
  std::vector<Mat3<double>> R_NB;
  Vec3<double> r_CO_N;
  Audit audit;
};

Seen watch(const System<double>& system, double beyond, double t) {
  HybridRun run(system, recentred_beyond(beyond));
  EXPECT_TRUE(run.advance(t).completed());
  const test::OrbitState o = test::orbit_state(run);
  Seen seen;
  seen.r_CO_N = o.r_CO_N;
  const Workspace<double>& w = run.observe();
  for (int i = 1; i < system.model.body_count(); ++i) {
    const BodyMotion<double>& b = w.motion.body(i);
    seen.r_BO_N.push_back(b.r_BN_N + o.r_CO_N);
    seen.v_BO_N.push_back(b.v_BN_N + o.v_CO_N);
    seen.R_NB.push_back(b.R_NB);
  }
  seen.audit = run.audit();
  return seen;
}

double largest(const Mat3<double>& m) {
  return std::max({norm(m.column_x()), norm(m.column_y()), norm(m.column_z())});
}

void expect_ledgers_close(const Audit& audit) {
  EXPECT_LT(audit.energy, 1e-12);
  EXPECT_LT(audit.linear_momentum, 1e-12);
  EXPECT_LT(audit.angular_momentum, 1e-12);
}

System<double> two_points() {
  System<double> system;
  for (const double side : {1.0, -1.0}) {
    BodySpec<double> craft;
    craft.name = side > 0 ? "pushed" : "passive";
    craft.mass = 500;
    craft.I_C_B = Sym3<double>::diagonal(100);
    craft.q = {0.3 * side, side, -0.2 * side, 1, 0, 0, 0};
    craft.v = {0, 0, 1e-3 * side, 0, 0, 0};
    system.model.add_body(craft);
  }
  system.add_force(burn("pushed", {3, -1, 2}, "inertial"));
  system.set_orbit({}, kOrbitPosition, kOrbitVelocity);
  return system;
}

TEST(Recentring, LeavesPositionsFromTheReferenceOrbitAlone) {
  const System<double> system = two_points();
  const Seen fixed = watch(system, 1e12, 1000), moving = watch(system, 1, 1000);
  EXPECT_EQ(norm(fixed.r_CO_N), 0.0);
  EXPECT_GT(norm(moving.r_CO_N), 50);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(norm(moving.r_BO_N[i] - fixed.r_BO_N[i]), 1e-10);
    EXPECT_LT(norm(moving.v_BO_N[i] - fixed.v_BO_N[i]), 1e-12);
  }
  expect_ledgers_close(fixed.audit);
  expect_ledgers_close(moving.audit);
}

TEST(Recentring, FramesAgreeWithTheAbsoluteMotionInQuadruplePrecision) {
  const System<double> system = two_points();
  const Quad mu = system.gravity().mu;
  // Both craft and O as three absolute two-body problems; thrust on the first.
  Quad3 thrust;
  const auto f = [&](Quad, const Quad* x, Quad* rate) {
    for (int k = 0; k < 18; k += 6) {
      const Quad3 r(x + k), v(x + k + 3);
      const Quad r2 = dot(r, r);
      const Quad3 g = (-mu / (r2 * test::root(r2))) * r;
      v.write(rate + k);
      (k == 0 ? g + thrust : g).write(rate + k + 3);
    }
  };
  std::vector<Quad> x(18);
  for (int k = 0; k < 3; ++k) {
    const double* q = k < 2 ? system.model.q0.data() + 7 * k : nullptr;
    const double* v = k < 2 ? system.model.v0.data() + 6 * k : nullptr;
    for (int i = 0; i < 3; ++i) {
      x[std::size_t(6 * k + i)] = Quad(kOrbitPosition[i]) + Quad(q ? q[i] : 0.0);
      x[std::size_t(6 * k + i + 3)] = Quad(kOrbitVelocity[i]) + Quad(v ? v[i] : 0.0);
    }
  }
  const double times[] = {0, 100, 160, 400, 430, 1000};
  for (int i = 0; i < 5; ++i) {
    thrust = i % 2 ? (1 / Quad(500)) * Quad3(3, -1, 2) : Quad3();
    const test::QuadSolution s = test::solve_in_quad(f, x, times[i], times[i + 1], 4);
    ASSERT_LT(s.error, 1e-18);
    x = s.x;
  }
  for (const double beyond : {1.0, 10.0, 1e12}) {
    const Seen seen = watch(system, beyond, 1000);
    for (std::size_t i = 0; i < 2; ++i) {
      const Quad3 r = Quad3(x.data() + 6 * i) - Quad3(x.data() + 12);
      const Quad3 v = Quad3(x.data() + 6 * i + 3) - Quad3(x.data() + 15);
      EXPECT_LT(test::distance(seen.r_BO_N[i], r), 1e-10);
      EXPECT_LT(test::distance(seen.v_BO_N[i], v), 1e-12);
    }
    EXPECT_LT(
        test::distance(seen.r_BO_N[1] - seen.r_BO_N[0], Quad3(x.data() + 6) - Quad3(x.data())),
        1e-10);
  }
}

TEST(Recentring, CarriesAWholeCraftWithItsMovingParts) {
  System<double> system = test::complete_craft<double>(false);
  system.add_force(burn("servicer", {10, 2, -4}, "body"));
  system.add_force(burn("servicer", {0, 5, 0}, "orbit"));
  system.set_orbit(test::earth_gravity(true, 1.0826355254e-3), kOrbitPosition, kOrbitVelocity);
  const double t = 450;
  const Seen fixed = watch(system, 1e12, t), moving = watch(system, 1, t);
  EXPECT_GT(norm(moving.r_CO_N), 50);
  for (std::size_t i = 0; i < fixed.r_BO_N.size(); ++i) {
    EXPECT_LT(norm(moving.r_BO_N[i] - fixed.r_BO_N[i]), 1e-10);
    // Wheels have turned by 45 000 rad, whose error is not that of the craft.
    if (system.model.body(static_cast<int>(i) + 1).spins) continue;
    EXPECT_LT(norm(moving.v_BO_N[i] - fixed.v_BO_N[i]), 2e-12);
    EXPECT_LT(largest(moving.R_NB[i] - fixed.R_NB[i]), 1e-11);
  }
  expect_ledgers_close(fixed.audit);
  expect_ledgers_close(moving.audit);
}

}  // namespace
}  // namespace berth::recentring_test

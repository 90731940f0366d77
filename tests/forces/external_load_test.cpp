// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/external_load.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"

namespace berth::external_load_test {
namespace {

using V = Vec3<double>;

ExternalLoad<double> push(const V& force, const std::string& axes = "body") {
  ExternalLoad<double> l;
  l.body = "hub";
  l.force = force;
  l.axes = axes;
  return l;
}

V velocity(const HybridRun& run) {
  const auto v = static_cast<std::size_t>(run.system().layout().v);
  return {run.x()[v], run.x()[v + 1], run.x()[v + 2]};
}

// A free hub of 50 kg with a given load, run at the default tolerance.
V speed_after(const ExternalLoad<double>& load, double t) {
  System<double> system;
  system.model.add_body(test::hub_spec<double>("hub", 50));
  system.add_force(load);
  HybridRun run(system, {});
  EXPECT_TRUE(run.advance(t).completed());
  return velocity(run);
}

TEST(ExternalLoad, InBodyAxesItTurnsWithTheBody) {
  test::Random random(1);
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 50);
  const Quaternion<double> q = random.quaternion();
  hub.q = {0, 0, 0, q.w, q.x, q.y, q.z};
  const int body = system.model.add_body(hub);
  ExternalLoad<double> load = push({1, 2, 3});
  load.torque = {4, 5, 6};
  load.point = {0.1, -0.2, 0.3};
  system.add_force(load);
  HybridRun run(system, {});
  const Wrench<double>& w = run.observe().external.body(body);
  const Mat3<double> R = rotation_matrix(q);
  EXPECT_LT(norm(w.force - R * load.force), 1e-15);
  EXPECT_LT(norm(w.torque - R * (load.torque + cross(load.point, load.force))), 1e-14);
}

TEST(ExternalLoad, InInertialAxesOnlyItsPointTurnsWithTheBody) {
  test::Random random(2);
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 50);
  const Quaternion<double> q = random.quaternion();
  hub.q = {0, 0, 0, q.w, q.x, q.y, q.z};
  const int body = system.model.add_body(hub);
  ExternalLoad<double> load = push({1, 2, 3}, "inertial");
  load.torque = {4, 5, 6};
  load.point = {0.1, -0.2, 0.3};
  system.add_force(load);
  HybridRun run(system, {});
  const Wrench<double>& w = run.observe().external.body(body);
  EXPECT_EQ(w.force, (V{1, 2, 3}));
  EXPECT_LT(norm(w.torque - (V{4, 5, 6} + cross(rotation_matrix(q) * load.point, V{1, 2, 3}))),
            1e-14);
}

TEST(ExternalLoad, InOrbitAxesItFollowsRadialAlongTrackAndNormal) {
  System<double> system;
  const int body = system.model.add_body(test::hub_spec<double>("hub", 50));
  ExternalLoad<double> load = push({3, 4, 5}, "orbit");
  load.torque = {0.1, 0.2, 0.3};
  system.add_force(load);
  OrbitalGravity<double> gravity;
  gravity.gravity_gradient = false;
  // Along −y, flying towards +z: radial −y, along-track z, normal r × v = −x.
  const double r = 7e6, v = std::sqrt(gravity.mu / r);
  system.set_orbit(gravity, {0, -r, 0}, {0, 0, v});
  HybridRun run(system, {});
  {
    const Wrench<double>& w = run.observe().external.body(body);
    EXPECT_LT(norm(w.force - V{-5, -3, 4}), 1e-12);
    EXPECT_LT(norm(w.torque - V{-0.3, -0.1, 0.2}), 1e-14);
  }
  // A quarter of an orbit later: radial z, along-track y, normal −x.
  const double quarter = 0.5 * M_PI / std::sqrt(gravity.mu / (r * r * r));
  ASSERT_TRUE(run.advance(quarter).completed());
  const Wrench<double>& w = run.observe().external.body(body);
  EXPECT_LT(norm(w.torque - V{-0.3, 0.2, 0.1}), 1e-9);
}

TEST(ExternalLoad, AWindowIsOpenAtItsStartAndClosedAtItsEnd) {
  ExternalLoad<double> load = push({1, 0, 0});
  EXPECT_TRUE(load.is_on(-1e9) && load.is_on(0) && load.is_on(1e9));
  load.schedule = {{1, 2}, {4, 5}};
  for (double t : {1.0, 1.5, std::nextafter(2.0, 0.0), 4.0}) EXPECT_TRUE(load.is_on(t)) << t;
  for (double t : {0.0, std::nextafter(1.0, 0.0), 2.0, 3.0, 5.0}) EXPECT_FALSE(load.is_on(t)) << t;
  std::vector<double> times;
  load.add_times(times);
  EXPECT_EQ(times, (std::vector<double>{1, 2, 4, 5}));
}

// Nothing else moves the body: the integrator would take one huge step.
TEST(ExternalLoad, AShortWindowInALongQuietRunIsHitExactly) {
  for (double width : {1.0, 1e-3, 1e-6}) {
    for (double start : {0.0, 1e-3, 10.0, 777.7, 5000.0}) {
      ExternalLoad<double> load = push({10, -20, 30}, "inertial");
      load.schedule = {{start, start + width}};
      const double open = (start + width) - start;  // as the numbers have it
      const V v = speed_after(load, 1e4);
      EXPECT_LT(norm(v - (open / 50) * V{10, -20, 30}), 1e-12 * open) << start << " " << width;
    }
  }
}

TEST(ExternalLoad, ManyWindowsAddUp) {
  ExternalLoad<double> load = push({50, 0, 0}, "inertial");
  double open = 0;
  for (int i = 0; i < 40; ++i) {
    const double on = 3.0 * i + 0.1 * (i % 7), off = on + 0.01 * (1 + i % 5);
    load.schedule.push_back({on, off});
    open += off - on;
  }
  EXPECT_NEAR(speed_after(load, 200).x, open, 1e-12 * open);
}

TEST(ExternalLoad, WindowsThatTouchOrOverlapPushOnce) {
  ExternalLoad<double> load = push({50, 0, 0}, "inertial");
  load.schedule = {{1, 2}, {2, 3}, {2.5, 4}};
  EXPECT_NEAR(speed_after(load, 10).x, 3, 1e-12);
}

TEST(ExternalLoad, AWindowBeyondTheEndCountsAsFarAsItGoes) {
  ExternalLoad<double> load = push({50, 0, 0}, "inertial");
  load.schedule = {{-5, 1}, {9, 20}, {30, 40}};
  EXPECT_NEAR(speed_after(load, 10).x, 2, 1e-12);
}

TEST(ExternalLoad, AWindowIsHitInTheMiddleOfABusyRunToo) {
  System<double> with = test::complete_craft<double>(true);
  ExternalLoad<double> load = push({0.5, 0.1, -0.3}, "inertial");
  load.body = "servicer";
  load.schedule = {{0.3, 0.301}, {1.7, 1.9}};
  with.add_force(load);
  RunOptions options;
  options.integrator.tolerance = 1e-11;
  HybridRun run(with, options);
  const Momentum<double> before = find_momentum(with.model, run.observe().motion);
  ASSERT_TRUE(run.advance(3).completed());
  const Momentum<double> after = find_momentum(with.model, run.observe().motion);
  EXPECT_LT(norm(after.linear - before.linear - ((0.301 - 0.3) + (1.9 - 1.7)) * load.force), 1e-10);
  EXPECT_LT(run.audit().linear_momentum, 1e-11);
}

TEST(ExternalLoad, InBodyAxesOnASpinningBodyItDrawsACircle) {
  const double spin = 0.7, a = 10.0 / 50;
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 50);
  hub.v = {0, 0, 0, 0, 0, spin};
  system.model.add_body(hub);
  system.add_force(push({10, 0, 0}));
  RunOptions options;
  options.integrator.tolerance = 1e-12;
  HybridRun run(system, options);
  ASSERT_TRUE(run.advance(8).completed());
  EXPECT_NEAR(velocity(run).x, a / spin * std::sin(spin * 8), 1e-10);
  EXPECT_NEAR(velocity(run).y, a / spin * (1 - std::cos(spin * 8)), 1e-10);
}

TEST(ExternalLoad, WhatCannotBeMeantIsRefused) {
  System<double> system;
  system.model.add_body(test::hub_spec<double>("hub"));
  const auto refusal = [&](const ExternalLoad<double>& load) -> std::string {
    try {
      system.add_force(load);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  ExternalLoad<double> load = push({1, 0, 0});
  EXPECT_EQ(refusal(load), "");
  load.body = "hb";
  EXPECT_EQ(refusal(load), "external_load: no body named hb; did you mean hub?");
  load.body = "hub";
  load.schedule = {{2, 1}};
  EXPECT_EQ(refusal(load), "external_load: [2, 1] ends before it begins");
  EXPECT_THROW(load.axes = "wind", std::invalid_argument);
}

}  // namespace
}  // namespace berth::external_load_test

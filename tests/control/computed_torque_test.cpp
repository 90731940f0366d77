// SPDX-License-Identifier: Apache-2.0
#include "berth/control/computed_torque.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::computed_torque_test {
namespace {

using test::tight;
using V = Vec3<double>;

constexpr double kStart[3] = {0.2, -0.5, 0.9};
constexpr double kGoal[3] = {1.1, 0.7, -0.4};

RobotArm<double> three_links(double friction = 0, double max_torque = 0) {
  RobotArm<double> arm;
  for (int i = 0; i < 3; ++i) {
    ArmLink<double> l;
    l.position = i == 0 ? V{0.5, 0.1, 0.3} : V{0.9, 0, 0};
    l.axis = i == 1 ? V{0, 1, 0} : V{0, 0, 1};
    l.mass = 6 - i;
    l.centre_of_mass = {0.45, 0.02, 0};
    l.inertia = Sym3<double>::diagonal(0.05, 0.5, 0.5);
    l.friction = friction;
    l.max_torque = max_torque;
    l.angle = kStart[i];
    arm.link.push_back(l);
  }
  return arm;
}

// A free-floating craft with an arm, a loose panel and a slosh mass that nobody controls.
System<double> craft(const RobotArm<double>& arm) {
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub", 80, {20, 25, 30, 1, 0, -1}));
  system.add_component(arm, hub, "arm");
  HingedPanel<double> p = test::panel<double>();
  p.mass = 10;
  p.inertia = Sym3<double>::diagonal(1.5, 3, 1.5);
  p.stiffness = 20;
  p.damping = 1;
  system.add_component(p, hub, "panel");
  SloshMass<double> s = test::slosh<double>(0);
  s.mass = 5;
  s.stiffness = 50;
  s.damping = 1;
  system.add_component(s, hub, "slosh");
  return system;
}

ComputedTorque<double> reach() {
  ComputedTorque<double> c;
  c.frequency = 2;
  for (int i = 0; i < 3; ++i) {
    c.joints.push_back("arm.link" + std::to_string(i + 1));
    Profile<double> p;
    p.type = "quintic";
    p.from = kStart[i];
    p.to = kGoal[i];
    p.start = 1;
    p.duration = 6 - i;
    c.reference.push_back(p);
  }
  return c;
}

struct Tracking : Observer {
  double worst = 0, largest_effort = 0;
  bool step(HybridRun& run) override {
    const auto& c = std::get<std::vector<ComputedTorque<double>>>(run.system().controls)[0];
    const Workspace<double>& w = run.observe();
    for (std::size_t i = 0; i < c.driven.at.size(); ++i) {
      const auto q = static_cast<std::size_t>(c.driven.at[i].q);
      const double want = c.reference[i].at(run.t(), run.mode().t_from).value;
      worst = std::max(worst, std::fabs(run.x()[q] - want));
      largest_effort = std::max(
          largest_effort, std::fabs(w.internal.tau[static_cast<std::size_t>(c.driven.at[i].v)]));
    }
    return true;
  }
};

TEST(ComputedTorque, AFloatingArmFollowsItsReferencesAndKeepsTheMomentum) {
  System<double> system = craft(three_links());
  system.add_control(reach());
  HybridRun run(system, tight());
  const Momentum<double> before = find_momentum(system.model, run.observe().motion);
  Tracking tracking;
  ASSERT_TRUE(run.advance(10, &tracking).completed());
  EXPECT_LT(tracking.worst, 1e-8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.x()[7 + i], kGoal[i], 1e-9);
  const Momentum<double> after = find_momentum(system.model, run.observe().motion);
  EXPECT_LT(norm(after.linear - before.linear), 1e-10);
  EXPECT_LT(norm(after.angular - before.angular), 1e-10);
  EXPECT_LT(run.audit().energy, 1e-10);
}

// e(t) = e₀ (1 + ωt) e^(−ωt) at every joint, whatever the craft does meanwhile.
TEST(ComputedTorque, AnErrorDiesOutAsPrescribedWhateverElseMoves) {
  System<double> system = craft(three_links(0.7));
  ComputedTorque<double> c = reach();
  for (std::size_t i = 0; i < 3; ++i) {
    c.reference[i].type = "constant";
    c.reference[i].value = kGoal[i];
  }
  system.add_control(c);
  ExternalLoad<double> push;
  push.body = "arm.link2";
  push.force = {1, -2, 3};
  system.add_force(push);
  HybridRun run(system, tight());
  for (double t : {0.5, 1.5, 4.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(run.x()[7 + i] - kGoal[i],
                  (kStart[i] - kGoal[i]) * (1 + 2 * t) * std::exp(-2 * t), 1e-9);
  }
}

TEST(ComputedTorque, AnUnderdampedErrorSwingsAsPrescribed) {
  System<double> system = craft(three_links());
  ComputedTorque<double> c = reach();
  c.damping_ratio = 0.3;
  for (std::size_t i = 0; i < 3; ++i) {
    c.reference[i].type = "constant";
    c.reference[i].value = kGoal[i];
  }
  system.add_control(c);
  HybridRun run(system, tight());
  const double decay = 0.6, omega = 2 * std::sqrt(1 - 0.09);
  for (double t : {0.7, 2.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(
          (run.x()[7 + i] - kGoal[i]) / (kStart[i] - kGoal[i]),
          std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t)), 1e-9);
  }
}

TEST(ComputedTorque, SomeJointsDrivenTheOthersMoveAsTheyWill) {
  System<double> system = craft(three_links());
  ComputedTorque<double> c = reach();
  c.joints = {"arm.link3", "arm.link1"};
  c.reference = {c.reference[2], c.reference[0]};
  system.add_control(c);
  HybridRun run(system, tight());
  Tracking tracking;
  ASSERT_TRUE(run.advance(10, &tracking).completed());
  EXPECT_LT(tracking.worst, 1e-8);
  EXPECT_GT(std::fabs(run.x()[8] - kStart[1]), 1e-3);
}

TEST(ComputedTorque, TwoControllersShareAnArm) {
  System<double> system = craft(three_links());
  ComputedTorque<double> a = reach(), b = reach();
  a.joints = {"arm.link1"};
  a.reference = {a.reference[0]};
  b.joints = {"arm.link2", "arm.link3"};
  b.reference = {b.reference[1], b.reference[2]};
  system.add_control(a);
  system.add_control(b);
  HybridRun run(system, tight());
  Tracking tracking;
  ASSERT_TRUE(run.advance(10, &tracking).completed());
  EXPECT_LT(tracking.worst, 1e-8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.x()[7 + i], kGoal[i], 1e-8);
}

TEST(ComputedTorque, TheMotorsLimitsAreKept) {
  System<double> system = craft(three_links(0, 0.4));
  system.add_control(reach());
  RunOptions options;
  options.integrator.tolerance = 1e-7;
  HybridRun run(system, options);
  Tracking tracking;
  ASSERT_TRUE(run.advance(10, &tracking).completed());
  EXPECT_LE(tracking.largest_effort, 0.4);
  EXPECT_GT(tracking.worst, 1e-3);  // the limit is felt
  EXPECT_LT(run.audit().energy, 1e-5);
}

TEST(ComputedTorque, PrescribedEffortsAreWhatTheMotorsGive) {
  System<double> system = craft(three_links(0.7));
  system.add_control(reach());
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(3).completed());
  const Workspace<double>& w = run.observe();
  const auto& c = std::get<std::vector<ComputedTorque<double>>>(system.controls)[0];
  // Accelerations that come out are the wanted ones.
  for (std::size_t i = 0; i < 3; ++i) {
    const auto want = c.reference[i].at(run.t(), run.mode().t_from);
    const auto q = static_cast<std::size_t>(c.driven.at[i].q);
    const auto v = static_cast<std::size_t>(c.driven.at[i].v);
    const double wanted = want.acceleration +
                          4 * (want.rate - run.x()[static_cast<std::size_t>(w.layout.v) + v]) +
                          4 * (want.value - run.x()[q]);
    EXPECT_NEAR(w.v_dot[v], wanted, 1e-10);
  }
}

// Sampled, the efforts are held over a period; ever faster they become the continuous ones.
TEST(ComputedTorque, SampledFastItIsTheContinuousLoop) {
  System<double> continuous = craft(three_links());
  continuous.add_control(reach());
  HybridRun wanted(continuous, {});
  ASSERT_TRUE(wanted.advance(4).completed());
  double off = 0;
  for (double T : {0.02, 0.01}) {
    System<double> system = craft(three_links());
    ComputedTorque<double> c = reach();
    c.sample_time = T;
    system.add_control(c);
    HybridRun run(system, {});
    ASSERT_TRUE(run.advance(4).completed());
    off = 0;
    for (std::size_t i = 0; i < 3; ++i)
      off = std::max(off, std::fabs(run.x()[7 + i] - wanted.x()[7 + i]));
  }
  EXPECT_LT(off, 0.01);
}

TEST(ComputedTorque, SampledItReportsTheEffortNotItsChange) {
  System<double> system = craft(three_links());
  ComputedTorque<double> c = reach();
  c.sample_time = 0.1;
  system.add_control(c);
  System<double> same = craft(three_links());
  same.add_control(reach());
  Workspace<double> sampled(system), continuous(same);
  const std::vector<double> x = find_initial_state(system);
  // Some efforts are held from the period before; the law uses the state alone.
  Mode<double> mode;
  mode.t_from = 2;
  mode.held = {1.0, -2.0, 3.0};
  motion_stage<double>(system, 2.0, x, mode, sampled);
  find_outputs<double>(system, x, mode, sampled);
  motion_stage<double>(same, 2.0, x, mode, continuous);
  command_stage<double>(same, x, mode, continuous);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(sampled.outputs[i], continuous.outputs[i], 1e-10) << "joint " << i + 1;
}

TEST(ComputedTorque, WhatCannotBeMeantIsRefused) {
  System<double> system = craft(three_links());
  const auto refusal = [&](const ComputedTorque<double>& c) -> std::string {
    try {
      system.add_control(c);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  ComputedTorque<double> c = reach();
  c.joints = {};
  EXPECT_EQ(refusal(c),
            "computed_torque: needs at least one joint; needs one reference per joint: 0, not 3");
  c = reach();
  c.reference.pop_back();
  EXPECT_EQ(refusal(c), "computed_torque: needs one reference per joint: 3, not 2");
  c = reach();
  c.joints[1] = "arm.link9";
  EXPECT_EQ(refusal(c), "computed_torque: no body named arm.link9; did you mean arm.link1?");
  c.joints[1] = "hub";
  EXPECT_EQ(refusal(c), "computed_torque: hub is not a revolute or prismatic joint");
}

}  // namespace
}  // namespace berth::computed_torque_test

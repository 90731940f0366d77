// SPDX-License-Identifier: Apache-2.0
#include "berth/control/joint_pd.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::joint_pd_test {
namespace {

using test::tight;

constexpr double kInertia = 3;  // of the link about its joint

// One link on the ground.
System<double> one_link(double angle = 0, double max_torque = 0) {
  ArmLink<double> l;
  l.axis = {0, 0, 1};
  l.mass = 1;
  l.inertia = Sym3<double>::diagonal(1, 3, kInertia);
  l.angle = angle;
  l.max_torque = max_torque;
  RobotArm<double> arm;
  arm.link = {l};
  System<double> system;
  system.add_component(arm, kGround, "arm");
  return system;
}
JointPd<double> hold(double k, double c, double at) {
  JointPd<double> p;
  p.joints = {"arm.link1"};
  p.stiffness = k;
  p.damping = c;
  Profile<double> r;
  r.value = at;
  p.reference = {r};
  return p;
}

TEST(JointPd, EffortIsGainTimesErrorPlusGainTimesRateError) {
  System<double> system = one_link(0.3);
  JointPd<double> p = hold(20, 5, 0);
  p.reference[0].type = "table";
  p.reference[0].times = {0, 10};
  p.reference[0].values = {1, 3};
  system.add_control(p);
  HybridRun driver(system, {});
  std::vector<double> x(driver.x().begin(), driver.x().end());
  x[1] = -0.4;
  const Workspace<double>& w = driver.observe(2.0, x);
  EXPECT_DOUBLE_EQ(w.outputs[0], 20 * (1.4 - 0.3) + 5 * (0.2 + 0.4));
  EXPECT_DOUBLE_EQ(w.command.joint[0], w.outputs[0]);
  EXPECT_DOUBLE_EQ(w.internal.tau[0], w.outputs[0]);
}

TEST(JointPd, StepResponseIsThatOfTheSpringAndDamper) {
  const double k = 12, c = 4, decay = c / (2 * kInertia);
  const double omega = std::sqrt(k / kInertia - decay * decay);
  System<double> system = one_link(0);
  JointPd<double> p = hold(k, c, 0);
  p.reference[0].type = "step";
  p.reference[0].to = 0.8;
  p.reference[0].start = 1.234;
  system.add_control(p);
  HybridRun driver(system, tight());
  ASSERT_TRUE(driver.advance(1.234).completed());
  EXPECT_EQ(driver.x()[0], 0);
  for (double t : {1.5, 3.0, 10.0}) {
    ASSERT_TRUE(driver.advance(t).completed());
    const double s = t - 1.234;
    const double wanted =
        0.8 *
        (1 - std::exp(-decay * s) * (std::cos(omega * s) + decay / omega * std::sin(omega * s)));
    EXPECT_NEAR(driver.x()[0], wanted, 1e-11);
  }
}

TEST(JointPd, TheMotorsLimitAppliesToTheEffort) {
  System<double> system = one_link(0, 1.5);
  system.add_control(hold(1e6, 0, 1));
  HybridRun driver(system, {});
  const Workspace<double>& w = driver.observe();
  EXPECT_EQ(w.command.joint[0], 1e6);
  EXPECT_EQ(w.internal.tau[0], 1.5);
}

// A panel has no motor that could limit it; it obeys, and the work is counted.
TEST(JointPd, AJointWithoutAMotorObeysExactly) {
  HingedPanel<double> panel = test::panel<double>();
  panel.stiffness = panel.damping = panel.rate = 0;
  System<double> system;
  system.add_component(panel, kGround, "panel");
  const double I = 300 + 100, k = 100, omega = std::sqrt(k / I);
  JointPd<double> p = hold(k, 0, 0.3);
  p.joints = {"panel"};
  system.add_control(p);
  HybridRun driver(system, tight());
  ASSERT_TRUE(driver.advance(10).completed());
  EXPECT_NEAR(driver.x()[0], 0.3 * (1 - std::cos(omega * 10)), 1e-10);
  EXPECT_LT(driver.audit().energy, 1e-11);
}

TEST(JointPd, SeveralControllersOnOneJointAdd) {
  System<double> system = one_link(0);
  system.add_control(hold(10, 0, 1));
  system.add_control(hold(3, 0, -1));
  HybridRun driver(system, {});
  EXPECT_DOUBLE_EQ(driver.observe().command.joint[0], 7);
}

// Held over a period the effort makes a parabola: the sampled loop has an exact map.
struct SampledLoop {
  double k, c, at, T, latency;
  double angle = 0.5, rate = 0;

  double effort() const { return k * (at - angle) - c * rate; }
  void glide(double u, double h) {
    angle += rate * h + 0.5 * u / kInertia * h * h;
    rate += u / kInertia * h;
  }
  // Latency below one period: the old command first, then the new one.
  void run(int periods) {
    double held = 0;
    for (int i = 0; i < periods; ++i) {
      const double fresh = effort();
      glide(held, latency);
      glide(fresh, T - latency);
      held = fresh;
    }
  }
};

TEST(JointPd, SampledItIsTheExactDiscreteLoop) {
  for (double latency : {0.0, 0.03, 0.07}) {
    SampledLoop loop{8, 3, 1.2, 0.1, latency};
    System<double> system = one_link(0.5);
    JointPd<double> p = hold(8, 3, 1.2);
    p.sample_time = 0.1;
    p.latency = latency;
    system.add_control(p);
    HybridRun driver(system, tight());
    ASSERT_TRUE(driver.advance(40 * 0.1).completed());
    loop.run(40);
    EXPECT_NEAR(driver.x()[0], loop.angle, 1e-11) << latency;
    EXPECT_NEAR(driver.x()[1], loop.rate, 1e-11) << latency;
  }
}

// Latency of several periods: commands are on the way one after the other.
TEST(JointPd, CommandsOnTheWayKeepTheirOrder) {
  const double T = 0.1, k = 2, c = 1, at = 1;
  const int behind = 3;
  System<double> system = one_link(0.5);
  JointPd<double> p = hold(k, c, at);
  p.sample_time = T;
  p.latency = 0.3;
  system.add_control(p);
  HybridRun driver(system, tight());
  ASSERT_TRUE(driver.advance(30 * T).completed());
  SampledLoop loop{k, c, at, T, 0};
  std::vector<double> commands(static_cast<std::size_t>(behind), 0.0);
  for (int i = 0; i < 30; ++i) {
    commands.push_back(loop.effort());
    loop.glide(commands[static_cast<std::size_t>(i)], T);
  }
  EXPECT_NEAR(driver.x()[0], loop.angle, 1e-10);
  EXPECT_NEAR(driver.x()[1], loop.rate, 1e-10);
}

struct OutputWatch : Observer {
  std::vector<std::pair<double, double>> changes;  // when, to what
  double last = 0;
  void see(const HybridRun& driver) {
    const double held = driver.mode().held[0];
    if (held != last) changes.emplace_back(driver.t(), held);
    last = held;
  }
  bool step(HybridRun& driver) override {
    see(driver);
    return true;
  }
};

TEST(JointPd, SampledItsOutputChangesOnlyAtActuation) {
  System<double> system = one_link(0.5);
  JointPd<double> p = hold(8, 3, 1.2);
  p.sample_time = 0.25;
  p.latency = 0.1;
  system.add_control(p);
  RunOptions options;
  options.integrator.max_step = 0.01;
  HybridRun driver(system, options);
  OutputWatch watch;
  ASSERT_TRUE(driver.advance(2, &watch).completed());
  // The observer sees a step before the event queue acts at its end: a change shows one step later.
  ASSERT_EQ(watch.changes.size(), 8u);
  for (std::size_t i = 0; i < watch.changes.size(); ++i) {
    const double due = 0.25 * static_cast<double>(i) + 0.1;
    EXPECT_GT(watch.changes[i].first, due);
    EXPECT_LT(watch.changes[i].first, due + 0.0101);
  }
}

TEST(JointPd, SampledFastItIsTheContinuousLoop) {
  System<double> system = one_link(0.5);
  system.add_control(hold(8, 3, 1.2));
  HybridRun continuous(system, tight());
  ASSERT_TRUE(continuous.advance(3).completed());
  double before = 0;
  for (double T : {0.02, 0.01, 0.005}) {
    System<double> sampled = one_link(0.5);
    JointPd<double> p = hold(8, 3, 1.2);
    p.sample_time = T;
    sampled.add_control(p);
    HybridRun driver(sampled, {});
    ASSERT_TRUE(driver.advance(3).completed());
    const double off = std::fabs(driver.x()[0] - continuous.x()[0]);
    if (before > 0) {
      EXPECT_NEAR(off, before / 2, 0.1 * before);  // first order in the period
    }
    before = off;
  }
  EXPECT_LT(before, 2e-3);
}

TEST(JointPd, WhatCannotBeMeantIsRefused) {
  System<double> system = one_link();
  system.model.add_body(test::hub_spec<double>("hub"));
  const auto refusal = [&](const JointPd<double>& p) -> std::string {
    try {
      system.add_control(p);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  JointPd<double> p = hold(1, 1, 0);
  p.joints = {};
  EXPECT_EQ(refusal(p),
            "joint_pd: needs at least one joint; needs one reference per joint: 0, not 1");
  p = hold(1, 1, 0);
  p.reference.push_back({});
  EXPECT_EQ(refusal(p), "joint_pd: needs one reference per joint: 1, not 2");
  p = hold(1, 1, 0);
  p.joints = {"elbow"};
  EXPECT_EQ(refusal(p), "joint_pd: no body named elbow; there is link1");
  p.joints = {"hub"};
  EXPECT_EQ(refusal(p), "joint_pd: hub is not a revolute or prismatic joint");
  p = hold(1, 1, 0);
  EXPECT_THROW(p.reference[0].type = "ramp", std::invalid_argument);
  EXPECT_EQ(refusal(hold(1, 1, 0)), "");
}

TEST(JointPd, LatencyWithoutASampleTimeIsRefused) {
  System<double> system = one_link();
  JointPd<double> p = hold(1, 1, 0);
  p.latency = 0.1;
  EXPECT_THROW(system.add_control(p), std::invalid_argument);
}

}  // namespace
}  // namespace berth::joint_pd_test

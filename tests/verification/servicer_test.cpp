// SPDX-License-Identifier: Apache-2.0

// The dual-arm servicer after the grasp, against numbers of two other programs.

#include <array>
#include <numbers>

#include "tests/support/reference.h"
#include "tests/support/shipped.h"

namespace berth::servicer_test {
namespace {

using Settings = std::vector<std::string>;
using test::find_problems;
using test::number;
using test::run_shipped;

const Settings kTight{"integrator.tolerance=1e-12"};

const test::Reference ref("closed_chain");

// Zero, or the gap that is asked for, where the chain is at rest: no number of the file.
double stated(const std::string& run, int t, const char* name) {
  if (run == "despin" && t == 270 &&
      (name == std::string("omega") || name == std::string("torque")))
    return 0;
  if (run == "despin" && t == 600 && name[0] != 'q') return name == std::string("gap") ? 0.75 : 0;
  return ref(fmt::format("{}.{}.{}", run, t, name));
}

// Sample by sample at these times.
void expect_rows(const Summary& s, const std::string& run, const std::vector<int>& times,
                 int axis) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    SCOPED_TRACE(times[i]);
    const auto wanted = [&](const char* name) { return stated(run, times[i], name); };
    EXPECT_NEAR(number(s, i, "servicer.omega_BN_B", axis), wanted("omega"),
                1e-12 + 1e-10 * wanted("omega"));
    EXPECT_NEAR(number(s, i, "gap.gap"), wanted("gap"), 1e-10);
    EXPECT_NEAR(number(s, i, "servicer.left.link1.angle"), wanted("q1"), 1e-10);
    EXPECT_NEAR(number(s, i, "servicer.left.link2.angle"), wanted("q2"), 1e-10);
    EXPECT_NEAR(number(s, i, "servicer.left.link3.angle"), wanted("q3"), 1e-10);
    EXPECT_NEAR(number(s, i, "base.torque", axis), wanted("torque"), 6e-10);
    EXPECT_NEAR(number(s, i, "right.torque_A", 2), wanted("Mz"), 6e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 0), wanted("Fx"), 6e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 1), wanted("Fy"), 6e-9);
  }
}

TEST(Servicer, DespinsAndDrawsNear) {
  for (const char* enforce : {"reduced", "exact"}) {
    SCOPED_TRACE(enforce);
    Settings settings = kTight;
    settings.push_back(fmt::format("loop.right.enforce={}", enforce));
    const Summary s = run_shipped("servicer_despin", {1, 30, 90, 270, 600}, settings);
    expect_rows(s, "despin", {1, 30, 90, 270, 600}, 2);
    EXPECT_LT(s.audit.energy, 1e-10);
    EXPECT_LT(s.audit.angular_momentum, 1e-10);
    EXPECT_LT(s.constraint_position, 1e-13);
    // All the momentum there was is in the torque that took it.
    EXPECT_NEAR(number(s, 4, "system.angular_impulse", 2), ref("despin.impulse"), 1e-9);
  }
}

TEST(Servicer, StopsASpinAboutTheApproachAxis) {
  const Summary s = run_shipped("servicer_despin_axial", {1, 90, 120, 600}, kTight);
  expect_rows(s, "axial", {1, 90, 120}, 0);
  EXPECT_NEAR(number(s, 3, "system.angular_impulse", 0), ref("axial.impulse"), 1e-9);
  EXPECT_NEAR(number(s, 3, "system.energy_in"), ref("axial.energy_in"), 1e-10);
  for (int k = 1; k <= 3; ++k)
    EXPECT_NEAR(number(s, 1, fmt::format("servicer.right.link{}.angle", k)),
                -number(s, 1, fmt::format("servicer.left.link{}.angle", k)), 1e-12);
}

TEST(Servicer, StopsATumble) {
  const Summary s = run_shipped("servicer_tumble", {1, 30, 60, 300}, kTight);
  const int times[] = {1, 30, 60};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string row = fmt::format("tumble.{}.", times[i]);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(number(s, i, "servicer.omega_BN_B", k), ref.vector(row + "omega")[k], 1e-11);
      EXPECT_NEAR(number(s, i, "base.torque", k), ref.vector(row + "torque")[k], 1e-9);
    }
    EXPECT_NEAR(number(s, i, "right.torque_A", 2), ref(row + "Mz"), 1e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 0), ref(row + "Fx"), 1e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 1), ref(row + "Fy"), 1e-9);
    const std::vector<double>& q = ref.find(row + "quaternion", 4);
    const double sign = number(s, i, "servicer.quaternion_BN") * q[0] < 0 ? -1 : 1;
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(sign * number(s, i, "servicer.quaternion_BN", k), q[static_cast<std::size_t>(k)],
                  2e-11);
  }
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(number(s, 3, "system.angular_impulse", k), -ref.vector("tumble.H")[k], 1e-9);
  EXPECT_NEAR(number(s, 3, "system.energy_in"), ref("tumble.energy_in"), 1e-10);
}

TEST(Servicer, FreeArmsKeepTheirMomentumAndFollowTheReference) {
  const Summary s = run_shipped("dual_arm_free", {1, 5});
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(number(s, 0, "servicer.rho_BO_N", k), ref.vector("free.1")[k], 1e-10);
    EXPECT_NEAR(number(s, 1, "servicer.rho_BO_N", k), ref.vector("free.5")[k], 1e-10);
    EXPECT_NEAR(number(s, 1, "system.angular_momentum", k), ref.vector("free.H")[k], 1e-9);
  }
  const std::vector<double>& q = ref.find("free.quaternion", 4);
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(number(s, 0, "servicer.quaternion_BN", k), q[static_cast<std::size_t>(k)], 1e-10);
  EXPECT_NEAR(number(s, 1, "system.kinetic_energy"), ref("free.energy"), 1e-9);
}

// The grasp of the left arm as a dock of its own on a free target, both by multipliers: two docks
// and nothing welded.
TEST(Servicer, HoldsAFreeTargetWithTwoDocksLikeAWeldedOne) {
  const Settings settings{"time.stop=100", "integrator.tolerance=1e-11", "event=[]"};
  const Summary welded = run_shipped("servicer_despin", {30, 100}, settings);
  for (const char* enforce : {"exact", "reduced"}) {
    Settings both = settings;
    both.push_back(fmt::format("dock.left.enforce={}", enforce));
    both.push_back(fmt::format("loop.right.enforce={}", enforce));
    const Summary s = run_shipped("servicer_despin", {30, 100}, both);
    for (std::size_t i = 0; i < 2; ++i) {
      for (const char* channel : {"servicer.left.link1.angle", "servicer.right.link3.angle",
                                  "gap.gap", "gap.lateral", "grip.squeeze"})
        EXPECT_NEAR(number(s, i, channel), number(welded, i, channel), 1e-8) << channel;
      for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(number(s, i, "left.force_N", k), number(welded, i, "left.force_N", k), 1e-7);
    }
  }
}

// What moves the target and what only presses it: the page has the most tension at the start.
TEST(Servicer, ReportsHowItsGraspsPull) {
  const Summary s = run_shipped("servicer_despin", {0}, {"time.stop=1", "event=[]"});
  EXPECT_NEAR(number(s, 0, "grip.squeeze"), -0.639, 5e-4);
  EXPECT_NEAR(number(s, 0, "grip.spread"), 2, 1e-12);
}

TEST(Measure, VelocityIsTheRateOfPositionInTheFirstFrame) {
  const double h = 1e-3;
  const Summary s = run_shipped("servicer_tumble", {5 - h, 5, 5 + h},
                                {"time.stop=6", "integrator.tolerance=1e-12",
                                 "measure.gap.between=[\"servicer.left_gripper\",\"servicer\"]"});
  double fastest = 0;
  for (int k = 0; k < 3; ++k) {
    const double rate =
        (number(s, 2, "gap.position", k) - number(s, 0, "gap.position", k)) / (2 * h);
    EXPECT_NEAR(number(s, 1, "gap.velocity", k), rate, 1e-9) << k;
    fastest = std::max(fastest, std::fabs(rate));
  }
  EXPECT_GT(fastest, 1e-7) << "the arm gives a little";
}

// Gains ten times as high are stiff; an implicit method does not mind.
TEST(Servicer, StiffGainsCostTheImplicitMethodNoMore) {
  const Settings radau{"integrator.method=radau", "integrator.tolerance=1e-8"};
  const Summary soft = run_shipped("servicer_despin", {270}, radau),
                stiff = run_shipped("servicer_despin_stiff", {270}, radau);
  EXPECT_LE(stiff.steps.rhs, 3 * soft.steps.rhs);
  EXPECT_NEAR(number(stiff, 0, "gap.gap"), ref("despin.270.gap"), 1e-3);
}

// --- tasks ---------------------------------------------------------------------------------------

// The angles that a planar arm needs, in closed form.
std::array<double, 3> find_angles(double gap) {
  const double deg30 = std::numbers::pi / 6, X = gap + 1 - std::cos(deg30), Y = 0.5;
  const double c2 = (X * X + Y * Y - 2) / 2, q2 = -std::acos(c2);
  const double q1 = std::atan2(Y, X) - std::atan2(std::sin(q2), 1 + c2);
  return {q1, q2, -deg30 - q1 - q2};
}

TEST(Task, FindsTheAnglesOfTheClosedChain) {
  ReadScenario read = read_scenario(test::shipped_file("servicer_despin"));
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  ASSERT_TRUE(read.problems.empty());
  const auto* action = std::get_if<ControlAction>(&built.events.at(0).actions.at(0));
  ASSERT_TRUE(action);
  ASSERT_EQ(action->reference.size(), 6u);
  for (int k = 0; k <= 40; ++k) {
    const double t = 3.0 * k, s = t / 120;
    const double gap = 1.5 - 0.75 * s * s * s * (10 - 15 * s + 6 * s * s);
    const auto q = find_angles(gap);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto left = action->reference[j].at(t, t), right = action->reference[3 + j].at(t, t);
      EXPECT_NEAR(left.value, q[j], 2e-13) << t;
      EXPECT_NEAR(right.value, -q[j], 2e-13) << t;
      // Rates and accelerations are those of the angles.
      const double h = 1e-3;
      if (t < h || t > 120 - h) continue;
      const Profile<double>& p = action->reference[j];
      const auto a = p.at(t - h, t - h), b = p.at(t + h, t + h);
      EXPECT_NEAR(left.rate, (b.value - a.value) / (2 * h), 1e-9);
      EXPECT_NEAR(left.acceleration, (b.rate - a.rate) / (2 * h), 1e-9);
    }
  }
}

TEST(Task, IsRefusedWithWhatIsMissing) {
  const std::string far = find_problems("servicer_despin", {"control.arms.task.distance.value=4"});
  EXPECT_NE(far.find("control.arms.task"), std::string::npos) << far;
  EXPECT_NE(far.find("cannot be brought to 4 m"), std::string::npos) << far;
  const std::string name = find_problems("servicer_despin", {"control.arms.task.frame=tarjet"});
  EXPECT_NE(name.find("no port tarjet"), std::string::npos) << name;
  EXPECT_NE(name.find("target"), std::string::npos) << name;
  const std::string base = find_problems(
      "servicer_despin",
      {"control.base.task={frame=\"target\",relative_to=\"servicer\",distance={value=1}}"});
  EXPECT_NE(base.find("belongs to controllers of joints"), std::string::npos) << base;
}

// Every joint of a closed chain driven: more motors than freedoms. References in which the chain is
// closed need no load across it, and are followed to rounding.
TEST(ComputedTorque, LeadsAClosedChainWithoutSqueezing) {
  const Settings settings{"event=[]",
                          "time.stop=60",
                          "integrator.tolerance=1e-11",
                          "spacecraft.servicer.state.omega_BN_B_deg_s=[0,0,0]",
                          "spacecraft.servicer.state.velocity=[0,0,0]",
                          "control.base.enabled=false"};
  const auto drive = [](Scenario& scenario) {
    ControlSpec& arms = scenario.control.at(1);
    ComputedTorque<double> law;
    law.joints = std::get<JointPd<double>>(arms.part).joints;
    law.frequency = 0.5;
    arms.part = law;
    Profile<double>& gap = arms.task->distance;
    gap.type = "quintic";
    gap.from = 1.5;
    gap.to = 0.9;
    gap.start = 5;
    gap.duration = 40;
  };
  for (const char* enforce : {"exact", "reduced"}) {
    Settings all = settings;
    all.push_back(fmt::format("loop.right.enforce={}", enforce));
    const Summary s = run_shipped("servicer_despin", {20, 25, 60}, all, drive);
    const double x = 15.0 / 40;
    EXPECT_NEAR(number(s, 0, "gap.gap"), 1.5 - 0.6 * x * x * x * (10 - 15 * x + 6 * x * x), 1e-9);
    EXPECT_NEAR(number(s, 2, "gap.gap"), 0.9, 1e-9);
    EXPECT_LT(std::hypot(number(s, 1, "right.force_A", 0), number(s, 1, "right.force_A", 1)), 1e-8)
        << "the left arm carries the target alone";
    EXPECT_GT(number(s, 0, "left.force"), 0.01) << "and it is a load";
  }
}

}  // namespace
}  // namespace berth::servicer_test

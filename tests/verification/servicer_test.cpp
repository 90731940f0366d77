// SPDX-License-Identifier: Apache-2.0

// The dual-arm servicer after the grasp, against numbers of two other programs.

#include <array>

#include "tests/support/shipped.h"

namespace berth {
namespace {

using Settings = std::vector<std::string>;
using test::find_problems;
using test::number;
using test::run_shipped;

const Settings kTight{"integrator.tolerance=1e-12"};

struct ArmRow {
  double t, omega, gap;
  std::array<double, 3> q;
  double torque, Mz, Fx, Fy;
};

void expect_rows(const Summary& s, std::span<const ArmRow> rows, int axis) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ArmRow& r = rows[i];
    SCOPED_TRACE(r.t);
    EXPECT_NEAR(number(s, i, "servicer.omega_BN_B", axis), r.omega, 1e-12 + 1e-10 * r.omega);
    EXPECT_NEAR(number(s, i, "gap.gap"), r.gap, 1e-10);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(number(s, i, fmt::format("servicer.left.link{}.angle", k + 1)), r.q[k], 1e-10);
    EXPECT_NEAR(number(s, i, "base.torque", axis), r.torque, 6e-10);
    EXPECT_NEAR(number(s, i, "right.torque_A", 2), r.Mz, 6e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 0), r.Fx, 6e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 1), r.Fy, 6e-9);
  }
}

TEST(Servicer, DespinsAndDrawsNear) {
  const ArmRow rows[] = {{1,
                          8.7244059764e-2,
                          1.5013266606,
                          {0.8419052791, -1.0904330499, -0.2750824796},
                          0.022380510,
                          0.98360509,
                          1.02636672,
                          0.03793256},
                         {30,
                          8.4169372334e-2,
                          1.5013328597,
                          {0.8424156015, -1.0904809184, -0.2753627300},
                          -0.596180309,
                          0.73121750,
                          0.95840316,
                          0.13582558},
                         {90,
                          4.3633086622e-2,
                          1.5003631681,
                          {0.8445957190, -1.0924137280, -0.2752112079},
                          -1.931321997,
                          0.02921537,
                          0.44103241,
                          0.14245655},
                         {270,
                          0,
                          1.4223964406,
                          {0.9248332218, -1.2279751893, -0.2204568081},
                          0,
                          0.02017308,
                          0.01192319,
                          -0.00947696},
                         {600, 0, 0.75, {1.5529382251, -2.0763528915, -0.0001841091}, 0, 0, 0, 0}};
  for (const char* enforce : {"reduced", "exact"}) {
    SCOPED_TRACE(enforce);
    Settings settings = kTight;
    settings.push_back(fmt::format("loop.right.enforce={}", enforce));
    const Summary s = run_shipped("servicer_despin", {1, 30, 90, 270, 600}, settings);
    expect_rows(s, rows, 2);
    EXPECT_LT(s.audit.energy, 1e-10);
    EXPECT_LT(s.audit.angular_momentum, 1e-10);
    EXPECT_LT(s.constraint_position, 1e-13);
    // All the momentum there was is in the torque that took it.
    EXPECT_NEAR(number(s, 4, "system.angular_impulse", 2), -185.264293574639, 1e-9);
  }
}

TEST(Servicer, StopsASpinAboutTheApproachAxis) {
  const ArmRow rows[] = {{1,
                          8.7264659624e-2,
                          1.4997629297,
                          {0.8436493742, -1.0933088199, -0.2739393299},
                          1.433270179e-3,
                          -0.4677555919,
                          -1.304089773e-2,
                          0.6141495932},
                         {90,
                          4.3633226318e-2,
                          1.4999348960,
                          {0.8434617361, -1.0929924489, -0.2740680628},
                          -0.9093554141,
                          -0.1111584808,
                          2.22391e-6,
                          0.1506566768},
                         {120,
                          1.8315181276e-2,
                          1.4999883167,
                          {0.8434034396, -1.0928941521, -0.2741080631},
                          -0.7184871703,
                          -1.958254331e-2,
                          2.03002e-6,
                          2.654322509e-2}};
  const Summary s = run_shipped("servicer_despin_axial", {1, 90, 120, 600}, kTight);
  expect_rows(s, rows, 0);
  EXPECT_NEAR(number(s, 3, "system.angular_impulse", 0), -87.295788336921, 1e-9);
  EXPECT_NEAR(number(s, 3, "system.energy_in"), -3.808997324008, 1e-10);
  for (int k = 1; k <= 3; ++k)
    EXPECT_NEAR(number(s, 1, fmt::format("servicer.right.link{}.angle", k)),
                -number(s, 1, fmt::format("servicer.left.link{}.angle", k)), 1e-12);
}

TEST(Servicer, StopsATumble) {
  struct Row {
    Vec3<double> omega, torque;
    double Mz, Fx, Fy;
    std::array<double, 4> q;
  };
  const Row rows[] = {{{5.7562043873e-2, 5.8982356170e-2, 2.9033668419e-2},
                       {0.6154989339, -0.8048133630, 0.0551029839},
                       1.141788767,
                       0.009006008,
                       -0.3414901185,
                       {0.99904456014, 0.02889792973, 0.02930685521, 0.01469641973}},
                      {{5.5389246919e-2, 5.8037941289e-2, 2.6482151367e-2},
                       {0.7234476539, -1.925246716, 1.574195919},
                       1.120181169,
                       -0.1301175777,
                       -0.3652493761,
                       {0.26951951431, 0.63034851015, 0.66197274544, 0.30300506836}},
                      {{4.5804810081e-2, 4.7866134806e-2, 2.2244259487e-2},
                       {0.1627093131, -1.898615412, 0.7395002102},
                       0.7323334486,
                       -0.0529207320,
                       -0.2277811734,
                       {-0.78435856775, 0.40729556406, 0.42611989169, 0.19316779908}}};
  const Summary s = run_shipped("servicer_tumble", {1, 30, 60, 300}, kTight);
  for (std::size_t i = 0; i < 3; ++i) {
    const Row& r = rows[i];
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(number(s, i, "servicer.omega_BN_B", k), r.omega[k], 1e-11);
      EXPECT_NEAR(number(s, i, "base.torque", k), r.torque[k], 1e-9);
    }
    EXPECT_NEAR(number(s, i, "right.torque_A", 2), r.Mz, 1e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 0), r.Fx, 1e-9);
    EXPECT_NEAR(number(s, i, "right.force_A", 1), r.Fy, 1e-9);
    const double sign = number(s, i, "servicer.quaternion_BN") * r.q[0] < 0 ? -1 : 1;
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(sign * number(s, i, "servicer.quaternion_BN", k),
                  r.q[static_cast<std::size_t>(k)], 2e-11);
  }
  const double H_0[] = {58.197192224614, 89.461890452984, 61.754764524880};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(number(s, 3, "system.angular_impulse", k), -H_0[k], 1e-9);
  EXPECT_NEAR(number(s, 3, "system.energy_in"), -5.193415246792, 1e-10);
}

TEST(Servicer, FreeArmsKeepTheirMomentumAndFollowTheReference) {
  const Summary s = run_shipped("dual_arm_free", {1, 5});
  const double one[] = {0.19153342878, -0.02209273134, 0.00470927128};
  const double five[] = {1.22695271889, 0.97500139573, 0.27572556890};
  const double q[] = {0.99505027803, 0.07044197921, 0.01484797987, 0.06850116242};
  const double H[] = {585.271488986575, -602.340185868783, 970.352552096675};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(number(s, 0, "servicer.rho_BO_N", k), one[k], 1e-10);
    EXPECT_NEAR(number(s, 1, "servicer.rho_BO_N", k), five[k], 1e-10);
    EXPECT_NEAR(number(s, 1, "system.angular_momentum", k), H[k], 1e-9);
  }
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(number(s, 0, "servicer.quaternion_BN", k), q[k], 1e-10);
  EXPECT_NEAR(number(s, 1, "system.kinetic_energy"), 304.648729538595, 1e-9);
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
TEST(Servicer, TellsHowItsGraspsPull) {
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
  EXPECT_NEAR(number(stiff, 0, "gap.gap"), 1.42239644, 1e-3);
}

// --- tasks ---------------------------------------------------------------------------------------

// The angles that a planar arm needs, in closed form.
std::array<double, 3> find_angles(double gap) {
  const double deg30 = 0.5235987755982988, X = gap + 1 - std::cos(deg30), Y = 0.5;
  const double c2 = (X * X + Y * Y - 2) / 2, q2 = -std::acos(c2);
  const double q1 = std::atan2(Y, X) - std::atan2(std::sin(q2), 1 + c2);
  return {q1, q2, -deg30 - q1 - q2};
}

TEST(Task, FindsTheAnglesOfTheClosedChain) {
  ReadScenario read = read_scenario(test::shipped_file("servicer_despin"));
  const BuiltScenario story = build_scenario(read.scenario, read.problems);
  ASSERT_TRUE(read.problems.empty());
  const auto* action = std::get_if<ReferenceAction>(&story.events.at(0).actions.at(0));
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
}  // namespace berth

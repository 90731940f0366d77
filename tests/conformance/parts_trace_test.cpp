// SPDX-License-Identifier: Apache-2.0

// Every part recorded: its graph gives the bits of double, so it never branches on a value.

#include <gtest/gtest.h>

#include "tests/conformance/world.h"
#include "tests/support/traced.h"

namespace berth::test::parts_trace_test {
namespace {

template <class Part>
void expect_traced_as_double(const Part& part, unsigned seed) {
  Setting setting;
  setting.seed = seed;
  const System<double> system = build_world(part, setting);
  // Before, within and after what happens in time.
  for (const double t : {0.0, kTime, 5000.0})
    EXPECT_EQ(find_traced_difference(system, starting_situation(system, t)), "")
        << "t = " << t << " s, seed " << seed;
}

TEST(Conformance, TheTraceOfEveryPartGivesTheBitsOfDouble) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      expect_traced_as_double(*part, seed);
      Random random(seed);
      part->turn_directions(random);
      expect_traced_as_double(*part, seed);
      // Those that can be sampled, both ways.
      if (part->switch_sampling()) expect_traced_as_double(*part, seed);
    }
  }
}

// Which thrusters fire depends on the wrench: the one thing that is called as a whole.
TEST(Conformance, TheTraceOfThrusterAllocationGivesTheBitsOfDouble) {
  Random random(7);
  ThrusterSet<double> set;
  set.body = "servicer";
  for (int i = 0; i < 14; ++i)
    set.thruster.push_back({random.vector(1), random.direction(), random.number(0.1, 3)});
  System<double> system = build_world(set, {});
  std::get<std::vector<ThrusterSet<double>>>(system.forces).front().name = "rcs";
  AttitudeControl<double> attitude;
  attitude.body = "servicer";
  attitude.thrusters = "rcs";
  attitude.K = 0.5;
  attitude.P = 2;
  system.add_control(attitude);
  const Situation at = starting_situation(system);
  EXPECT_EQ(trace(system, at).graph.calls.size(), 1u);
  EXPECT_EQ(find_traced_difference(system, at, What::derivative, 100), "");
}

TEST(Conformance, TheTraceOfEveryProfileGivesTheBitsOfDouble) {
  for (const char* type : {"constant", "step", "quintic", "rate", "glideslope", "table"})
    for (const bool series : {false, true}) {
      SCOPED_TRACE(type);
      Profile<double> wanted;
      wanted.type = type;
      wanted.value = 0.4;
      wanted.from = -0.2;
      wanted.to = 0.9;
      wanted.rate_from = 0.3;
      wanted.rate_to = 0.05;
      wanted.start = 10;
      wanted.duration = 20;
      wanted.times = {10, 15, 30};
      wanted.values = {0.1, -0.4, 0.6};
      if (series) wanted.series = {0.3, -0.2, 0.1, 0.05};
      JointPd<double> drive;
      drive.joints = {"servicer.arm.link1", "servicer.arm.link2"};
      drive.reference = {wanted, wanted};
      drive.stiffness = 2;
      drive.damping = 1;
      expect_traced_as_double(drive, 1);
    }
}

}  // namespace
}  // namespace berth::test::parts_trace_test

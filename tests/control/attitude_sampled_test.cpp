// SPDX-License-Identifier: Apache-2.0

// Attitude control at its sample times, and what it refuses.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/control/attitude_hub.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace berth::attitude_sampled_test {
namespace {

using namespace attitude_hub;
using test::attitude_error;
using test::Random;
using test::tight;

// --- sampled -------------------------------------------------------------------------------------

// A step of the reference between two samples; the torque limit makes the answer a constant.
TEST(AttitudeControl, LatencyShiftsTheActuationExactly) {
  const double T = 0.4, I = 60, L = 3;
  for (double latency : {0.0, 0.15, 0.4, 1.0}) {
    System<double> system;
    system.model.add_body(test::hub_spec<double>("hub", 100, Sym3<double>::diagonal(90, 80, I)));
    AttitudeControl<double> c = control(1e6, 0);
    c.max_torque = L;
    c.angle.type = "step";
    c.angle.to = 1;
    c.angle.start = 0.9;  // seen by the sample at 1.2
    c.sample_time = T;
    c.latency = latency;
    system.add_control(c);
    HybridRun run(system, tight());
    const double acts = 3 * T + latency;
    ASSERT_TRUE(run.advance(acts - 1e-9).completed());
    EXPECT_EQ(omega_of(run).z, 0) << latency;
    for (double later : {0.01, 0.37, 1.1}) {
      ASSERT_TRUE(run.advance(acts + later).completed());
      EXPECT_NEAR(omega_of(run).z, L / I * later, 1e-12) << latency;
    }
  }
}

TEST(AttitudeControl, SampledFastItIsTheContinuousLoop) {
  const Quaternion<double> q = quaternion_from_rotation_vector(V{0.8, -0.5, 0.4});
  const auto final_sigma = [&](double T) {
    System<double> system;
    system.model.add_body(hub(q));
    AttitudeControl<double> c = control();
    c.Ki = 0.5;
    c.sample_time = T;
    system.add_control(c);
    HybridRun run(system, {});
    EXPECT_TRUE(run.advance(10).completed());
    return attitude_error(run).sigma;
  };
  const V continuous = final_sigma(0);
  const double coarse = norm(final_sigma(0.04) - continuous);
  const double fine = norm(final_sigma(0.02) - continuous);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(fine, coarse / 2, 0.05 * coarse);
}

struct HeldOutputs : Observer {
  std::vector<double> last;
  std::vector<double> changed_at;
  bool step(HybridRun& run) override {
    const std::vector<double>& held = run.mode().held;
    if (held != last) changed_at.push_back(run.t_previous());
    last = held;
    return true;
  }
};

TEST(AttitudeControl, SampledItsOutputChangesOnlyAtTheSamples) {
  System<double> system;
  system.model.add_body(hub(quaternion_from_rotation_vector(V{0.3, 0.2, -0.1})));
  AttitudeControl<double> c = control();
  c.sample_time = 0.7;
  system.add_control(c);
  RunOptions options;
  options.integrator.max_step = 0.05;
  HybridRun run(system, options);
  HeldOutputs held;
  ASSERT_TRUE(run.advance(7.01, &held).completed());
  ASSERT_EQ(held.changed_at.size(), 11u);
  for (std::size_t i = 0; i < held.changed_at.size(); ++i)
    EXPECT_NEAR(held.changed_at[i], 0.7 * static_cast<double>(i), 1e-14);
}

// --- refusals ------------------------------------------------------------------------------------

TEST(AttitudeControl, WhatCannotBeMeantIsRefused) {
  std::vector<V> axes;
  System<double> system = with_wheels(3, hub(), axes);
  system.model.add_body(test::hub_spec<double>("other"));
  AttitudeControl<double> c = control();
  EXPECT_EQ(refusal(system, c), "");
  c.body = "hab";
  EXPECT_EQ(refusal(system, c), "attitude: no body named hab; did you mean hub?");
  c = control();
  c.wheels = {"wheel1", "wheel2", "wheel9"};
  EXPECT_EQ(refusal(system, c), "attitude: no body named wheel9; did you mean wheel1?");
  c.wheels = {"wheel1", "wheel2", "other"};
  EXPECT_EQ(refusal(system, c), "attitude: other is not a wheel on hub");
  c.wheels = {"wheel1", "wheel2"};
  EXPECT_EQ(refusal(system, c), "attitude: needs three wheels, not 2");
  c = control();
  c.thrusters = "rcs";
  EXPECT_EQ(refusal(system, c), "attitude: no thruster set named rcs; there is none");
  c = control();
  EXPECT_THROW(c.angle.type = "ramp", std::invalid_argument);
  c = control();
  c.body = "other";
  c.wheels = wheel_names(3);
  EXPECT_EQ(refusal(system, c),
            "attitude: wheel1 is not a wheel on other; wheel2 is not a wheel on other; "
            "wheel3 is not a wheel on other");
}

// Whatever plane it is, and whatever rounding does to the third pivot.
TEST(AttitudeControl, WheelAxesInOnePlaneAreRefused) {
  Random random(9);
  for (int i = 0; i < 300; ++i) {
    V normal = random.direction();
    if (i % 3 == 1) normal = normalised(V{normal.x, normal.y, 0});  // a plane through z
    if (i < 3) normal = i == 0 ? V{1, 0, 0} : i == 1 ? V{0, 1, 0} : V{0, 0, 1};
    System<double> system;
    const int h = system.model.add_body(hub());
    const int count = random.integer(3, 5);
    for (int k = 1; k <= count; ++k) {
      const V axis = normalised(cross(normal, random.direction()));
      system.add_component(test::wheel<double>(axis, 0), h, "wheel" + std::to_string(k));
    }
    AttitudeControl<double> c = control();
    c.wheels = wheel_names(count);
    ASSERT_EQ(refusal(system, c), "attitude: the wheel axes lie in one plane")
        << "normal " << normal.x << " " << normal.y << " " << normal.z;
  }
}

TEST(AttitudeControl, WheelAxesOutOfOnePlaneAreNotRefused) {
  Random random(10);
  for (int i = 0; i < 200; ++i) {
    System<double> system;
    const int h = system.model.add_body(hub());
    V a = random.direction(), b = random.direction(), d = random.direction();
    if (std::fabs(dot(a, cross(b, d))) < 0.01) continue;
    int k = 0;
    for (const V& axis : {a, b, d})
      system.add_component(test::wheel<double>(axis, 0), h, "wheel" + std::to_string(++k));
    AttitudeControl<double> c = control();
    c.wheels = wheel_names(3);
    EXPECT_EQ(refusal(system, c), "");
  }
}

}  // namespace
}  // namespace berth::attitude_sampled_test

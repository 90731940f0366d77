// SPDX-License-Identifier: Apache-2.0
#include "berth/control/attitude_control.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/control/attitude_hub.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace berth::attitude_control_test {
namespace {

using namespace attitude_hub;
using test::attitude_error;
using test::Random;
using test::tight;
// --- the law -------------------------------------------------------------------------------------

TEST(AttitudeControl, TorqueIsGainsTimesErrors) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Quaternion<double> q = random.quaternion(), q_ref = random.quaternion();
    const V omega = random.vector(0.2);
    System<double> system;
    system.model.add_body(hub(q, omega));
    AttitudeControl<double> c = control();
    c.attitude = q_ref;
    system.add_control(c);
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const V sigma = mrp(conjugate(q_ref) * q);
    const V wanted = -20.0 * sigma - 80.0 * omega;
    EXPECT_LT(norm(V{w.outputs[0], w.outputs[1], w.outputs[2]} - wanted), 1e-12);
    // From outside, in body axes.
    EXPECT_LT(norm(w.external.body(1).torque - rotation_matrix(q) * wanted), 1e-12);
    EXPECT_EQ(w.external.body(1).force, V{});
  }
}

TEST(AttitudeControl, MayFeedBackTheQuaternion) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Quaternion<double> q = random.quaternion(), q_ref = random.quaternion();
    System<double> system;
    system.model.add_body(hub(q));
    AttitudeControl<double> c = control();
    c.attitude = q_ref;
    c.error = "quaternion";
    system.add_control(c);
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const Quaternion<double> e = canonical(conjugate(q_ref) * q);  // the short way round
    EXPECT_LT(norm(V{w.outputs[0], w.outputs[1], w.outputs[2]} + 40.0 * V{e.x, e.y, e.z}), 1e-12);
  }
}

// Wherever the body points, the rate it is to have stays with it.
TEST(AttitudeControl, MayFollowARateInBodyAxes) {
  Random random(4);
  const V axis = random.direction(), omega = random.vector(0.2);
  V first{};
  for (int i = 0; i < 5; ++i) {
    System<double> system;
    system.model.add_body(hub(random.quaternion(), omega));
    AttitudeControl<double> c = control();
    c.follow = "rate";
    c.axis = axis;
    c.angle.type = "rate";
    c.angle.rate_from = 0.3;
    c.angle.rate_to = 0.3;
    system.add_control(c);
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const V out{w.outputs[0], w.outputs[1], w.outputs[2]};
    EXPECT_LT(norm(out + 80.0 * (omega - 0.3 * axis)), 1e-12);
    if (i > 0) {
      EXPECT_LT(norm(out - first), 1e-13);
    }
    first = out;
  }
  AttitudeControl<double> c = control();
  EXPECT_THROW(c.follow = "spin", std::invalid_argument);
}

TEST(AttitudeControl, TorqueIsHeldWithinItsLimitAxisByAxis) {
  System<double> system;
  system.model.add_body(hub({1, 0, 0, 0}, {1, -0.001, -2}));
  AttitudeControl<double> c = control();
  c.max_torque = 5;
  system.add_control(c);
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  EXPECT_EQ(w.outputs[0], -5);
  EXPECT_NEAR(w.outputs[1], 0.08, 1e-14);
  EXPECT_EQ(w.outputs[2], 5);
}

TEST(AttitudeControl, ReferenceTurnsAboutItsAxisFromItsAttitude) {
  Random random(2);
  const Quaternion<double> q_ref = random.quaternion();
  const V axis = random.direction();
  // A body that is where the reference says, also far beyond a half turn.
  for (double angle : {0.3, 3.0, 4.5, -7.0}) {
    System<double> system;
    system.model.add_body(hub(q_ref * quaternion_from_rotation_vector(angle * axis)));
    AttitudeControl<double> c = control();
    c.attitude = q_ref;
    c.axis = 3.0 * axis;
    c.angle.value = angle;
    system.add_control(c);
    HybridRun run(system, {});
    EXPECT_LT(norm(attitude_error(run).sigma), 1e-15) << angle;
  }
}

TEST(AttitudeControl, RateErrorIsMeasuredAgainstTheSlewInBodyAxes) {
  Random random(3);
  const Quaternion<double> q = random.quaternion(), q_ref = random.quaternion();
  const V omega = random.vector(0.3), axis = random.direction();
  System<double> system;
  system.model.add_body(hub(q, omega));
  AttitudeControl<double> c = control();
  c.attitude = q_ref;
  c.axis = axis;
  c.angle.type = "table";
  c.angle.times = {0, 10};
  c.angle.values = {0.5, 2.5};  // 0.2 rad/s
  system.add_control(c);
  HybridRun run(system, {});
  const auto e = attitude_error(run);
  const V omega_RN_N = 0.2 * (rotation_matrix(q_ref) * axis);
  EXPECT_LT(norm(e.omega_e - (omega - transposed_times(rotation_matrix(q), omega_RN_N))), 1e-15);
}

// --- closed loops --------------------------------------------------------------------------------

TEST(AttitudeControl, ByIdealTorqueItSettlesFromAnywhere) {
  Random random(4);
  for (int i = 0; i < 6; ++i) {
    System<double> system;
    // The last two start almost and exactly half a turn away.
    const V a = random.direction();
    Quaternion<double> q = random.quaternion();
    if (i >= 4) q = quaternion_from_rotation_vector((M_PI - (i == 4 ? 1e-6 : 0)) * a);
    system.model.add_body(hub(q, i < 4 ? random.vector(0.3) : V{}));
    system.add_control(control(20, 60));
    RunOptions options;
    options.integrator.tolerance = 1e-9;
    HybridRun run(system, options);
    ASSERT_TRUE(run.advance(250).completed());
    EXPECT_LT(norm(attitude_error(run).sigma), 1e-8) << i;
    EXPECT_LT(norm(omega_of(run)), 1e-8) << i;
  }
}

// Small errors about a principal axis: 4 σ = θ, so θ̈ + (P/I) θ̇ + (K/4I) θ = 0.
TEST(AttitudeControl, SmallErrorsSwingWithTheFrequencyOnItsPage) {
  const double I = 80, K = 20, P = 15, small = 1e-4;
  System<double> system;
  BodySpec<double> b = test::hub_spec<double>("hub", 100, Sym3<double>::diagonal(70, I, 60));
  b.q = {0, 0, 0, std::cos(small / 2), 0, std::sin(small / 2), 0};
  system.model.add_body(b);
  system.add_control(control(K, P));
  HybridRun run(system, tight());
  const double omega_n = 0.5 * std::sqrt(K / I), zeta = P / std::sqrt(K * I);
  const double decay = zeta * omega_n, omega = omega_n * std::sqrt(1 - zeta * zeta);
  for (double t : {3.0, 10.0, 25.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    const double theta = 4 * attitude_error(run).sigma.y;
    EXPECT_NEAR(theta / small,
                std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t)),
                1e-6);
  }
}

TEST(AttitudeControl, WheelsReactWithTheTorqueAskedAndNoneTooMuch) {
  Random random(5);
  for (int count : {3, 4}) {
    std::vector<V> axes;
    System<double> system = with_wheels(count, hub(random.quaternion(), random.vector(0.1)), axes);
    AttitudeControl<double> c = control();
    c.wheels = wheel_names(count);
    system.add_control(c);
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const V L{w.outputs[0], w.outputs[1], w.outputs[2]};
    V on_hub{};
    double squares = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const double u = w.command.joint[6 + i];
      on_hub -= u * axes[i];
      squares += u * u;
    }
    EXPECT_LT(norm(on_hub - L), 1e-13);
    // Of all that do, the smallest: no part of it lies in the null space (1, −1, 1, −1).
    if (count == 4) {
      const double idle =
          w.command.joint[6] - w.command.joint[7] + w.command.joint[8] - w.command.joint[9];
      EXPECT_NEAR(idle, 0, 1e-13 * std::sqrt(squares));
    }
    // Nothing comes from outside.
    EXPECT_EQ(w.external.body(1).torque, V{});
  }
}

TEST(AttitudeControl, ByWheelsItSettlesAndKeepsTheAngularMomentum) {
  Random random(6);
  for (int count : {3, 4}) {
    std::vector<V> axes;
    System<double> system = with_wheels(count, hub(random.quaternion()), axes);
    AttitudeControl<double> c = control(20, 60);
    c.wheels = wheel_names(count);
    system.add_control(c);
    RunOptions options;
    options.integrator.tolerance = 1e-11;
    HybridRun run(system, options);
    const Momentum<double> before = find_momentum(system.model, run.observe().motion);
    ASSERT_TRUE(run.advance(300).completed());
    EXPECT_LT(norm(attitude_error(run).sigma), 1e-8);
    EXPECT_LT(norm(omega_of(run)), 1e-8);
    const Momentum<double> after = find_momentum(system.model, run.observe().motion);
    EXPECT_LT(norm(after.angular - before.angular), 1e-9 * norm(before.angular));
    // At rest all of it is in the wheels.
    V stored{};
    for (std::size_t i = 0; i < axes.size(); ++i)
      stored += 0.159 * run.x()[static_cast<std::size_t>(system.layout().v) + 6 + i] * axes[i];
    EXPECT_LT(norm(stored - before.angular), 1e-6 * norm(before.angular));
  }
}

ThrusterSet<double> corner_thrusters(double sample_time) {
  ThrusterSet<double> s;
  s.name = "rcs";
  s.body = "hub";
  const V e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k)
    for (double side : {1.0, -1.0})
      for (double turn : {1.0, -1.0}) {
        Thruster<double> t;
        t.position = side * e[(k + 1) % 3];
        t.direction = (side * turn) * e[(k + 2) % 3];
        t.thrust = 5;
        s.thruster.push_back(t);
      }
  s.sample_time = sample_time;
  return s;
}

TEST(AttitudeControl, ByThrustersItSettles) {
  Random random(7);
  System<double> system;
  system.model.add_body(hub(random.quaternion(), random.vector(0.05)));
  system.add_force(corner_thrusters(0));
  AttitudeControl<double> c = control(20, 60);
  c.thrusters = "rcs";
  system.add_control(c);
  RunOptions options;
  options.integrator.tolerance = 1e-8;
  HybridRun run(system, options);
  ASSERT_TRUE(run.advance(250).completed());
  EXPECT_LT(norm(attitude_error(run).sigma), 1e-6);
  EXPECT_LT(norm(omega_of(run)), 1e-6);
  // Couples only: no force is left over.
  const V r{run.x()[0], run.x()[1], run.x()[2]};
  EXPECT_LT(norm(r), 1e-6);
}

TEST(AttitudeControl, ByPulsedThrustersItSettlesToTheSizeOfAPulse) {
  System<double> system;
  system.model.add_body(hub(quaternion_from_rotation_vector(V{0.3, -0.2, 0.4})));
  ThrusterSet<double> set = corner_thrusters(0.5);
  set.minimum_on_time = 0.02;
  system.add_force(set);
  AttitudeControl<double> c = control(20, 60);
  c.thrusters = "rcs";
  c.sample_time = 0.5;
  system.add_control(c);
  RunOptions options;
  options.integrator.tolerance = 1e-8;
  HybridRun run(system, options);
  ASSERT_TRUE(run.advance(200).completed());
  // Below K σ = 0.2 N·m per axis no pulse is long enough.
  EXPECT_LT(norm(attitude_error(run).sigma), std::sqrt(3.0) * 0.2 / 20);
  EXPECT_LT(norm(omega_of(run)), 2 * 10 * 0.02 / 60);
}

// --- feed-forward and integral -------------------------------------------------------------------

struct LargestError : Observer {
  double sigma = 0;
  bool step(HybridRun& run) override {
    sigma = std::max(sigma, norm(attitude_error(run).sigma));
    return true;
  }
};

TEST(AttitudeControl, FeedForwardAloneFollowsASlewOfARigidBody) {
  Random random(8);
  const Quaternion<double> q = random.quaternion();
  System<double> system;
  system.model.add_body(hub(q));
  AttitudeControl<double> c = control(20, 80);
  c.inertia = kInertia;
  c.attitude = q;
  c.axis = random.direction();
  c.angle.type = "quintic";
  c.angle.to = 2.8;
  c.angle.start = 5;
  c.angle.duration = 40;
  system.add_control(c);
  HybridRun run(system, tight());
  LargestError largest;
  ASSERT_TRUE(run.advance(60, &largest).completed());
  EXPECT_LT(largest.sigma, 1e-9);
  EXPECT_LT(norm(rotation_vector(conjugate(q) * quaternion(run.observe().motion.body(1).R_NB)) -
                 2.8 * c.axis),
            1e-9);
}

TEST(AttitudeControl, WithoutFeedForwardTheSlewLagsBehind) {
  System<double> system;
  system.model.add_body(hub());
  AttitudeControl<double> c = control(20, 80);
  c.angle.type = "quintic";
  c.angle.to = 2.8;
  c.angle.duration = 40;
  system.add_control(c);
  HybridRun run(system, {});
  LargestError largest;
  ASSERT_TRUE(run.advance(60, &largest).completed());
  EXPECT_GT(largest.sigma, 1e-3);
}

System<double> disturbed(const AttitudeControl<double>& c, const V& torque) {
  System<double> system;
  system.model.add_body(hub());
  ExternalLoad<double> load;
  load.body = "hub";
  load.torque = torque;
  system.add_force(load);
  system.add_control(c);
  return system;
}

TEST(AttitudeControl, ASteadyDisturbanceLeavesASteadyErrorAndTheIntegralRemovesIt) {
  const V d{0.3, -0.2, 0.1};
  HybridRun without(disturbed(control(20, 80), d), {});
  ASSERT_TRUE(without.advance(300).completed());
  EXPECT_LT(norm(attitude_error(without).sigma - (1 / 20.0) * d), 1e-6);

  AttitudeControl<double> c = control(20, 80);
  c.Ki = 0.5;
  HybridRun with(disturbed(c, d), {});
  ASSERT_TRUE(with.advance(600).completed());
  EXPECT_LT(norm(attitude_error(with).sigma), 1e-6);
  const auto z = static_cast<std::size_t>(with.system().layout().z);
  EXPECT_LT(norm(0.5 * V{with.x()[z], with.x()[z + 1], with.x()[z + 2]} - d), 1e-4);
}

struct LargestIntegral : Observer {
  double seen = 0;
  bool step(HybridRun& run) override {
    const auto z = static_cast<std::size_t>(run.system().layout().z);
    for (std::size_t k = 0; k < 3; ++k) seen = std::max(seen, std::fabs(run.x()[z + k]));
    return true;
  }
};

// Far from the reference with hardly any torque: the integral runs into its limit.
AttitudeControl<double> wound_up() {
  AttitudeControl<double> c = control(1, 10);
  c.Ki = 0.1;
  c.integral_limit = 0.2;
  c.max_torque = 0.01;
  c.attitude = quaternion_from_rotation_vector(V{1.0, -1.5, 0.7});
  return c;
}

TEST(AttitudeControl, TheIntegralStaysWithinItsLimit) {
  System<double> system;
  system.model.add_body(hub());
  system.add_control(wound_up());
  RunOptions options;
  options.integrator.tolerance = 1e-8;
  HybridRun run(system, options);
  LargestIntegral largest;
  ASSERT_TRUE(run.advance(60, &largest).completed());
  EXPECT_GT(largest.seen, 0.199);
  EXPECT_LT(largest.seen, 0.2 + 1e-4);
}

TEST(AttitudeControl, SampledTheIntegralStaysWithinItsLimitToo) {
  System<double> system;
  system.model.add_body(hub());
  AttitudeControl<double> c = wound_up();
  c.sample_time = 1.5;
  system.add_control(c);
  HybridRun run(system, {});
  LargestIntegral largest;
  ASSERT_TRUE(run.advance(60, &largest).completed());
  EXPECT_GT(largest.seen, 0.1);
  EXPECT_LE(largest.seen, 0.2 + 1e-12);
}

TEST(AttitudeControl, AtItsLimitTheIntegralLeavesAsSoonAsTheErrorTurns) {
  Model<double> model;
  model.add_body(hub(quaternion_from_rotation_vector(V{0.2, -0.2, 0})));
  System<double> system;
  system.model = model;
  AttitudeControl<double> c = control();
  c.Ki = 1;
  c.integral_limit = 0.5;
  const AttitudeControl<double> bound = system.add_control(c);
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  const Instant<double> now{system.model, w.motion, w.command};
  double rate[3];
  const double at_limit[3] = {0.5, 0.5, 0.1};
  bound.find_state_rate(now, at_limit, rate);
  EXPECT_EQ(rate[0], 0);                                       // error outward: held
  EXPECT_NEAR(rate[1], bound.find_error(now).sigma.y, 1e-15);  // inward: free
  EXPECT_LT(rate[1], 0);
  const double below[3] = {0.49, -0.5, 0.6};
  bound.find_state_rate(now, below, rate);
  EXPECT_GT(rate[0], 0);
  EXPECT_EQ(rate[1], 0);
}

}  // namespace
}  // namespace berth::attitude_control_test

// SPDX-License-Identifier: Apache-2.0

// Robots of a laboratory: what was commanded between ticks, dead time, lag, limits; against closed forms.

#include "berth/live/robot.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/live/chance.h"
#include "berth/math/rotation_vector_rates.h"

namespace berth::robot_test {
namespace {

using V = Vec3<double>;
using Path = std::function<LabMotion(double)>;

double gap_between(const V& a, const V& b) { return norm(a - b); }
double turn_between(const Quaternion<double>& a, const Quaternion<double>& b) {
  return norm(find_rotation(a, b));
}

// Along three axes at other frequencies each.
LabMotion find_swing(double t) {
  LabMotion m;
  const double w[3] = {7, 5, 3};
  for (int k = 0; k < 3; ++k) {
    m.r_BL_N[k] = 0.1 * (k + 1) * std::sin(w[k] * t + k);
    m.v_BL_N[k] = 0.1 * (k + 1) * w[k] * std::cos(w[k] * t + k);
    m.a_BL_N[k] = -0.1 * (k + 1) * w[k] * w[k] * std::sin(w[k] * t + k);
  }
  return m;
}

// A body that turns about its own x at a rate s, tilted by c against an axis N_z it precesses about at p:
// q = exp(p t z) exp(c y) exp(s t x).
LabMotion find_coning(double t) {
  const double p = 2, c = 0.4, s = 3;
  LabMotion m;
  m.q_BN = quaternion_from_rotation_vector(V{0, 0, p * t}) *
           quaternion_from_rotation_vector(V{0, c, 0}) *
           quaternion_from_rotation_vector(V{s * t, 0, 0});
  const V z_B = transposed_times(rotation_matrix(m.q_BN), V{0, 0, 1});
  m.omega_BN_B = V{s, 0, 0} + p * z_B;
  m.alpha_BN_B = p * cross(z_B, m.omega_BN_B);  // ż_B = z_B × ω
  return m;
}

// One tick.
void follow(Robot& robot, double t, const LabMotion& commanded, double dead_time) {
  robot.command(t, commanded, dead_time);
  robot.move_to(t);
}

// Follows a path at t = 0, T, 2T, … up to `until`.
Robot follow(Robot robot, const Path& path, double T, double dead_time, double until) {
  robot.clear(static_cast<std::size_t>(dead_time / T) + 8);
  for (int k = 0; k * T < until + T / 2; ++k) follow(robot, k * T, path(k * T), dead_time);
  return robot;
}

TEST(RotationVectorRates, AreThoseOfAFiniteDifference) {
  const auto phi = [](double t) { return V{0.3 + t, 2 * t * t - 0.1, 0.7 * std::sin(3 * t)}; };
  for (const double t : {0.0, 0.05, 0.4, 0.9}) {
    const double h = 1e-4;
    const auto q = [&](double s) { return quaternion_from_rotation_vector(phi(s)); };
    const auto rate = [&](double s) { return V{1, 4 * s, 2.1 * std::cos(3 * s)}; };
    const auto omega = [&](double s) { return find_angular_velocity(phi(s), rate(s)); };
    const V seen = (1 / (2 * h)) * find_rotation(q(t - h), q(t + h));
    EXPECT_LT(gap_between(omega(t), seen), 1e-6);
    EXPECT_LT(gap_between(find_rotation_vector_rate(phi(t), omega(t)), rate(t)), 1e-13);
    const V alpha = find_angular_acceleration(phi(t), rate(t), {0, 4, -6.3 * std::sin(3 * t)});
    EXPECT_LT(gap_between(alpha, (1 / (2 * h)) * (omega(t + h) - omega(t - h))), 1e-6);
  }
}

TEST(RotationVectorRates, SeriesMeetClosedFormsAtTheirBorder) {
  const RotationFactors below(1e-2 * (1 - 1e-15)), above(1e-2);
  EXPECT_NEAR(below.A, above.A, 1e-14);
  EXPECT_NEAR(below.B, above.B, 1e-13);
  EXPECT_NEAR(below.D, above.D, 1e-12);
  EXPECT_NEAR(below.dA, above.dA, 1e-11);
  EXPECT_NEAR(below.dB, above.dB, 1e-10);
}

TEST(Robot, WithoutDeadTimeIsWhereItWasCommandedBitForBit) {
  Robot robot({}, {});
  robot.clear(4);
  for (int k = 0; k < 10; ++k) {
    LabMotion m = find_swing(0.01 * k);
    m.q_BN = find_coning(0.01 * k).q_BN;
    follow(robot, 0.01 * k, m, 0);
    EXPECT_EQ(robot.motion().r_BL_N, m.r_BL_N);
    EXPECT_EQ(robot.motion().v_BL_N, m.v_BL_N);
    EXPECT_EQ(robot.motion().q_BN, m.q_BN);
  }
}

// A cubic between ticks errs by p⁗/24 (s (1 − s) T²)², s the part of the period that has passed.
TEST(Robot, FractionalDeadTimeErrsAsTheFourthPowerOfThePeriod) {
  const double s = 0.37, w[3] = {7, 5, 3};
  double last = 0;
  for (const double T : {0.02, 0.01, 0.005}) {
    const double h = 2 * T + (1 - s) * T;
    Robot robot({}, {});
    robot.clear(8);
    double largest = 0, largest_predicted = 0;
    for (int k = 0; k * T < 4; ++k) {
      follow(robot, k * T, find_swing(k * T), h);
      if (k < 4) continue;
      const LabMotion wanted = find_swing(k * T - h);
      V fourth;  // p⁗
      for (int i = 0; i < 3; ++i) fourth[i] = std::pow(w[i], 4) * wanted.r_BL_N[i];
      largest = std::max(largest, gap_between(robot.motion().r_BL_N, wanted.r_BL_N));
      largest_predicted =
          std::max(largest_predicted, norm(fourth) / 24 * std::pow(s * (1 - s) * T * T, 2));
    }
    EXPECT_NEAR(largest / largest_predicted, 1, 2 * T);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / largest), 4, 0.05);
    }
    last = largest;
  }
}

TEST(Robot, LateAttitudesErrAsTheFourthPowerOfThePeriod) {
  double last = 0, last_rate = 0;
  for (const double T : {0.04, 0.02, 0.01}) {
    const double h = 1.63 * T, until = 0.8;
    const Robot robot = follow(Robot({}, {}), find_coning, T, h, until);
    const LabMotion wanted = find_coning(until - h);
    const double error = turn_between(robot.motion().q_BN, wanted.q_BN);
    const double rate = gap_between(robot.motion().omega_BN_B, wanted.omega_BN_B);
    EXPECT_LT(gap_between(robot.motion().alpha_BN_B, wanted.alpha_BN_B), 30 * T * T);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 4, 0.15);
      EXPECT_NEAR(std::log2(last_rate / rate), 3, 0.25);
    }
    last = error, last_rate = rate;
  }
}

TEST(Robot, BeforeTheFirstTickWentOnBackwards) {
  LabMotion start = find_swing(0.2);
  start.omega_BN_B = {0.1, 0, 0};
  Robot robot({}, {});
  robot.clear(8);
  follow(robot, 5, start, 0.03);
  EXPECT_LT(gap_between(robot.motion().r_BL_N, start.r_BL_N - 0.03 * start.v_BL_N), 1e-15);
  EXPECT_NEAR(find_rotation(start.q_BN, robot.motion().q_BN).x, -0.003, 1e-15);
  EXPECT_EQ(robot.motion().v_BL_N, start.v_BL_N);
}

// A cubic motion is met exactly, whatever ticks are missing.
RC_GTEST_PROP(Robot, GoesOverLostTicksSmoothly, (unsigned seed)) {
  const auto cubic = [](double t) {
    LabMotion m;
    m.r_BL_N = {t * t * t - t, 2 * t * t, 1 - t};
    m.v_BL_N = {3 * t * t - 1, 4 * t, -1};
    return m;
  };
  const double T = 0.01, h = 0.0243;
  Robot robot({}, {});
  robot.clear(16);
  for (unsigned k = 0; k <= 100; ++k) {
    if (k > 0 && k < 100 && find_uniform(seed, k, 0) < 0.5) continue;
    follow(robot, k * T, cubic(k * T), h);
    if (k * T < h) continue;
    RC_ASSERT(gap_between(robot.motion().r_BL_N, cubic(k * T - h).r_BL_N) < 1e-13);
  }
}

// Steady answer to a sine: |H| and arg H of ω²/(ω² − ν² + 2iζων), times e^(−iνh).
TEST(Robot, LagAnswersASineAsTheTransferFunctionSays) {
  for (const double zeta : {0.5, 1.0, 1.7}) {
    const double omega = 60, nu = 25, h = 0.0057, T = 0.0005;
    const Path sine = [&](double t) {
      LabMotion m;
      m.r_BL_N = {std::sin(nu * t), 0, 0};
      m.v_BL_N = {nu * std::cos(nu * t), 0, 0};
      m.q_BN = quaternion_from_rotation_vector(V{0, 0.5 * std::sin(nu * t), 0});
      m.omega_BN_B = {0, 0.5 * nu * std::cos(nu * t), 0};
      return m;
    };
    const double until = 2;
    const Robot robot = follow(Robot({omega, zeta}, {}), sine, T, h, until);
    const double re = omega * omega - nu * nu, im = 2 * zeta * omega * nu;
    const double gain = omega * omega / std::hypot(re, im);
    const double phase = nu * (until - h) - std::atan2(im, re);
    EXPECT_NEAR(robot.motion().r_BL_N.x, gain * std::sin(phase), 2e-9);
    EXPECT_NEAR(robot.motion().v_BL_N.x, gain * nu * std::cos(phase), 2e-7);
    EXPECT_NEAR(robot.motion().a_BL_N.x, -gain * nu * nu * std::sin(phase), 1e-5);
    // About one axis a rotation is a number like the others.
    const V turned = rotation_vector(robot.motion().q_BN);
    EXPECT_NEAR(turned.y, 0.5 * gain * std::sin(phase), 2e-9);
    EXPECT_NEAR(robot.motion().alpha_BN_B.y, -0.5 * gain * nu * nu * std::sin(phase), 1e-5);
  }
}

// Free decay of a cubic's error: against many small steps of Runge and Kutta.
TEST(SecondOrderLag, IsTheSolutionOfItsEquationForAnyDamping) {
  const Cubic u{{0.1, -2, 0}, {1, 0.5, 0}, {-3, 4, 0}, {2, -7, 1}};
  for (const double zeta : {0.05, 0.7, 0.999999, 1.0, 1.000001, 1.3, 8.0}) {
    const SecondOrderLag lag{11, zeta};
    SecondOrderLag::State y{{1, 0, -1}, {0, 3, 2}};
    const SecondOrderLag::State start = y;
    const double until = 0.9;
    const int n = 20000;
    const double dt = until / n;
    for (int k = 0; k < n; ++k) {
      const auto f = [&](const SecondOrderLag::State& s, double t) {
        return SecondOrderLag::State{s.v, lag.find_acceleration(s, u.value(t))};
      };
      const auto moved = [&](const SecondOrderLag::State& by, double s) {
        return SecondOrderLag::State{y.x + s * by.x, y.v + s * by.v};
      };
      const double t = k * dt;
      const auto a = f(y, t), b = f(moved(a, dt / 2), t + dt / 2);
      const auto c = f(moved(b, dt / 2), t + dt / 2), d = f(moved(c, dt), t + dt);
      y = {y.x + (dt / 6) * (a.x + 2.0 * b.x + 2.0 * c.x + d.x),
           y.v + (dt / 6) * (a.v + 2.0 * b.v + 2.0 * c.v + d.v)};
    }
    const SecondOrderLag::State exact = lag.advance(start, u, until);
    EXPECT_LT(gap_between(exact.x, y.x), 1e-11) << zeta;
    EXPECT_LT(gap_between(exact.v, y.v), 1e-10) << zeta;
    // In two pieces, as in one.
    const SecondOrderLag::State half = lag.advance(start, u, 0.31);
    const SecondOrderLag::State whole = lag.advance(half, u.from(0.31), until - 0.31);
    EXPECT_LT(gap_between(exact.x, whole.x), 1e-12) << zeta;
  }
}

TEST(Robot, SpinsBehindByTwiceZetaOverOmega) {
  const double omega = 40, zeta = 0.8, spin = 1.5;
  const Path path = [&](double t) {
    LabMotion m;
    m.q_BN = quaternion_from_rotation_vector(V{0, 0, spin * t});
    m.omega_BN_B = {0, 0, spin};
    return m;
  };
  const Robot robot = follow(Robot({omega, zeta}, {}), path, 0.004, 0.01, 10);
  const double behind = find_rotation(robot.motion().q_BN, path(10 - 0.01).q_BN).z;
  EXPECT_NEAR(behind, 2 * zeta * spin / omega, 1e-10);
  EXPECT_NEAR(robot.motion().omega_BN_B.z, spin, 1e-10);
}

TEST(Robot, IsNoFasterThanItsLimits) {
  const double T = 0.01;
  const Path path = [](double t) {
    LabMotion m;
    m.r_BL_N = {0.2 * t, 0, 0};
    m.v_BL_N = {0.2, 0, 0};
    m.q_BN = quaternion_from_rotation_vector(V{0, 0.3 * t, 0});
    m.omega_BN_B = {0, 0.3, 0};
    return m;
  };
  const Robot robot = follow(Robot({}, {0.05, 0.1}), path, T, 0, 1);
  EXPECT_NEAR(robot.motion().r_BL_N.x, 0.05, 1e-14);
  EXPECT_NEAR(norm(robot.motion().v_BL_N), 0.05, 1e-15);
  EXPECT_NEAR(rotation_vector(robot.motion().q_BN).y, 0.1, 1e-14);
  EXPECT_NEAR(norm(robot.motion().omega_BN_B), 0.1, 1e-15);
  EXPECT_LT(norm(robot.motion().a_BL_N), 1e-12);

  // What stays below them is not changed.
  const Robot free = follow(Robot({}, {0.3, 0.5}), path, T, 0, 1);
  EXPECT_EQ(free.motion().r_BL_N, path(1).r_BL_N);
  EXPECT_EQ(free.motion().v_BL_N, path(1).v_BL_N);
}

TEST(Chance, IsAFunctionOfSeedAndTick) {
  double sum = 0, squares = 0;
  const int n = 20000;
  for (int k = 0; k < n; ++k) {
    const double x = find_chance_normal(Chance::force, 1, 7, static_cast<std::uint64_t>(k));
    sum += x, squares += x * x;
    const double u = find_chance(Chance::dead_time, 7, static_cast<std::uint64_t>(k));
    ASSERT_TRUE(u > 0 && u < 1);
  }
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 0.05);
  EXPECT_EQ(find_chance(Chance::answer, 7, 12), find_chance(Chance::answer, 7, 12));
  EXPECT_NE(find_chance(Chance::answer, 7, 12), find_chance(Chance::answer, 8, 12));
  EXPECT_NE(find_chance(Chance::answer, 7, 12), find_chance(Chance::dead_time, 7, 12));
}

}  // namespace
}  // namespace berth::robot_test

// SPDX-License-Identifier: Apache-2.0

// Sensors: what they read, when it arrives, what controllers make of it.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/run/contact_runs.h"

namespace berth::test::sensors_test {
namespace {

using V = Vec3<double>;

// Two craft at rest relative to each other; the chaser's port faces −x, the target's +x.
System<double> pair(const V& chaser, const V& velocity = {}) {
  System<double> s;
  const int c = add_craft(s, "chaser", chaser, velocity);
  const int t = add_craft(s, "target", {}, {});
  s.model.ports.push_back({"chaser.probe", {c, {}, kBack}});
  s.model.ports.push_back({"target.cone", {t, {}, Mat3<double>::identity()}});
  return s;
}
RelativePose<double> navigation(double period = 0.2) {
  RelativePose<double> n;
  n.name = "navigation";
  n.between = {"chaser.probe", "target.cone"};
  n.axes = RelativeAxes::port;
  n.sample_time = period;
  return n;
}

struct Taken {
  bool valid;
  V position, velocity, attitude;
};
// The first samples of a sensor of a pair that does not move.
std::vector<Taken> take(RelativePose<double> sensor, int count, const V& chaser = {10, 0, 0}) {
  System<double> system = pair(chaser);
  const RelativePose<double> bound = system.add_sensor(sensor);
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  std::vector<Taken> out;
  for (int k = 0; k < count; ++k) {
    double o[9];
    const bool valid = bound.sample({run.system().model, w.motion, w.command},
                                    static_cast<std::uint64_t>(k), nullptr, o);
    out.push_back({valid, {o[0], o[1], o[2]}, {o[3], o[4], o[5]}, {o[6], o[7], o[8]}});
  }
  return out;
}

TEST(RelativePose, NoiseHasItsDeviationOnEveryAxis) {
  const int count = 20'000;
  RelativePose<double> sensor = navigation();
  sensor.noise_position = 0.02;
  sensor.noise_velocity = 0.005;
  sensor.noise_attitude = 0.001;
  sensor.seed = 7;
  const std::vector<Taken> all = take(sensor, count);
  const double one = 1 / std::sqrt(count);
  const auto errors = [](const Taken& m) {
    std::array<double, 9> e{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int i = static_cast<int>(k);
      e[k] = (m.position[i] - (k == 0 ? 10 : 0)) / 0.02;
      e[3 + k] = m.velocity[i] / 0.005;
      e[6 + k] = m.attitude[i] / 0.001;
    }
    return e;
  };
  for (std::size_t i = 0; i < 9; ++i) {
    double sum = 0, squares = 0, next = 0, last = 0;
    std::array<double, 9> both{};
    for (const Taken& m : all) {
      const auto e = errors(m);
      sum += e[i], squares += e[i] * e[i];
      next += e[i] * std::exchange(last, e[i]);
      for (std::size_t j = 0; j < i; ++j) both[j] += e[i] * e[j];
    }
    EXPECT_NEAR(std::sqrt(squares / count), 1, 3 * one / std::sqrt(2.0)) << i;
    EXPECT_LT(std::fabs(sum / count), 4 * one) << i;
    EXPECT_LT(std::fabs(next / count), 4 * one) << "independent of the sample before";
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LT(std::fabs(both[j] / count), 4 * one) << "and of the other axes";
  }
}

TEST(RelativePose, SameSeedSameNumbersOtherSeedOthers) {
  RelativePose<double> sensor = navigation();
  sensor.noise_position = 0.02;
  sensor.noise_velocity = 0.005;
  const auto a = take(sensor, 50), b = take(sensor, 50);
  sensor.seed = 1;
  const auto c = take(sensor, 50);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].position, b[k].position);
    EXPECT_EQ(a[k].velocity, b[k].velocity);
    EXPECT_NE(a[k].position, c[k].position);
    EXPECT_NE(a[k].velocity, c[k].velocity);
  }
  // The noise grows with its deviation and with nothing else.
  sensor.seed = 0;
  sensor.noise_position = 0.04;
  const auto twice = take(sensor, 50);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LT(norm(twice[k].position - V{10, 0, 0} - 2.0 * (a[k].position - V{10, 0, 0})), 1e-14);
    EXPECT_EQ(twice[k].velocity, a[k].velocity);
  }
}

TEST(RelativePose, SeesWithinItsAngleAndRange) {
  RelativePose<double> sensor = navigation();
  const auto sees = [&](const V& chaser) { return take(sensor, 1, chaser)[0].valid; };
  EXPECT_TRUE(sees({-10, 3, 0})) << "no limit";
  sensor.field_of_view = M_PI / 6;
  const double edge = 10 * std::tan(M_PI / 6);
  EXPECT_TRUE(sees({10, 0.999 * edge, 0}));
  EXPECT_FALSE(sees({10, 0, -1.001 * edge}));
  EXPECT_FALSE(sees({-10, 0, 0})) << "behind it";
  sensor.range_min = 2;
  sensor.range_max = 50;
  EXPECT_FALSE(sees({1.9, 0, 0}));
  EXPECT_TRUE(sees({2.1, 0, 0}));
  EXPECT_FALSE(sees({50.1, 0, 0}));
}

TEST(RelativePose, LosesAsManyReadingsAsItSays) {
  RelativePose<double> sensor = navigation();
  sensor.dropout = 0.1;
  int lost = 0;
  for (const Taken& t : take(sensor, 20'000)) lost += !t.valid;
  EXPECT_NEAR(lost, 2000, 4 * std::sqrt(20'000 * 0.09));
}

// The craft drift apart at 0.1 m/s: the reading of t arrives at t + latency.
TEST(RelativePose, ReadingsArriveLateAndAreHeld) {
  System<double> system = pair({10, 0, 0}, {0.1, 0, 0});
  RelativePose<double> sensor = navigation(0.5);
  sensor.latency = 0.2;
  system.add_sensor(sensor);
  HybridRun run(system, with_tolerance(1e-12));
  const auto read = [&](double t) {
    run.advance(t);
    return run.observe().readings;
  };
  EXPECT_EQ(read(0.1)[9], 0) << "nothing has arrived";
  EXPECT_EQ(read(0.3)[9], 1);
  EXPECT_NEAR(read(0.35)[0], 10, 1e-12);
  EXPECT_NEAR(read(0.65)[0], 10, 1e-12);
  EXPECT_NEAR(read(0.75)[0], 10.05, 1e-12);
  EXPECT_NEAR(read(1.15)[0], 10.05, 1e-12);
  EXPECT_NEAR(read(1.25)[0], 10.1, 1e-12);
}

// Out of range the last reading stays, and says that it is old.
TEST(RelativePose, HoldsTheLastReadingWhenItSeesNothing) {
  System<double> system = pair({10, 0, 0}, {1, 0, 0});
  RelativePose<double> sensor = navigation(0.5);
  sensor.range_max = 11.2;
  system.add_sensor(sensor);
  HybridRun run(system, with_tolerance(1e-12));
  run.advance(1.1);
  EXPECT_EQ(run.observe().readings[9], 1);
  run.advance(2.1);
  EXPECT_EQ(run.observe().readings[9], 0);
  EXPECT_NEAR(run.observe().readings[0], 11, 1e-12);
}

TEST(Sensors, AreSwitchedByEvents) {
  System<double> system = pair({10, 0, 0}, {0.1, 0, 0});
  system.add_sensor(navigation(0.5));
  HybridRun run(system, with_tolerance(1e-12));
  const auto at = [](double t, bool enable) {
    Event e;
    e.name = enable ? "on" : "off";
    e.at = t;
    e.actions = {SensorAction{"navigation", enable}};
    return e;
  };
  run.set_events({at(0.6, false), at(1.6, true)});
  run.advance(1.2);
  EXPECT_EQ(run.observe().readings[9], 0);
  EXPECT_NEAR(run.observe().readings[0], 10.05, 1e-12) << "the last one stands";
  run.advance(2.2);
  EXPECT_EQ(run.observe().readings[9], 1);
  EXPECT_NEAR(run.observe().readings[0], 10.2, 1e-12);
}

// The sample of 1 s arrives at 1.8 s, after the sensor was off at its sample of 1.5 s.
TEST(Sensors, ThatAreSwitchedOffLoseNothingThatIsOnItsWay) {
  System<double> system = pair({10, 0, 0}, {0.1, 0, 0});
  RelativePose<double> sensor = navigation(0.5);
  sensor.latency = 0.8;
  system.add_sensor(sensor);
  HybridRun run(system, with_tolerance(1e-12));
  Event off;
  off.name = "off";
  off.at = 1.2;
  off.actions = {SensorAction{"navigation", false}};
  run.set_events({off});
  for (const double t : {1.7, 2.2}) {
    run.advance(t);
    EXPECT_EQ(run.observe().readings[9], 1) << t;
  }
  EXPECT_NEAR(run.observe().readings[0], 10.1, 1e-12);
  run.advance(2.4);
  EXPECT_EQ(run.observe().readings[9], 0);
  EXPECT_NEAR(run.observe().readings[0], 10.1, 1e-12);
}

TEST(RelativePose, ContinuouslyIsTheTruth) {
  System<double> system = pair({10, 1, 2}, {0.1, 0, 0});
  system.add_sensor(navigation(0));
  HybridRun run(system, with_tolerance(1e-12));
  run.advance(3);
  const std::vector<double> r = run.observe().readings;
  EXPECT_NEAR(r[0], 10.3, 1e-12);
  EXPECT_NEAR(r[1], 1, 1e-12);
  EXPECT_NEAR(r[3], 0.1, 1e-12);
  EXPECT_NEAR(std::fabs(r[6]) + std::fabs(r[7]) + std::fabs(r[8]), 0, 1e-12) << "mated attitude";
  EXPECT_EQ(r[9], 1);
}

Approach<double> follow(double K = 2, double P = 70) {
  Approach<double> law;
  law.name = "approach";
  law.between = {"chaser.probe", "target.cone"};
  law.axes = RelativeAxes::port;
  law.distance.value = 10;
  law.K = K;
  law.P = P;
  return law;
}

// By an ideal sensor it does what it does by the truth; a bias leads it astray by as much.
TEST(Sensors, AControllerReadsThem) {
  const auto end = [](bool sensed, const V& bias) {
    System<double> system = pair({10.2, 0.1, 0});
    RelativePose<double> sensor = navigation(0);
    sensor.bias = bias;
    system.add_sensor(sensor);
    Approach<double> law = follow(20, 700);
    if (sensed) law.navigation = "navigation";
    system.add_control(law);
    HybridRun run(system, with_tolerance(1e-11));
    run.advance(900);
    return run.observe().motion.body(1).r_BN_N - run.observe().motion.body(2).r_BN_N;
  };
  EXPECT_LT(norm(end(true, {}) - end(false, {})), 1e-9);
  EXPECT_LT(norm(end(true, {0, 0.05, 0}) - V{10, -0.05, 0}), 1e-6);
}

TEST(Sensors, WhatCannotBeReadIsRefused) {
  System<double> system = pair({10, 0, 0});
  Gyro<double> gyro;
  gyro.name = "gyro";
  gyro.body = "chaser";
  system.add_sensor(gyro);
  system.add_sensor(navigation(0));
  Approach<double> law = follow();
  law.navigation = "gyro";
  EXPECT_THROW(system.add_control(law), std::invalid_argument);
  law.navigation = "navigatio";
  EXPECT_THROW(system.add_control(law), std::invalid_argument);
  law.navigation = "navigation";
  EXPECT_NO_THROW(system.add_control(law));
  RelativePose<double> noisy = navigation(0);
  noisy.noise_position = 1;
  EXPECT_THROW(system.add_sensor(noisy), std::invalid_argument) << "needs a sample_time";
}

// σ_w √(t / 1 h), over many seeds.
TEST(Gyro, WalksAsFarAsItSays) {
  double squares = 0;
  const int seeds = 400;
  for (int seed = 0; seed < seeds; ++seed) {
    System<double> system = pair({10, 0, 0});
    Gyro<double> gyro;
    gyro.body = "chaser";
    gyro.sample_time = 9;
    gyro.walk = 1e-3;
    gyro.seed = seed;
    system.add_sensor(gyro);
    HybridRun run(system, {});
    run.advance(900.5);
    for (int k = 0; k < 3; ++k)
      squares += square(run.observe().readings[static_cast<std::size_t>(k)]);
  }
  EXPECT_NEAR(std::sqrt(squares / (3 * seeds)), 1e-3 * std::sqrt(900.0 / 3600), 0.5e-3 * 0.08);
}

// A bias of the gyro is a rate the craft keeps.
TEST(Gyro, LeadsAControllerAstrayByItsBias) {
  System<double> system = pair({10, 0, 0});
  Gyro<double> gyro;
  gyro.name = "gyro";
  gyro.body = "chaser";
  gyro.bias = {1e-3, 0, -2e-3};
  system.add_sensor(gyro);
  AttitudeControl<double> law;
  law.name = "rate";
  law.body = "chaser";
  law.follow = Follow::rate;
  law.gyro = "gyro";
  law.P = 100;
  system.add_control(law);
  HybridRun run(system, with_tolerance(1e-10));
  run.advance(200);
  EXPECT_LT(norm(run.observe().motion.body(1).omega_BN_N + V{1e-3, 0, -2e-3}), 1e-9);
}

// Copied and saved in between, noise, walk and readings on the way go on bit for bit.
TEST(Sensors, GoOnWhereTheyWere) {
  System<double> system = pair({10, 0, 0}, {0.1, 0, 0});
  RelativePose<double> sensor = navigation(0.3);
  sensor.latency = 0.4;
  sensor.noise_position = 0.01;
  sensor.dropout = 0.2;
  system.add_sensor(sensor);
  Gyro<double> gyro;
  gyro.name = "gyro";
  gyro.body = "chaser";
  gyro.sample_time = 0.1;
  gyro.walk = 1;
  system.add_sensor(gyro);
  Approach<double> law = follow();
  law.navigation = "navigation";
  law.sample_time = 0.3;
  system.add_control(law);
  HybridRun whole(system, {}), half(system, {});
  whole.advance(20);
  half.advance(7.7);
  HybridRun other(system, {});
  other.restore(half.save());
  other.advance(20);
  EXPECT_EQ(other.observe().readings, whole.observe().readings);
  EXPECT_TRUE(std::equal(whole.x().begin(), whole.x().end(), other.x().begin()));
}

}  // namespace
}  // namespace berth::test::sensors_test

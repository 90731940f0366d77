// SPDX-License-Identifier: Apache-2.0

// The laboratory as a whole: an ideal one answers with the force of the engine, and each of its imperfections
// changes that by what its equation says.

#include "berth/live/facility.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/simulation.h"
#include "berth/system/contacts.h"

namespace berth::facility_test {
namespace {

using V = Vec3<double>;

// Two craft of 3 t that meet in a cone, without what takes part from outside.
constexpr const char* kCraft = R"(
[time]
stop = 15
[integrator]
tolerance = 1e-11
[[spacecraft]]
name = "target"
mass = 3000
inertia = [500, 450, 400]
[spacecraft.state]
omega_BN_B = [0.01, -0.02, 0.015]
[[spacecraft.port]]
name = "cone"
position = [1, 0, 0]
[[spacecraft]]
name = "chaser"
mass = 3000
inertia = [500, 400, 300]
[spacecraft.state]
position = [3.45, 0, 0.2]
velocity = [-0.03, 0.005, 0]
quaternion_BN = [0, 0, 0, 1]
omega_BN_B = [0.03, 0.01, -0.02]
[[spacecraft.port]]
name = "tip"
position = [2, 0.05, 0]
)";
constexpr const char* kSpring =
    "law = { type = \"spring_dashpot\", stiffness = 1000, damping = 200 }\n";

std::string write_contact(const std::string& law) {
  return "[[contact]]\nname = \"probe\"\nbetween = [\"chaser.tip\", \"target.cone\"]\n"
         "surface = \"cone\"\nhalf_angle_deg = 30\nlength = 2\n" +
         law;
}
std::string write_external(const std::string& commands) {
  return fmt::format("[[external]]\nname = \"lab\"\nsample_time = 0.01\ncommands = [{}]\n",
                     commands);
}
constexpr const char* kForce =
    "{ name = \"touch\", to = \"probe\", as = \"contact\", axes = \"inertial\", limit = 1e6 }";

struct Laboratory {
  std::optional<LiveSetup> setup;
  std::optional<Facility> facility;
  Problems problems;
};

Laboratory build(const std::string& facility, const std::string& commands = kForce,
                 const std::string& law = kSpring) {
  Laboratory lab;
  ReadScenario read = read_scenario_text(
      kCraft + write_contact(law) + write_external(commands) + facility, "lab.toml");
  lab.problems = read.problems;
  if (lab.problems.empty()) lab.setup = build_live(read.scenario, {{}, true}, lab.problems);
  if (lab.setup) lab.facility = Facility::build(*lab.setup, lab.problems);
  if (lab.facility) lab.facility->arm(0.01);
  return lab;
}

// Numbers of a tick: the poses of both craft, target first as in the file.
struct Tick {
  LabMotion target, chaser;

  std::vector<double> pack() const {
    std::vector<double> out;
    for (const LabMotion& m : {target, chaser})
      out.insert(out.end(), {m.r_BL_N.x, m.r_BL_N.y, m.r_BL_N.z, m.q_BN.w, m.q_BN.x, m.q_BN.y,
                             m.q_BN.z, m.v_BL_N.x, m.v_BL_N.y, m.v_BL_N.z, m.omega_BN_B.x,
                             m.omega_BN_B.y, m.omega_BN_B.z});
    return out;
  }
};

std::optional<V> ask(Facility& facility, std::uint64_t k, double t, const Tick& tick,
                     std::size_t width = 3) {
  std::vector<double> out(width);
  if (!facility.answer(k, t, tick.pack(), out)) return std::nullopt;
  return V{out[0], out[1], out[2]};
}

double random(unsigned seed, std::uint32_t i) { return 2 * find_uniform(seed, i, 9) - 1; }
V random_vector(unsigned seed, std::uint32_t i, double size) {
  return {size * random(seed, 3 * i), size * random(seed, 3 * i + 1),
          size * random(seed, 3 * i + 2)};
}

// About the mated attitude; the tip some millimetres from the wall.
Tick make_tick(unsigned seed) {
  Tick tick;
  tick.target.q_BN = quaternion_from_rotation_vector(random_vector(seed, 0, 0.4));
  tick.target.r_BL_N = random_vector(seed, 1, 5);
  tick.target.v_BL_N = random_vector(seed, 2, 0.1);
  tick.target.omega_BN_B = random_vector(seed, 3, 0.05);
  const Mat3<double> R_NT = rotation_matrix(tick.target.q_BN);
  tick.chaser.q_BN = tick.target.q_BN * Quaternion<double>{0, 0, 0, 1} *
                     quaternion_from_rotation_vector(random_vector(seed, 4, 0.1));
  const double along = 0.5 + 0.2 * random(seed, 40), round = 3 * random(seed, 41);
  const double across = along * std::tan(0.5235987755982988) + 0.01 * random(seed, 42);
  const V tip{1 + along, across * std::cos(round), across * std::sin(round)};
  tick.chaser.r_BL_N =
      tick.target.r_BL_N + R_NT * tip - rotation_matrix(tick.chaser.q_BN) * V{2, 0.05, 0};
  tick.chaser.v_BL_N = tick.target.v_BL_N + random_vector(seed, 5, 0.03);
  tick.chaser.omega_BN_B = random_vector(seed, 6, 0.05);
  return tick;
}

// The force of the engine at the poses of a tick, by its state.
V find_engine_force(const LiveSetup& setup, const Tick& tick) {
  const System<double>& system = setup.built.system;
  std::vector<double> x = find_initial_state(system);
  Workspace<double> w(system);
  for (const auto& [name, m] :
       {std::pair("target", tick.target), std::pair("chaser", tick.chaser)}) {
    const Body<double>& b = system.model.body(system.model.find_body(name));
    double* q = x.data() + b.q;
    double* v = x.data() + w.layout.v + b.v;
    for (int k = 0; k < 3; ++k) q[k] = m.r_BL_N[k], v[k] = m.v_BL_N[k], v[3 + k] = m.omega_BN_B[k];
    q[3] = m.q_BN.w, q[4] = m.q_BN.x, q[5] = m.q_BN.y, q[6] = m.q_BN.z;
  }
  Mode<double> mode = idle_mode(w);
  mode.contacts[0].now.touching = true;
  motion_stage<double>(system, 0.0, x, mode, w);
  const ContactMotion<double>& m = w.contacts[0];
  const bool pushes = m.gap <= 0 && find_press_margin(system.contacts[0], m) >= 0;
  return pushes ? m.force_N() : V{};
}

TEST(Facility, IdealIsTheForceOfTheEngineAtAnyPose) {
  const std::string laws[] = {
      kSpring,
      "law = { type = \"spring_dashpot\", stiffness = 1000, damping = 20 }\nfriction = 0.3\n",
      "law = { type = \"hunt_crossley\", stiffness = 1e5, damping = 0.3 }\n"
      "probe = { type = \"sphere\", radius = 0.004 }\n"};
  for (const std::string& law : laws) {
    Laboratory lab = build("[facility]\nshare = 0.3\n", kForce, law);
    ASSERT_TRUE(lab.facility) << describe(lab.problems.list.at(0));
    int touching = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
      const Tick tick = make_tick(seed);
      lab.facility->arm(0.01);
      const V answered = *ask(*lab.facility, 0, 0, tick),
              engine = find_engine_force(*lab.setup, tick);
      touching += lab.facility->touch().touching ? 1 : 0;
      ASSERT_LT(norm(answered - engine), 1e-12 * std::max(1.0, norm(engine)) * 10) << seed;
    }
    EXPECT_GT(touching, 100);
    EXPECT_LT(touching, 400);
  }
}

// A run with the law of its contact, sampled; the same poses to a laboratory.
TEST(Facility, IdealIsTheForceOfARun) {
  Laboratory lab = build("");
  ASSERT_TRUE(lab.facility);
  Simulation run = Simulation::from_text(kCraft + write_contact(kSpring));
  ASSERT_TRUE(run.run_to_event("contact_on"));
  double largest = 0;
  std::uint64_t k = 0;
  for (double t = run.t() + 0.005; t < 15; t += 0.02, ++k) {
    ASSERT_TRUE(run.run_until(t));
    const auto read = [&](const std::string& craft) {
      const auto r = run.values(craft + ".rho_BO_N"), q = run.values(craft + ".quaternion_BN"),
                 v = run.values(craft + ".rhodot_BO_N"), o = run.values(craft + ".omega_BN_B");
      return LabMotion{{r[0], r[1], r[2]},
                       {q[0], q[1], q[2], q[3]},
                       {v[0], v[1], v[2]},
                       {o[0], o[1], o[2]},
                       {},
                       {}};
    };
    const V answered = *ask(*lab.facility, k, t, {read("target"), read("chaser")});
    const auto f = run.values("probe.force_N");
    const V force{f[0], f[1], f[2]};
    largest = std::max(largest, norm(force));
    ASSERT_LT(norm(answered - force), 1e-11) << t;
  }
  EXPECT_GT(largest, 1);
}

TEST(Facility, MockUpsHaveTheirOwnLaw) {
  Laboratory soft = build("[facility]\nstiffness = 500\ndamping = 0\nfriction = 0\n");
  Laboratory same = build("", kForce, "law = { type = \"spring_dashpot\", stiffness = 500 }\n");
  ASSERT_TRUE(soft.facility && same.facility);
  bool touched = false;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Tick tick = make_tick(seed);
    soft.facility->arm(0.01), same.facility->arm(0.01);
    const V a = *ask(*soft.facility, 0, 0, tick);
    EXPECT_EQ(a, *ask(*same.facility, 0, 0, tick));
    touched |= norm(a) > 0;
  }
  EXPECT_TRUE(touched);
}

// Both craft move at uniform rates; the chaser swings about an axis of its own.
Tick make_motion(double t) {
  Tick tick;
  tick.target.q_BN = quaternion_from_rotation_vector(V{0, 0, 0.05 * t});
  tick.target.omega_BN_B = {0, 0, 0.05};
  tick.chaser.r_BL_N = {3.43 - 0.02 * t, 0.02 * std::sin(2 * t), 0.28};
  tick.chaser.v_BL_N = {-0.02, 0.04 * std::cos(2 * t), 0};
  const double angle = 0.2 * std::sin(3 * t);
  tick.chaser.q_BN =
      Quaternion<double>{0, 0, 0, 1} * quaternion_from_rotation_vector(V{0, angle, 0});
  tick.chaser.omega_BN_B = {0, 0.6 * std::cos(3 * t), 0};
  return tick;
}

constexpr const char* kRobots =
    "delay = 0.0123\njitter = 0.004\nrobot_frequency = 50\nshare = 0.4\n";

TEST(Facility, SensorThatKnowsItsMockUpIsIdeal) {
  const std::string robots = fmt::format("[facility]\n{}", kRobots);
  Laboratory ideal = build(robots);
  Laboratory real = build(robots + R"([facility.sensor]
position = [1.2, 0.1, -0.05]
euler_deg = [40, -25, 70]
sign = -1
mass = 12
centre_of_mass = [1.6, 0.02, 0.03]
bias = [1, -2, 3]
torque_bias = [0.4, 0.5, -0.6]
)");
  ASSERT_TRUE(ideal.facility && real.facility);
  double largest = 0, weight = 0;
  for (int k = 0; k < 600; ++k) {
    const auto tick = static_cast<std::uint64_t>(k);
    const V a = *ask(*ideal.facility, tick, 0.01 * k, make_motion(0.01 * k));
    const V b = *ask(*real.facility, tick, 0.01 * k, make_motion(0.01 * k));
    ASSERT_LT(norm(a - b), 1e-9) << k;
    ASSERT_LT(norm(real.facility->measured().contact.torque), 1e-9);
    largest = std::max(largest, norm(a));
    weight = std::max(weight, norm(real.facility->measured().reading.force));
  }
  EXPECT_GT(largest, 1);
  EXPECT_GT(weight, 10);  // what was taken out
}

// With a mass (1 + ε) m assumed, −ε m ((g − a_C) − R_NB R_NB(0)ᵀ g) is left over; uncompensated +m of it.
TEST(Facility, WrongMassLeavesItsPartOfWeightAndInertia) {
  const V g{1, 2, -9.5}, centre{1.6, 0.02, 0.03};
  const std::string head = fmt::format("[facility]\n{}gravity = [1, 2, -9.5]\n", kRobots);
  const std::string sensor =
      "[facility.sensor]\nmass = 12\ncentre_of_mass = [1.6, 0.02, 0.03]\neuler_deg = [40, -25, "
      "70]\n";
  Laboratory ideal = build(head);
  Laboratory wrong = build(head + sensor + "mass_error = 0.03\n");
  Laboratory raw = build(head + sensor + "compensate = false\n");
  ASSERT_TRUE(ideal.facility && wrong.facility && raw.facility);
  Mat3<double> R_start;
  double largest = 0;
  for (int k = 0; k < 300; ++k) {
    const auto tick = static_cast<std::uint64_t>(k);
    const Tick motion = make_motion(0.01 * k);
    const V f = *ask(*ideal.facility, tick, 0.01 * k, motion);
    const V with_error = *ask(*wrong.facility, tick, 0.01 * k, motion);
    const V without = *ask(*raw.facility, tick, 0.01 * k, motion);
    const LabMotion& m = ideal.facility->probe_robot().motion();
    const Mat3<double> R = rotation_matrix(m.q_BN);
    if (k == 0) R_start = R;
    const V a_C = m.a_BL_N + R * (cross(m.alpha_BN_B, centre) +
                                  cross(m.omega_BN_B, cross(m.omega_BN_B, centre)));
    const V left = 12.0 * ((g - a_C) - R * transposed_times(R_start, g));
    ASSERT_LT(norm(with_error - (f - 0.03 * left)), 1e-9) << k;
    ASSERT_LT(norm(without - (f + left)), 1e-9) << k;
    largest = std::max(largest, norm(left));
  }
  EXPECT_GT(largest, 10);
}

TEST(Facility, TareTakesOutBiasAndItsAbsenceLeavesIt) {
  const std::string sensor = "[facility.sensor]\nbias = [1, -2, 3]\nsign = -1\n";
  Laboratory tared = build("[facility]\n" + sensor);
  Laboratory bare = build("[facility]\n" + sensor + "tare = false\n");
  Tick far = make_motion(0);
  far.chaser.r_BL_N.x += 2;
  EXPECT_LT(norm(*ask(*tared.facility, 0, 0, far)), 1e-14);
  // Half a turn about z from body to N, and the sign.
  EXPECT_LT(norm(*ask(*bare.facility, 0, 0, far) - V{1, -2, -3}), 1e-14);
}

// Of the parabola a t², from rest at 0:  y = a (t² − 2τt + 2τ² (1 − e^(−t/τ))); after it stands still,
// e^(−t/τ) of what is missing.
TEST(ForceSensor, FilterIsExactForParabolas) {
  ForceSensorSpec spec;
  spec.filter_time = 0.03;
  ForceSensor sensor(spec, {}, 0);
  const double T = 0.01, tau = 0.03, a = 50, stop = 0.2;
  const auto force = [&](double t) {
    return ForceSensor::Load{{}, {a * std::pow(std::min(t, stop), 2), 0, 0}, {}};
  };
  const auto filtered = [&](double t) {
    return a * (t * t - 2 * tau * t - 2 * tau * tau * std::expm1(-t / tau));
  };
  sensor.start(force(0));
  double y = 0;
  for (std::uint64_t k = 1; k <= 40; ++k) {
    const double t = T * static_cast<double>(k);
    sensor.advance(T, force(t - T / 2), force(t));
    y = sensor.measure(k, force(t)).contact.force.x;
    if (t <= stop + 1e-12) {
      EXPECT_NEAR(y, filtered(t), 1e-13);
    }
  }
  EXPECT_NEAR(y, a * stop * stop - (a * stop * stop - filtered(stop)) * std::exp(-0.2 / tau),
              1e-13);
}

TEST(ForceSensor, NoiseHasItsStandardDeviationAndIsRepeated) {
  ForceSensorSpec spec;
  spec.noise = 0.5, spec.torque_noise = 0.02;
  ForceSensor one(spec, {}, 3), two(spec, {}, 3), other(spec, {}, 4);
  for (ForceSensor* sensor : {&one, &two, &other}) sensor->start({});
  V sum, squares;
  double torque = 0;
  const int n = 10000;
  for (int k = 0; k < n; ++k) {
    const auto tick = static_cast<std::uint64_t>(k);
    const Wrench<double> w = one.measure(tick, {}).reading;
    EXPECT_EQ(w.force, two.measure(tick, {}).reading.force);
    EXPECT_NE(w.force, other.measure(tick, {}).reading.force);
    for (int i = 0; i < 3; ++i) sum[i] += w.force[i], squares[i] += w.force[i] * w.force[i];
    torque += w.torque.x * w.torque.x;
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sum[i] / n, 0, 4 * 0.5 / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(squares[i] / n), 0.5, 0.02);
  }
  EXPECT_NEAR(std::sqrt(torque / n), 0.02, 0.001);
}

TEST(Facility, AnswersInTheAxesOfItsCommands) {
  Laboratory turned = build(
      "[facility.sensor]\ntorque_bias = [1, 2, 3]\ntare = false\n",
      "{ name = \"a\", to = \"probe\", as = \"contact\", axes = \"port\", port = \"target.cone\", "
      "limit = 1e6 }, "
      "{ name = \"n\", to = \"probe\", as = \"contact_torque\", axes = \"body\", limit = 1e6 }");
  Laboratory plain = build("");
  ASSERT_TRUE(turned.facility) << describe(turned.problems.list.at(0));
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Tick tick = make_tick(seed);
    turned.facility->arm(0.01), plain.facility->arm(0.01);
    std::vector<double> out(6);
    ASSERT_TRUE(turned.facility->answer(0, 0, tick.pack(), out));
    const V f_N = *ask(*plain.facility, 0, 0, tick);
    const V f_T = transposed_times(rotation_matrix(tick.target.q_BN), f_N);
    EXPECT_LT(norm(V{out[0], out[1], out[2]} - f_T), 1e-12);
    EXPECT_LT(norm(V{out[3], out[4], out[5]} - V{1, 2, 3}), 1e-12);
  }
}

TEST(Facility, LeavesOtherCommandsAsTheyAre) {
  Laboratory lab =
      build("", std::string(kForce) +
                    ", { name = \"push\", to = \"chaser\", as = \"force\", limit = 1 }");
  ASSERT_TRUE(lab.facility);
  std::vector<double> out(6, 0.0);
  ASSERT_TRUE(lab.facility->answer(0, 0, make_motion(0).pack(), out));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(std::isnan(out[i]), i >= 3);
}

TEST(Facility, DeadTimeHasItsJitter) {
  Laboratory lab = build("[facility]\ndelay = 0.02\njitter = 0.005\nseed = 5\n");
  double least = 1, most = 0;
  for (int k = 0; k < 500; ++k) {
    ask(*lab.facility, static_cast<std::uint64_t>(k), 0.01 * k, make_motion(0.01 * k));
    least = std::min(least, lab.facility->dead_time());
    most = std::max(most, lab.facility->dead_time());
  }
  EXPECT_GT(least, 0.02);
  EXPECT_LT(least, 0.0201);
  EXPECT_LT(most, 0.025);
  EXPECT_GT(most, 0.0249);
}

TEST(Facility, ShareMovesBothRobotsAndNotTheForce) {
  Laboratory whole = build(""), shared = build("[facility]\nshare = 0.25\n");
  for (int k = 0; k < 100; ++k) {
    const Tick tick = make_motion(0.05 * k);
    const auto n = static_cast<std::uint64_t>(k);
    EXPECT_LT(
        norm(*ask(*whole.facility, n, 0.05 * k, tick) - *ask(*shared.facility, n, 0.05 * k, tick)),
        1e-11);
  }
  const V moved{-0.02 * 4.95, 0.02 * std::sin(9.9), 0};
  EXPECT_EQ(norm(whole.facility->surface_robot().motion().r_BL_N), 0);
  EXPECT_LT(norm(shared.facility->surface_robot().motion().r_BL_N + 0.25 * moved), 1e-15);
}

TEST(Facility, StopsWhereARobotLeavesItsWorkspace) {
  const auto find_fault = [](const std::string& robot) {
    Laboratory lab = build("[[facility.robot]]\n" + robot);
    for (int k = 0; k < 1000; ++k)
      if (!ask(*lab.facility, static_cast<std::uint64_t>(k), 0.01 * k, make_motion(0.01 * k)))
        return fmt::format("{:.2f} s: {}", 0.01 * k, lab.facility->fault());
    return std::string("never");
  };
  // √((0.02 t)² + (0.02 sin 2t)²) = 0.05 at 2.294 s: the next tick is the first beyond.
  const std::string reach =
      find_fault("craft = \"chaser\"\nbase = [3.43, 0, 0.28]\nreach = 0.05\n");
  EXPECT_NE(reach.find("chaser"), std::string::npos) << reach;
  EXPECT_NE(reach.find("0.05 m"), std::string::npos) << reach;
  EXPECT_EQ(reach.substr(0, 4), "2.30") << reach;
  const std::string tilt = find_fault("craft = \"target\"\ntilt = 0.1\n");
  EXPECT_NE(tilt.find("target"), std::string::npos) << tilt;
  EXPECT_EQ(tilt.substr(0, 4), "2.01") << tilt;
  EXPECT_EQ(find_fault("craft = \"chaser\"\nreach = 4\ntilt = 0.3\n"), "never");
}

TEST(Facility, RefusesWhatNoLaboratoryCouldMake) {
  const auto problem = [](const std::string& facility, const std::string& commands = kForce,
                          const std::string& law = kSpring) {
    const Laboratory lab = build(facility, commands, law);
    EXPECT_FALSE(lab.facility);
    return lab.problems.list.empty() ? "" : describe(lab.problems.list.front());
  };
  EXPECT_NE(problem("", "{ name = \"push\", to = \"chaser\", as = \"force\", limit = 1 }")
                .find("none is the force of a contact"),
            std::string::npos);
  EXPECT_NE(problem("[facility]\nstiffness = 3\n", kForce,
                    "law = { type = \"hunt_crossley\", stiffness = 1e5 }\n")
                .find("spring_dashpot"),
            std::string::npos);
  EXPECT_NE(problem("[[facility.robot]]\ncraft = \"tug\"\n").find("tug"), std::string::npos);
}

}  // namespace
}  // namespace berth::facility_test

// SPDX-License-Identifier: Apache-2.0

// Inputs that stand for others, against those they stand for; and what check warns of.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/analysis/check.h"
#include "berth/simulate.h"

namespace berth::inputs_test {
namespace {

struct Loaded {
  ReadScenario read;
  BuiltScenario built;
  std::string problems() const {
    std::string all;
    for (const Problem& p : read.problems.list) all += describe(p) + "\n";
    return all;
  }
  std::string warnings() const {
    std::string all;
    for (const std::string& w : check(read.scenario, built).warnings) all += w + "\n";
    return all;
  }
};
Loaded load(const std::string& text) {
  Loaded l{read_scenario_text(text, "test.toml"), {}};
  l.built = build_scenario(l.read.scenario, l.read.problems);
  return l;
}
System<double> build(const std::string& text) {
  const Loaded l = load(text);
  EXPECT_EQ(l.problems(), "") << text;
  return l.built.system;
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string craft(const std::string& name, const std::string& more = "") {
  return fmt::format("[[spacecraft]]\nname = \"{}\"\nmass = 100\ninertia = [10, 20, 30]\n{}\n",
                     name, more);
}
const std::string kTime = "[time]\nstop = 10\n";

// Also a whole one that no double has exactly.
TEST(Inputs, ANumberStandsForAPartHoweverLargeItIs) {
  const std::string whole = "9007199254740993";
  const auto contact = [](const std::string& friction) {
    return kTime + craft("a") +
           "[[body]]\nname = \"wall\"\njoint = \"fixed\"\nmass = 1\ninertia = [1, 1, 1]\n"
           "[[body.port]]\nname = \"face\"\nposition = [-1, 0, 0]\n"
           "[[contact]]\nname = \"tip\"\nbetween = [\"a\", \"wall.face\"]\n"
           "surface = \"half_space\"\nlaw = { type = \"spring_dashpot\", stiffness = 10 }\n"
           "friction = " +
           friction + "\n";
  };
  const Loaded large = load(contact(whole));
  EXPECT_EQ(large.problems(), "");
  EXPECT_EQ(std::get<Coulomb<double>>(large.built.system.contacts.at(0).friction).coefficient,
            9007199254740992.0);
  EXPECT_TRUE(has(load(contact("-" + whole)).problems(), "must not be negative"));
}

TEST(Inputs, AnAltitudeIsACircularOrbit) {
  const std::string hub = craft("a", "[spacecraft.state]\n");
  const System<double> one =
      build(kTime + "[orbit]\naltitude_km = 400\ninclination_deg = 51.6\n" + hub);
  const System<double> two =
      build(kTime + "[orbit]\nsemi_major_axis = 6778136.3\ninclination_deg = 51.6\n" + hub);
  EXPECT_EQ(one.r_OE_N, two.r_OE_N);
  EXPECT_EQ(one.v_OE_N, two.v_OE_N);
  for (const char* wrong : {"altitude_km = 400\nsemi_major_axis_km = 7000\n",
                            "altitude_km = 400\neccentricity = 0.1\n", "altitude_km = -6400\n"})
    EXPECT_TRUE(has(load(kTime + "[orbit]\n" + wrong + hub).problems(), "orbit.altitude")) << wrong;
}

// Yaw, then pitch, then roll: x of the body in N is known by the first two.
TEST(Inputs, EulerAnglesAreThreeTwoOne) {
  const auto R = [&](const std::string& attitude) {
    const System<double> s = build(kTime + craft("a", "[spacecraft.state]\n" + attitude));
    const double* q = s.model.q0.data() + 3;
    return rotation_matrix(Quaternion<double>{q[0], q[1], q[2], q[3]});
  };
  const double yaw = 0.7, pitch = -0.4, roll = 1.1;
  const Mat3<double> m = R(fmt::format("euler = [{}, {}, {}]\n", yaw, pitch, roll));
  EXPECT_NEAR(m.xx, std::cos(yaw) * std::cos(pitch), 1e-14);
  EXPECT_NEAR(m.yx, std::sin(yaw) * std::cos(pitch), 1e-14);
  EXPECT_NEAR(m.zx, -std::sin(pitch), 1e-14);
  EXPECT_NEAR(m.zy, std::cos(pitch) * std::sin(roll), 1e-14);
  const Mat3<double> quarter = R("euler_deg = [90, 0, 0]\n");
  EXPECT_NEAR(quarter.yx, 1, 1e-14) << "x of the body points along y of N";
  EXPECT_TRUE(has(load(kTime + craft("a",
                                     "[spacecraft.state]\neuler_deg = [1, 2, 3]\nsigma_BN = "
                                     "[0, 0, 0.1]\n"))
                      .problems(),
                  "one attitude is enough"));
}

TEST(Inputs, APortByItsOutwardAxisAlone) {
  const auto axes = [&](const std::string& given) {
    const System<double> s =
        build(kTime + craft("a", "[[spacecraft.port]]\nname = \"p\"\naxes = " + given + "\n"));
    for (const auto& p : s.model.ports)
      if (p.name == "a.p") return p.port.R_BP;
    ADD_FAILURE();
    return Mat3<double>::identity();
  };
  EXPECT_EQ(axes("[-1, 0, 0]"), axes("[[-1, 0, 0], [0, 0, 1]]"));
  EXPECT_EQ(axes("[[0, 3, 0]]"), axes("[[0, 1, 0], [0, 0, 1]]"));
  EXPECT_EQ(axes("[0, 0, -2]"), axes("[[0, 0, -1], [1, 0, 0]]"));
  EXPECT_TRUE(has(
      load(kTime + craft("a", "[[spacecraft.port]]\nname = \"p\"\naxes = [0, 0, 0]\n")).problems(),
      "must have a direction"));
}

std::string slosh(const std::string& inputs) {
  return kTime + craft("a",
                       "[[spacecraft.component]]\ntype = \"slosh_mass\"\nname = \"s\"\naxis = "
                       "[1, 0, 0]\nmass = 20\n" +
                           inputs);
}
TEST(Inputs, SloshByFrequencyAndDampingRatio) {
  const auto part = [&](const std::string& inputs) {
    return std::get<std::vector<SloshMass<double>>>(build(slosh(inputs)).components)[0];
  };
  const SloshMass<double> a = part("frequency_Hz = 0.5\ndamping_ratio = 0.02\n");
  EXPECT_NEAR(a.k(), 20 * M_PI * M_PI, 1e-12);
  EXPECT_NEAR(a.c(), 2 * 0.02 * 20 * M_PI, 1e-12);
  EXPECT_EQ(part("stiffness = 5\ndamping = 0.1\n").k(), 5);
  for (const char* wrong : {"frequency_Hz = 1\nstiffness = 3\n", "damping_ratio = 0.1\n",
                            "frequency_Hz = 1\ndamping = 1\ndamping_ratio = 0.1\n"})
    EXPECT_FALSE(load(slosh(wrong)).problems().empty()) << wrong;
}

// A craft under a loop of a bandwidth swings as an oscillator of that frequency and damping does.
TEST(Inputs, ControllersByBandwidthAndDampingRatio) {
  const double w = 0.2, zeta = 0.5, t = 13;
  const double d = w * std::sqrt(1 - zeta * zeta);
  const double left = std::exp(-zeta * w * t) * (std::cos(d * t) + zeta * w / d * std::sin(d * t));
  for (const char* error : {"mrp", "quaternion"}) {
    Loaded l = load(fmt::format(
        "{}{}[[control]]\ntype = \"attitude\"\nname = \"c\"\nbody = \"a\"\nbandwidth = {}\n"
        "damping_ratio = {}\ninertia = [10, 20, 30]\nerror = \"{}\"\n",
        kTime, craft("a", "[spacecraft.state]\neuler = [0.001, 0, 0]\n"), w, zeta, error));
    ASSERT_EQ(l.problems(), "");
    HybridRun run(l.built.system, l.built.options);
    run.advance(t);
    const Mat3<double>& R = run.observe().motion.body(1).R_NB;
    EXPECT_NEAR(R.yx, 0.001 * left, 1e-9) << error;
  }
  const std::string port = "[[spacecraft.port]]\nname = \"p\"\n";
  const auto two = [&](const std::string& gains) {
    return kTime + craft("a", port + "[spacecraft.state]\nposition = [10.5, 0, 0]\n") +
           craft("b", port) +
           "[[control]]\ntype = \"approach\"\nname = \"c\"\nbetween = [\"a.p\", \"b.p\"]\naxes = "
           "\"port\"\ndistance = { value = 10 }\n" +
           gains;
  };
  const auto gains_of = [&](const std::string& gains) {
    return std::get<std::vector<Approach<double>>>(build(two(gains)).controls)[0];
  };
  const Approach<double> law = gains_of("bandwidth = 0.2\ndamping_ratio = 0.5\nmass = 100\n");
  EXPECT_NEAR(law.gain_K, 4, 1e-14);
  EXPECT_NEAR(law.gain_P, 20, 1e-14);
  EXPECT_EQ(gains_of("K = 3\nP = 40\n").gain_K, 3);
  const std::string missing = load(two("")).problems();
  EXPECT_TRUE(has(missing, "control.c.K") && has(missing, "or bandwidth")) << missing;
  EXPECT_TRUE(has(load(two("bandwidth = 1\n")).problems(), "needs the mass"));
}

// Against the definition: a ball thrown at a wall at that speed comes back at e times it.
TEST(Inputs, RestitutionOfHuntAndCrossley) {
  for (const double e : {0.2, 0.5, 0.9, 1.0})
    for (const double v : {0.01, 2.0}) {
      Loaded l = load(fmt::format(
          "[time]\nstop = {}\n[integrator]\ntolerance = 1e-11\n[[body]]\nname = \"ball\"\njoint = "
          "\"prismatic\"\naxis = [1, 0, 0]\nmass = 2\ninertia = [1, 1, 1]\nq = [{}]\nv = [{}]\n"
          "[[contact]]\nname = \"c\"\nbetween = [\"ball\", \"ground\"]\nsurface = \"half_space\"\n"
          "law = {{ type = \"hunt_crossley\", stiffness = 1e6, restitution = {}, speed = {} }}\n",
          0.2 + 0.02 / v, 0.01, -v, e, v));
      ASSERT_EQ(l.problems(), "");
      HybridRun run(l.built.system, l.built.options);
      run.advance(0.2 + 0.02 / v);
      EXPECT_NEAR(run.observe().motion.v[0] / v, e, 1e-6) << e << " at " << v;
    }
}

TEST(Inputs, SpringsAndEffortsInJointsOfBodies) {
  const auto at = [&](const std::string& inputs, double t) {
    Loaded l = load(kTime +
                    "[[body]]\nname = \"cart\"\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = 2\n"
                    "inertia = [1, 1, 1]\nq = [0.5]\n" +
                    inputs);
    EXPECT_EQ(l.problems(), "");
    HybridRun run(l.built.system, l.built.options);
    run.advance(t);
    return run.observe().motion.q[0];
  };
  EXPECT_NEAR(at("stiffness = 8\nrest = 0.1\n", 1.3), 0.1 + 0.4 * std::cos(2 * 1.3), 1e-9);
  EXPECT_NEAR(at("effort = 3\n", 2), 0.5 + 0.5 * 1.5 * 4, 1e-9);
  const std::string as_force =
      "[[force]]\ntype = \"joint_spring\"\nname = \"s\"\njoint = "
      "\"cart\"\nstiffness = 8\nrest = 0.1\n";
  EXPECT_NEAR(at(as_force, 1.3), 0.1 + 0.4 * std::cos(2 * 1.3), 1e-9);
  EXPECT_TRUE(
      has(load(kTime + "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\neffort = 1\n")
              .problems(),
          "belong to revolute and prismatic joints"));
}

TEST(Inputs, AWheelUnderAConstantTorque) {
  Loaded l =
      load(kTime +
           craft("a",
                 "[[spacecraft.component]]\ntype = \"reaction_wheel\"\nname = \"w\"\naxis "
                 "= [0, 0, 1]\nmass = 5\ninertia_spin = 0.1\ninertia_transverse = "
                 "0.06\n") +
           "[[control]]\ntype = \"joint_effort\"\nname = \"u\"\njoints = [\"a.w\"]\neffort = "
           "[{ value = 0.02 }]\n");
  ASSERT_EQ(l.problems(), "");
  HybridRun run(l.built.system, l.built.options);
  run.advance(10);
  const Motion<double>& m = run.observe().motion;
  EXPECT_NEAR(m.body(1).omega_BN_N.z, -0.02 * 10 / 30, 1e-9) << "the hub feels it";
  EXPECT_NEAR(m.v[6], 0.02 * 10 / 0.1 + 0.02 * 10 / 30, 1e-9);
}

const std::string kPorts =
    craft("b",
          "[[spacecraft.port]]\nname = \"cone\"\nposition = [-1.2, 0, 0]\naxes = [-1, 0, 0]\n") +
    craft("a",
          "[[spacecraft.port]]\nname = \"probe\"\nposition = [1.2, 0, 0]\n[spacecraft.state]\n"
          "relative_to = \"b.cone\"\nport = \"probe\"\naxes = \"port\"\nattitude = \"mated\"\n"
          "position = [0.5, 0, 0]\n");
std::string capture(const std::string& zone) {
  return kTime + kPorts +
         "[[contact]]\nname = \"tip\"\nbetween = [\"a.probe\", \"b.cone\"]\nsurface = \"cone\"\n"
         "half_angle_deg = 30\nlength = 0.3\nlaw = { type = \"spring_dashpot\", stiffness = 1000 "
         "}\n"
         "[[dock]]\nname = \"joint\"\ntype = \"rigid\"\nbetween = [\"a.probe\", \"b.cone\"]\n"
         "[[capture]]\nname = \"c\"\nbetween = [\"a.probe\", \"b.cone\"]\ncontacts = [\"tip\"]\n"
         "dock = \"joint\"\n" +
         zone;
}

TEST(Inputs, ADockThatACaptureNamesStartsOpen) {
  EXPECT_FALSE(build(capture("")).docks[0].engaged);
}

TEST(Inputs, WhatPeopleCallThemIsAnsweredWithTheirNames) {
  const std::string text =
      load(kTime + kPorts +
           "[[contact]]\nname = \"tip\"\nbetween = [\"a.probe\", \"b.cone\"]\n"
           "surface = \"cone\"\nhalf_angle_deg = 30\ndepth = 0.3\nlaw = { type "
           "= \"spring_dashpot\", stiffness = 1000 }\n")
          .problems();
  EXPECT_TRUE(has(text, "contact.tip.depth — is called \"length\" here")) << text;
}

// --- warnings ------------------------------------------------------------------------------------

TEST(Warnings, OfAZoneThatDoesNotFitItsCone) {
  EXPECT_EQ(load(capture("")).warnings(), "");
  EXPECT_TRUE(has(load(capture("zone_depth = 0.4\n")).warnings(), "zone_depth"));
  EXPECT_TRUE(has(load(capture("zone_radius = 0.2\n")).warnings(), "zone_radius"));
}

TEST(Warnings, OfHullsThatOverlap) {
  const auto at = [&](double x) {
    return load(kTime + craft("a") +
                craft("b", fmt::format("[spacecraft.state]\nposition = [{}, 0, 0]\n", x)))
        .warnings();
  };
  EXPECT_TRUE(has(at(0.5), "hulls of a and b overlap")) << at(0.5);
  EXPECT_EQ(at(20), "");
}

TEST(Warnings, OfThrustersThatCannotGiveWhatIsAsked) {
  const auto with = [&](const std::string& jets) {
    return load(kTime + kPorts +
                "[[force]]\ntype = \"thruster_set\"\nname = \"jets\"\nbody = \"a\"\nthruster = [" +
                jets +
                "]\n[[control]]\ntype = \"approach\"\nname = \"c\"\nbetween = [\"a.probe\", "
                "\"b.cone\"]\nthrusters = \"jets\"\naxes = \"port\"\ndistance = { value = 0.5 }\nK "
                "= "
                "1\nP = 10\n")
        .warnings();
  };
  std::string all, but_z;
  for (const char* d :
       {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]", "[0, 0, 1]", "[0, 0, -1]"})
    for (const double side : {0.5, -0.5}) {
      const std::string jet =
          fmt::format("{{ position = [{0}, {0}, {0}], direction = {1}, thrust = 2 }},", side, d);
      all += jet;
      if (!std::string(d).ends_with("-1]")) but_z += jet;
    }
  EXPECT_EQ(with(all), "");
  EXPECT_TRUE(has(with(but_z), "c asks jets for a force they cannot give: along -z of a"))
      << with(but_z);
}

}  // namespace
}  // namespace berth::inputs_test

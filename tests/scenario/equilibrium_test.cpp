// SPDX-License-Identifier: Apache-2.0

// Contacts that start pressed on: against statics, and by what a run makes of them.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "berth/system/contacts.h"
#include "tests/support/built.h"

namespace berth::equilibrium_test {
namespace {

constexpr double kG = 9.81, kMass = 100, kStiffness = 2e4;

// Feet of a craft on the ground, which faces +x, each a port and a contact.
std::string lander(const std::vector<std::array<double, 2>>& feet, const std::string& law,
                   const std::string& more = "") {
  std::string text = fmt::format(
      "[time]\nstop = 2\n[gravity]\nuniform = [{}, 0, 0]\n[[spacecraft]]\nname = \"a\"\nmass = {}\n"
      "inertia = [40, 30, 20]\n[spacecraft.state]\nposition = [1.3, 0.2, -0.1]\n",
      -kG, kMass);
  for (std::size_t i = 0; i < feet.size(); ++i)
    text += fmt::format("[[spacecraft.port]]\nname = \"foot{}\"\nposition = [-1, {}, {}]\n", i,
                        feet[i][0], feet[i][1]);
  for (std::size_t i = 0; i < feet.size(); ++i)
    text += fmt::format(
        "[[contact]]\nname = \"foot{}\"\nbetween = [\"a.foot{}\", \"ground\"]\nsurface = "
        "\"half_space\"\nstart = \"equilibrium\"\nlaw = {}\n{}\n",
        i, i, law, more);
  return text;
}
std::string spring() {
  return fmt::format("{{ type = \"spring_dashpot\", stiffness = {}, damping = 50 }}", kStiffness);
}

std::vector<double> find_depths(const System<double>& system) {
  Workspace<double> w(system);
  motion_stage<double>(system, 0.0, find_initial_state(system), idle_mode(w), w);
  std::vector<double> out;
  for (const ContactMotion<double>& m : w.contacts) out.push_back(-m.gap);
  return out;
}
std::string find_problems(const std::string& text) {
  ReadScenario read = read_scenario_text(text, "test.toml");
  build_scenario(read.scenario, read.problems);
  std::string all;
  for (const Problem& p : read.problems.list) all += describe(p) + "\n";
  return all;
}
// The fastest any speed is at the end of a run.
double find_unrest(const std::string& text) {
  ReadScenario read = read_scenario_text(text, "test.toml");
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  EXPECT_TRUE(read.problems.empty());
  HybridRun run(built.system, built.options);
  EXPECT_EQ(run.advance(read.scenario.time.stop).ending, Ending::reached_end);
  double most = 0;
  for (int i = 0; i < built.system.model.speed_count(); ++i)
    most =
        std::max(most, std::fabs(run.x()[static_cast<std::size_t>(built.system.layout().v + i)]));
  return most;
}

TEST(ContactEquilibrium, OneFootUnderTheCentreCarriesTheWeight) {
  const std::string text = lander({{0, 0}}, spring());
  const test::Built built(text);
  EXPECT_NEAR(find_depths(built.system())[0], kMass * kG / kStiffness, 1e-12);
  EXPECT_NEAR(built.system().model.q0[1], 0.2, 1e-15);  // moved along the normal alone
  EXPECT_LT(find_unrest(text), 1e-12);
}

TEST(ContactEquilibrium, APowerLawIsInvertedToo) {
  const std::string text = lander(
      {{0, 0}}, "{ type = \"hunt_crossley\", stiffness = 3e6, damping = 1e5, exponent = 1.5 }");
  EXPECT_NEAR(find_depths(test::Built(text).system())[0], std::pow(kMass * kG / 3e6, 1 / 1.5),
              1e-11);
  EXPECT_LT(find_unrest(text), 1e-10);
}

// By statics where the feet stand in the end: forces carry the weight, without a moment about the centre
// of mass. The craft tilts until its springs give them.
TEST(ContactEquilibrium, ThreeFeetShareTheWeightAsStaticsSays) {
  const std::vector<std::array<double, 2>> feet = {{0.9, 0.1}, {-0.6, 0.7}, {-0.5, -0.8}};
  const std::string text = lander(feet, spring());
  const test::Built built(text);
  const std::vector<double> depth = find_depths(built.system());
  const Mat3<double> R_NB = built.body("a").R_NB;
  double weight = 0;
  Vec3<double> moment{};
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const Vec3<double> force{kStiffness * depth[i], 0, 0};
    weight += force.x;
    moment += cross(R_NB * Vec3<double>{-1, feet[i][0], feet[i][1]}, force);
    EXPECT_GT(depth[i], 0) << i;
  }
  EXPECT_NEAR(weight, kMass * kG, 1e-8);
  EXPECT_LT(norm(moment), 1e-8);
  EXPECT_LT(find_unrest(text), 1e-9);
}

TEST(ContactEquilibrium, FourFeetHaveThreeWaysToMove) {
  const std::vector<double> depth =
      find_depths(test::Built(lander({{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}, spring())).system());
  for (const double d : depth) EXPECT_NEAR(d, kMass * kG / kStiffness / 4, 1e-12);
}

TEST(ContactEquilibrium, HardFeetTouch) {
  const std::string text =
      lander({{0.5, 0.5}, {0.5, -0.5}, {-0.5, 0}}, "{ type = \"impact\", restitution = 0.5 }");
  for (const double d : find_depths(test::Built(text).system())) EXPECT_NEAR(d, 0, 1e-12);
  EXPECT_LT(find_unrest(text), 1e-9);
}

// Two free craft that a spring pulls together: the pair is pressed by the spring, and does not move.
TEST(ContactEquilibrium, CraftPressedTogetherStayWhereTheyWere) {
  const std::string text = R"(
[time]
stop = 5
[[spacecraft]]
name = "a"
mass = 100
inertia = [10, 10, 10]
[spacecraft.state]
position = [0, 0, 0]
velocity = [0.1, 0, 0]
[[spacecraft.port]]
name = "face"
position = [1, 0, 0]
[[spacecraft]]
name = "b"
mass = 300
inertia = [30, 30, 30]
[spacecraft.state]
position = [2.2, 0, 0]
[[spacecraft.port]]
name = "tip"
position = [-1, 0, 0]
[[force]]
name = "pull"
type = "spring_damper"
body_1 = "a"
body_2 = "b"
stiffness = 40
length = 1
)";
  const std::string contact = R"(
[[contact]]
name = "tip"
between = ["b.tip", "a.face"]
surface = "half_space"
start = "equilibrium"
law = { type = "spring_dashpot", stiffness = 1000, damping = 10 }
)";
  // 1000 d = 40 (2 − d − 1)
  const test::Built built(text + contact);
  ASSERT_EQ(built.problems(), "");
  EXPECT_NEAR(find_depths(built.system())[0], 40.0 / 1040, 1e-12);
  const std::vector<double>& q = built.system().model.q0;
  EXPECT_NEAR((100 * q[0] + 300 * q[7]) / 400, 300 * 2.2 / 400, 1e-12);  // centre of mass
  EXPECT_NEAR(built.system().model.v0[0], 0.025, 1e-12);                 // one velocity
}

TEST(ContactEquilibrium, SaysWhatStandsInItsWay) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string beside = find_problems(lander({{0.5, 0}, {0.8, 0.1}, {0.8, -0.1}}, spring()));
  EXPECT_TRUE(has(beside, "contact.foot0.start") && has(beside, "the craft topples")) << beside;
  const std::string late = find_problems(lander({{0, 0}}, spring(), "delay = 0.01"));
  EXPECT_TRUE(has(late, "a late force is not in equilibrium")) << late;
  const std::string weak =
      find_problems(lander({{0, 0}}, "{ type = \"spring_dashpot\", stiffness = 1, damping = 0 }"));
  EXPECT_TRUE(has(weak, "the law is too soft")) << weak;
}

}  // namespace
}  // namespace berth::equilibrium_test

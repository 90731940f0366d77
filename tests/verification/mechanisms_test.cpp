// SPDX-License-Identifier: Apache-2.0

// Closed chains against published and closed-form numbers, through the files that ship.

#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "tests/support/reference.h"
#include "tests/support/shipped.h"

namespace berth::mechanisms_test {
namespace {

using Settings = std::vector<std::string>;

using test::find_problems;
using test::number;
using test::run_shipped;

// The settings that hold every loop of a file in one way.
Settings hold(const std::string& enforce, std::initializer_list<const char*> loops) {
  Settings out;
  for (const char* loop : loops) out.push_back(fmt::format("loop.{}.enforce={}", loop, enforce));
  return out;
}

const test::Reference ref("benchmarks");

TEST(SliderCrank, ReproducesTheTable) {
  for (const char* enforce : {"exact", "reduced"}) {
    SCOPED_TRACE(enforce);
    Settings settings = hold(enforce, {"pin"});
    settings.push_back("time.stop=100");
    const Summary s = run_shipped("slider_crank", {0, 1, 10, 100}, settings);
    const std::vector<double>& start = ref.find("crank.start.force", 2);
    EXPECT_NEAR(number(s, 0, "pin.force_N", 0), start[0], 1e-9);
    EXPECT_NEAR(number(s, 0, "pin.force_N", 1), start[1], 1e-9);
    const std::string rows[] = {"crank.1.", "crank.10."};
    for (std::size_t i = 0; i < 2; ++i) {
      const double angle = ref(rows[i] + "angle");
      const std::vector<double>& force = ref.find(rows[i] + "force", 2);
      EXPECT_NEAR(number(s, i + 1, "crank.angle"), angle, 1e-9 * angle);
      EXPECT_NEAR(number(s, i + 1, "crank.rate"), ref(rows[i] + "rate"), 1e-8);
      EXPECT_NEAR(number(s, i + 1, "pin.force_N", 0), force[0], 1e-8 * 277);
      EXPECT_NEAR(number(s, i + 1, "pin.force_N", 1), force[1], 1e-8 * 277);
    }
    EXPECT_NEAR(number(s, 3, "crank.angle"), ref("crank.100.angle"), 1e-7);
  }
}

// Crank and rod of one length: with the slider above the crank's pin both could turn as one.
TEST(SliderCrank, OfEqualLengthsStaysOnItsBranch) {
  const double l = 0.35, rate = 4, third = std::numbers::pi / 3;
  for (const char* enforce : {"exact", "reduced"}) {
    Settings settings = hold(enforce, {"pin"});
    const auto set = [&](const char* key, std::vector<double> x) {
      settings.push_back(fmt::format("body.{}=[{}]", key, fmt::join(x, ",")));
    };
    set("crank.centre_of_mass", {l / 2, 0, 0});
    set("crank.inertia", {1e-6, l * l / 12, l * l / 12});
    set("crank.v", {rate});
    set("rod.position", {l, 0, 0});
    set("rod.centre_of_mass", {l / 2, 0, 0});
    set("rod.inertia", {1e-6, 1.5 * l * l / 12, 1.5 * l * l / 12});
    set("rod.port.end.position", {l, 0, 0});
    set("rod.q", {-2 * third});
    set("rod.v", {-2 * rate});
    set("slider.q", {l});
    set("slider.v", {-2 * l * std::sin(third) * rate});
    std::vector<double> at;
    for (int k = 1; k <= 100; ++k) at.push_back(0.1 * k);
    // In one line the load in the pin is noise, and with it what the ground takes.
    settings.push_back("expect.angular_momentum=2e-6");
    const Summary s = run_shipped("slider_crank", at, settings);
    for (std::size_t k = 0; k < at.size(); ++k)
      EXPECT_NEAR(number(s, k, "slider.travel"), 2 * l * std::cos(number(s, k, "crank.angle")),
                  1e-12);
    EXPECT_GT(number(s, at.size() - 1, "crank.angle"), 50) << "it went round and round";
  }
}

// Crank and rod in line, where the slider turns back: u̇ = (−73.575, 29.43, −28), λ as below.
TEST(SliderCrank, StartsAtItsDeadPoint) {
  const Summary s = run_shipped("slider_crank", {0},
                                {"time.stop=0.001", "body.crank.q=[0]", "body.rod.q=[0]",
                                 "body.rod.v=[-14]", "body.slider.q=[0.7]", "body.slider.v=[0]"});
  EXPECT_NEAR(number(s, 0, "pin.force_N", 0), -56, 1e-9);
  EXPECT_NEAR(number(s, 0, "pin.force_N", 1), -3.67875, 1e-9);
}

TEST(SliderCrank, IsAssembledFromAGuess) {
  const Summary exact =
      run_shipped("slider_crank", {0},
                  {"time.stop=0.1", "body.crank.v=[0]", "body.rod.v=[0]", "body.slider.v=[0]"});
  const Summary guess =
      run_shipped("slider_crank", {0},
                  {"time.stop=0.1", "body.crank.v=[0]", "body.rod.v=[0]", "body.slider.v=[0]",
                   "body.rod.q=[-1.3]", "body.slider.q=[0.6]"});
  // The pin is shut wherever the crank has gone.
  const double crank = number(guess, 0, "crank.angle"), rod = number(guess, 0, "rod.angle");
  EXPECT_NEAR(0.2 * std::sin(crank) + 0.5 * std::sin(crank + rod), 0, 1e-12);
  EXPECT_NEAR(0.2 * std::cos(crank) + 0.5 * std::cos(crank + rod),
              number(guess, 0, "slider.travel"), 1e-12);
  EXPECT_NEAR(number(exact, 0, "crank.angle"), std::numbers::pi / 3, 1e-15) << "fits: not touched";
}

TEST(Andrews, ReproducesTheReference) {
  EXPECT_LE(run_shipped("andrews", {}).steps.accepted, 200u);
  const Summary s = run_shipped("andrews", {0, 0.03});
  EXPECT_NEAR(std::fabs(number(s, 0, "l3.force_N", 0)), ref.find("andrews.start.force", 2)[0],
              1e-6);
  EXPECT_NEAR(std::fabs(number(s, 0, "l3.force_N", 1)), ref.find("andrews.start.force", 2)[1],
              1e-6);
  const std::pair<const char*, double> angles[] = {
      {"K1", ref("andrews.beta")},   {"K2", ref("andrews.Theta")}, {"K3", ref("andrews.gamma")},
      {"K4", ref("andrews.Phi")},    {"K5", ref("andrews.delta")}, {"K6", -ref("andrews.Phi")},
      {"K7", ref("andrews.epsilon")}};
  for (const auto& [body, angle] : angles)
    EXPECT_NEAR(number(s, 1, std::string(body) + ".angle"), angle, 1e-9) << body;
  EXPECT_NEAR(number(s, 1, "K1.rate"), ref("andrews.rate"), 1e-5);
  EXPECT_NEAR(number(s, 1, "l3.force_N", 0), ref("andrews.force"), 1e-6 * 200);
}

TEST(Bricard, ReproducesItsPoint) {
  const Summary s = run_shipped("bricard", {1, 10});
  // The point that starts at (1, −1, 0): the third joint.
  const Vec3<double> table[] = {ref.vector("bricard.1"), ref.vector("bricard.10")};
  for (std::size_t i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(number(s, i, "rod3.rho_BO_N", k), table[i][k], 1e-8) << i << k;
}

// The bars stay parallel, so that φ̈ = (3.5 g/3) sin φ; in one line they could do otherwise.
TEST(FourBar, PassesItsSingularPositions) {
  for (const double rate : {1.0, 0.3, 4.0})
    for (const char* enforce : {"exact", "reduced"})
      for (const char* tolerance : {"1e-9", "1e-10", "1e-12"}) {
        SCOPED_TRACE(fmt::format("{} rad/s, {}, {}", rate, enforce, tolerance));
        Settings settings = hold(enforce, {"pin1", "pin2"});
        settings.push_back(fmt::format("integrator.tolerance={}", tolerance));
        // How much of the rounding is left depends on how near to a singular position a step ends: of 60 rates
        // beside 0.3 rad/s half stay below 4e-7, one comes to 1.3e-6.
        settings.push_back("expect.angular_momentum=2e-6");
        for (const char* bar : {"bar0", "bar1", "bar2"})
          settings.push_back(fmt::format("body.{}.v=[{}]", bar, -rate));
        for (const char* link : {"link1", "link2"})
          settings.push_back(fmt::format("body.{}.v=[{}]", link, rate));
        const Summary s = run_shipped("four_bar", {10}, settings);
        Adaptive<double> pendulum(kDop853, 2, {{0, 1, 1.0}, {1, 1, 1.0}}, {.tolerance = 1e-14});
        pendulum.start(0, std::vector<double>{0, rate});
        const auto f = [](double, std::span<const double> x, std::span<double> x_dot) {
          x_dot[0] = x[1];
          x_dot[1] = 3.5 * 9.81 / 3 * std::sin(x[0]);
        };
        while (pendulum.t() < 10) ASSERT_EQ(pendulum.step(f, 10.0), StepOutcome::accepted);
        if (rate == 1.0) {
          EXPECT_NEAR(pendulum.x()[0], ref("four_bar.10"), 1e-10);
        }
        const double upright = std::numbers::pi / 2;
        EXPECT_NEAR(upright - number(s, 0, "bar0.angle"), pendulum.x()[0], 1e-7);
        EXPECT_NEAR(number(s, 0, "link1.rho_BO_N", 0), std::sin(pendulum.x()[0]), 1e-7);
      }
}

TEST(FourBar, ThatCannotCloseIsRefusedWithRowsAndGap) {
  const std::string text = find_problems("four_bar", {"body.bar2.position=[4.5,0,0]"});
  EXPECT_NE(text.find("loop.pin2"), std::string::npos) << text;
  EXPECT_NE(text.find("cannot be closed from this start"), std::string::npos) << text;
  EXPECT_NE(text.find(" m and "), std::string::npos) << text;
  EXPECT_NE(text.find("(rows "), std::string::npos) << text;
}

TEST(Loop, ThatCannotCloseIsRefusedWithItsGap) {
  ReadScenario read = read_scenario(test::shipped_file("slider_crank"),
                                    {"body.rod.port.end.position=[0.1,0,0]", "body.crank.q=[1.5]"});
  // The rod is too short for the slider's line: 0.2 m up, 0.1 m down.
  read.scenario.body[2].joint = "fixed";
  read.scenario.body[2].position = {2, 0, 0};
  read.scenario.body[2].q.clear();
  read.scenario.body[2].v.clear();
  build_scenario(read.scenario, read.problems);
  ASSERT_EQ(read.problems.list.size(), 1u);
  const std::string text = describe(read.problems.list[0]);
  EXPECT_NE(text.find("loop.pin"), std::string::npos) << text;
  EXPECT_NE(text.find("cannot be closed"), std::string::npos) << text;
  EXPECT_NE(text.find(" m and "), std::string::npos) << text;
  EXPECT_NE(text.find("rows"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::mechanisms_test

// SPDX-License-Identifier: Apache-2.0

// Closed chains against published and closed-form numbers, through the files that ship.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "tests/support/shipped.h"

namespace berth {
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

TEST(SliderCrank, ReproducesTheTable) {
  for (const char* enforce : {"exact", "reduced"}) {
    SCOPED_TRACE(enforce);
    Settings settings = hold(enforce, {"pin"});
    settings.push_back("time.stop=100");
    const Summary s = run_shipped("slider_crank", {0, 1, 10, 100}, settings);
    EXPECT_NEAR(number(s, 0, "pin.force_N", 0), 1.387552718745, 1e-9);
    EXPECT_NEAR(number(s, 0, "pin.force_N", 1), -2.456514083425, 1e-9);
    const double table[][4] = {
        {15.817189094627858, 24.87148888237457, 148.428296886954, -2.493357439642},
        {150.655097863604057, 23.65639315584634, -276.966946612799, -51.777971849785}};
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(number(s, i + 1, "crank.angle"), table[i][0], 1e-9 * table[i][0]);
      EXPECT_NEAR(number(s, i + 1, "crank.rate"), table[i][1], 1e-8);
      EXPECT_NEAR(number(s, i + 1, "pin.force_N", 0), table[i][2], 1e-8 * 277);
      EXPECT_NEAR(number(s, i + 1, "pin.force_N", 1), table[i][3], 1e-8 * 277);
    }
    EXPECT_NEAR(number(s, 3, "crank.angle"), 1497.018088436317168, 1e-7);
  }
}

// Crank and rod of one length: with the slider above the crank's pin both could turn as one.
TEST(SliderCrank, OfEqualLengthsStaysOnItsBranch) {
  const double l = 0.35, rate = 4, third = 1.0471975511965976;
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
    settings.push_back("expect.angular_momentum=1e-5");
    const Summary s = run_shipped("slider_crank", at, settings);
    for (std::size_t k = 0; k < at.size(); ++k)
      EXPECT_NEAR(number(s, k, "slider.travel"), 2 * l * std::cos(number(s, k, "crank.angle")),
                  1e-12);
    EXPECT_GT(number(s, at.size() - 1, "crank.angle"), 50) << "it went round and round";
  }
}

// Crank and rod in line, where the slider turns back: u̇ = (−73.575, 29.43, −28), λ = (−56, −3.67875).
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
  EXPECT_NEAR(number(exact, 0, "crank.angle"), 1.0471975511965976, 1e-15) << "fits: not touched";
}

TEST(Andrews, ReproducesTheReference) {
  EXPECT_LE(run_shipped("andrews", {}).steps.accepted, 200u);
  const Summary s = run_shipped("andrews", {0, 0.03});
  EXPECT_NEAR(std::fabs(number(s, 0, "l3.force_N", 0)), 98.5668703962, 1e-6);
  EXPECT_NEAR(std::fabs(number(s, 0, "l3.force_N", 1)), 6.1226883443, 1e-6);
  const std::pair<const char*, double> angles[] = {
      {"K1", 15.8107711951535},   {"K2", -15.7563710584115}, {"K3", 0.040822240119643},
      {"K4", -0.534730116342083}, {"K5", 0.524409965879954}, {"K6", 0.534730116342083},
      {"K7", 1.048080741041938}};
  for (const auto& [body, angle] : angles)
    EXPECT_NEAR(number(s, 1, std::string(body) + ".angle"), angle, 1e-9) << body;
  EXPECT_NEAR(number(s, 1, "K1.rate"), 1139.9203022591, 1e-5);
  EXPECT_NEAR(number(s, 1, "l3.force_N", 0), 199.175348, 1e-6 * 200);
}

TEST(Bricard, ReproducesItsPoint) {
  const Summary s = run_shipped("bricard", {1, 10});
  // The point that starts at (1, −1, 0): the third joint.
  const double table[][3] = {{0.27448131926, -0.88670793873, -0.46233000269},
                             {0.99973098730, -0.99999996383, -0.00026897651}};
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
          EXPECT_NEAR(pendulum.x()[0], 31.7505971869861, 1e-10);
        }
        const double upright = 1.5707963267948966;
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
}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// Closed chains against published and closed-form numbers, through the files that ship.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/simulate.h"

namespace berth {
namespace {

using Settings = std::vector<std::string>;

std::string shipped(const std::string& name) {
  return fmt::format("{}/scenarios/{}.toml", BERTH_SOURCE_DIR, name);
}
Summary run(const std::string& name, const std::vector<double>& at, const Settings& settings = {}) {
  ReadScenario read = read_scenario(shipped(name), settings);
  const Story story = build_story(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  SimulateOptions options;
  options.at = at;
  Summary s = simulate(read.scenario, story, options);
  EXPECT_TRUE(s.as_expected()) << describe(s);
  return s;
}
double number(const Summary& s, std::size_t sample, const std::string& channel, int k = 0) {
  for (const Channel& c : s.channels)
    if (c.name == channel) return s.samples[sample].row[static_cast<std::size_t>(c.first + k)];
  ADD_FAILURE() << channel;
  return NAN;
}

TEST(SliderCrank, ReproducesTheTable) {
  const Summary s = run("slider_crank", {0, 1, 10});
  EXPECT_NEAR(number(s, 0, "pin.force_N", 0), 1.387552718745, 1e-9);
  EXPECT_NEAR(number(s, 0, "pin.force_N", 1), -2.456514083425, 1e-9);
  const double table[][4] = {
      {15.817189094627858, 24.87148888237457, 148.428296886954, -2.493357439642},
      {150.655097863604057, 23.65639315584634, -276.966946612799, -51.777971849785}};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(number(s, i + 1, "crank.angle"), table[i][0], 1e-8);
    EXPECT_NEAR(number(s, i + 1, "crank.rate"), table[i][1], 1e-7);
    EXPECT_NEAR(number(s, i + 1, "pin.force_N", 0), table[i][2], 1e-6 * 277);
    EXPECT_NEAR(number(s, i + 1, "pin.force_N", 1), table[i][3], 1e-6 * 277);
  }
}

// Crank and rod in line, where the slider turns back: u̇ = (−73.575, 29.43, −28), λ = (−56, −3.67875).
TEST(SliderCrank, StartsAtItsDeadPoint) {
  const Summary s = run("slider_crank", {0},
                        {"time.stop=0.001", "body.crank.q=[0]", "body.rod.q=[0]",
                         "body.rod.v=[-14]", "body.slider.q=[0.7]", "body.slider.v=[0]"});
  EXPECT_NEAR(number(s, 0, "pin.force_N", 0), -56, 1e-9);
  EXPECT_NEAR(number(s, 0, "pin.force_N", 1), -3.67875, 1e-9);
}

TEST(SliderCrank, IsAssembledFromAGuess) {
  const Summary exact =
      run("slider_crank", {0},
          {"time.stop=0.1", "body.crank.v=[0]", "body.rod.v=[0]", "body.slider.v=[0]"});
  const Summary guess = run("slider_crank", {0},
                            {"time.stop=0.1", "body.crank.v=[0]", "body.rod.v=[0]",
                             "body.slider.v=[0]", "body.rod.q=[-1.3]", "body.slider.q=[0.6]"});
  // The pin is shut wherever the crank has gone.
  const double crank = number(guess, 0, "crank.angle"), rod = number(guess, 0, "rod.angle");
  EXPECT_NEAR(0.2 * std::sin(crank) + 0.5 * std::sin(crank + rod), 0, 1e-12);
  EXPECT_NEAR(0.2 * std::cos(crank) + 0.5 * std::cos(crank + rod),
              number(guess, 0, "slider.travel"), 1e-12);
  EXPECT_NEAR(number(exact, 0, "crank.angle"), 1.0471975511965976, 1e-15) << "fits: not touched";
}

TEST(Andrews, ReproducesTheReference) {
  const Summary s = run("andrews", {0, 0.03});
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
  const Summary s = run("bricard", {1, 10});
  // The point that starts at (1, −1, 0): the third joint.
  const double table[][3] = {{0.27448131926, -0.88670793873, -0.46233000269},
                             {0.99973098730, -0.99999996383, -0.00026897651}};
  for (std::size_t i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(number(s, i, "rod3.rho_BO_N", k), table[i][k], 1e-8) << i << k;
}

TEST(Loop, ThatCannotCloseIsRefusedWithItsGap) {
  ReadScenario read = read_scenario(shipped("slider_crank"),
                                    {"body.rod.port.end.position=[0.1,0,0]", "body.crank.q=[1.5]"});
  // The rod is too short for the slider's line: 0.2 m up, 0.1 m down.
  read.scenario.body[2].joint = "fixed";
  read.scenario.body[2].position = {2, 0, 0};
  read.scenario.body[2].q.clear();
  read.scenario.body[2].v.clear();
  build_story(read.scenario, read.problems);
  ASSERT_EQ(read.problems.list.size(), 1u);
  const std::string text = describe(read.problems.list[0]);
  EXPECT_NE(text.find("loop.pin"), std::string::npos) << text;
  EXPECT_NE(text.find("cannot be closed"), std::string::npos) << text;
  EXPECT_NE(text.find(" m and "), std::string::npos) << text;
  EXPECT_NE(text.find("rows"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth

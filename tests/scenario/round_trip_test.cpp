// SPDX-License-Identifier: Apache-2.0

// What is written of a scenario says all of it: read again it is the same, and it runs the same.

#include <filesystem>

#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::round_trip_test {
namespace {

using test::all_of;

namespace fs = std::filesystem;

class RoundTrip : public testing::TestWithParam<std::string> {
 protected:
  const fs::path file_ = test::shipped_scenario(GetParam());
};

TEST_P(RoundTrip, WrittenAndReadAgainIsTheSame) {
  const ReadScenario first = read_scenario(file_);
  ASSERT_EQ(all_of(first.problems), "");
  const std::string text = write_scenario(first.scenario);
  ReadScenario again = read_scenario_text(text, "again.toml");
  build_scenario(again.scenario, again.problems);
  EXPECT_EQ(all_of(again.problems), "");
  EXPECT_EQ(write_scenario(again.scenario), text);
}

// The first steps give the same bits, so nothing is lost on the way, not even a last digit.
TEST_P(RoundTrip, WrittenRunsLikeTheOriginal) {
  const auto run = [](ReadScenario read) {
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    EXPECT_EQ(all_of(read.problems), "");
    int steps = 0;
    SimulateOptions options;
    options.interrupted = [&] { return ++steps > 50; };
    return to_json(simulate(read.scenario, built, options), false);
  };
  const ReadScenario first = read_scenario(file_);
  const std::string text = write_scenario(first.scenario);
  EXPECT_EQ(run(first), run(read_scenario_text(text, "again.toml")));
}

INSTANTIATE_TEST_SUITE_P(Shipped, RoundTrip, testing::ValuesIn(test::shipped_scenarios()),
                         [](const auto& p) { return p.param; });

TEST(RoundTripOf, EveryKindOfTextComesBack) {
  Scenario s;
  s.title = "quotes \" and ' and \\ and\nlines, umlauts ä, \t tabs and '''";
  s.time.stop = 0.1 + 0.2;
  SpacecraftSpec craft;
  craft.name = "a";
  craft.mass = 1.0 / 3;
  craft.inertia = {1e-7, 1e-7, 1e-7, 1e-9, -1e-9, 3e-10};
  craft.state.emplace();
  craft.state->position = {5e-324, 1e300, -0.1};
  craft.state->sigma_BN = Vec3<double>{0.1, 1e-17, -0.3};
  s.spacecraft.push_back(craft);
  const std::string text = write_scenario(s);
  const ReadScenario again = read_scenario_text(text, "again.toml");
  ASSERT_EQ(all_of(again.problems), "");
  EXPECT_EQ(again.scenario.title, s.title);
  EXPECT_EQ(again.scenario.time.stop, s.time.stop);
  EXPECT_EQ(again.scenario.spacecraft[0].mass, craft.mass);
  EXPECT_EQ(again.scenario.spacecraft[0].inertia, craft.inertia);
  EXPECT_EQ(again.scenario.spacecraft[0].state->position, craft.state->position);
  EXPECT_EQ(*again.scenario.spacecraft[0].state->sigma_BN, *craft.state->sigma_BN);
  EXPECT_EQ(write_scenario(again.scenario), text);
}

// --- from = "file.toml" --------------------------------------------------------------------------

class Source : public testing::Test {
 protected:
  Source() {
    fs::create_directory(folder_ / "craft");
    write("craft/servicer.toml", R"(
mass = 750
inertia = [900, 800, 600]
[state]
sigma_BN = [0.1, 0, 0]
omega_BN_B = [0, 0, 0.01]
[[port]]
name = "probe"
position = [1, 0, 0]
[[component]]
type = "reaction_wheel"
name = "wheel1"
axis = [1, 0, 0]
mass = 9
inertia_spin = 0.159
inertia_transverse = 0.08
speed_rpm = 60
[[component]]
type = "reaction_wheel"
name = "wheel2"
axis = [0, 1, 0]
mass = 9
inertia_spin = 0.159
inertia_transverse = 0.08
)");
  }
  void write(const std::string& name, const std::string& text) {
    test::write_bytes(folder_ / name, text);
  }
  // A scenario in the folder whose one craft goes on like this.
  ReadScenario read(const std::string& craft, const std::vector<std::string>& settings = {}) {
    write("scenario.toml", "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\n" + craft);
    ReadScenario out = read_scenario(folder_ / "scenario.toml", settings);
    build_scenario(out.scenario, out.problems);
    return out;
  }
  static const ReactionWheel<double>& wheel(const ReadScenario& r, std::size_t i) {
    return std::get<ReactionWheel<double>>(r.scenario.spacecraft.at(0).component.at(i).part);
  }

  test::TemporaryFolder folder_;
};

TEST_F(Source, BringsTheWholeCraft) {
  const ReadScenario r = read("from = \"craft/servicer.toml\"\n");
  ASSERT_EQ(all_of(r.problems), "");
  const SpacecraftSpec& c = r.scenario.spacecraft[0];
  EXPECT_EQ(c.name, "a");
  EXPECT_EQ(c.mass, 750);
  EXPECT_EQ(c.component.size(), 2u);
  EXPECT_EQ(c.port.size(), 1u);
  EXPECT_EQ(c.state->omega_BN_B.z, 0.01);
}

TEST_F(Source, IsLaidUnderWhatTheScenarioSays) {
  const ReadScenario r = read(R"(from = "craft/servicer.toml"
mass = 500
[spacecraft.state]
position = [1, 2, 3]
[[spacecraft.component]]
name = "wheel2"
mass = 12
[[spacecraft.component]]
type = "slosh_mass"
name = "fuel"
axis = [1, 0, 0]
mass = 50
[[spacecraft.port]]
name = "probe"
position = [2, 0, 0]
)");
  ASSERT_EQ(all_of(r.problems), "");
  const SpacecraftSpec& c = r.scenario.spacecraft[0];
  EXPECT_EQ(c.mass, 500);
  EXPECT_EQ(c.inertia.xx, 900);
  EXPECT_EQ(c.state->position.y, 2);
  EXPECT_EQ(c.state->omega_BN_B.z, 0.01) << "the rest of the state stays";
  ASSERT_EQ(c.component.size(), 3u);
  EXPECT_EQ(wheel(r, 0).mass, 9);
  EXPECT_EQ(wheel(r, 1).mass, 12) << "found by its name";
  EXPECT_EQ(c.component[2].name, "fuel");
  ASSERT_EQ(c.port.size(), 1u);
  EXPECT_EQ(c.port[0].position.x, 2);
}

TEST_F(Source, GivesWayToOtherUnitsAndOtherNumbersOfTheAttitude) {
  const ReadScenario r = read(R"(from = "craft/servicer.toml"
[spacecraft.state]
quaternion_BN = [1, 0, 0, 0]
omega_BN_B_deg_s = [0, 0, 180]
[[spacecraft.component]]
name = "wheel1"
speed = 3
)");
  ASSERT_EQ(all_of(r.problems), "");
  EXPECT_FALSE(r.scenario.spacecraft[0].state->sigma_BN);
  EXPECT_DOUBLE_EQ(r.scenario.spacecraft[0].state->omega_BN_B.z, M_PI);
  EXPECT_EQ(wheel(r, 0).speed, 3);
}

TEST_F(Source, MayBeAScenarioOfOneCraft) {
  write("whole.toml",
        "[time]\nstop = 7\n[[spacecraft]]\nname = \"b\"\nmass = 3\ninertia = [1, 1, 1]\n");
  const ReadScenario r = read("from = \"whole.toml\"\n");
  ASSERT_EQ(all_of(r.problems), "");
  EXPECT_EQ(r.scenario.spacecraft[0].mass, 3);
  EXPECT_EQ(r.scenario.spacecraft[0].name, "a");
  EXPECT_EQ(r.scenario.time.stop, 1);
}

TEST_F(Source, IsSearchedForBesideTheFileThatNamesIt) {
  write("craft/big.toml", "from = \"servicer.toml\"\nmass = 2000\n");
  const ReadScenario r = read("from = \"craft/big.toml\"\n");
  ASSERT_EQ(all_of(r.problems), "");
  EXPECT_EQ(r.scenario.spacecraft[0].mass, 2000);
  EXPECT_EQ(r.scenario.spacecraft[0].inertia.xx, 900);
}

TEST_F(Source, ServesSeveralCraft) {
  const ReadScenario r = read(
      "from = \"craft/servicer.toml\"\n[[spacecraft]]\nname = \"b\"\nfrom = "
      "\"craft/servicer.toml\"\n"
      "[spacecraft.state]\nposition = [9, 0, 0]\n");
  ASSERT_EQ(all_of(r.problems), "");
  EXPECT_EQ(r.scenario.spacecraft[0].state->position.x, 0);
  EXPECT_EQ(r.scenario.spacecraft[1].state->position.x, 9);
}

TEST_F(Source, TakesSettingsLikeAnyCraft) {
  const ReadScenario r =
      read("from = \"craft/servicer.toml\"\n",
           {"spacecraft.a.component.wheel1.speed_rpm=120", "spacecraft.a.mass=1"});
  ASSERT_EQ(all_of(r.problems), "");
  EXPECT_EQ(r.scenario.spacecraft[0].mass, 1);
  EXPECT_DOUBLE_EQ(wheel(r, 0).speed, 4 * M_PI);
}

TEST_F(Source, CanBeSetItself) {
  write("light.toml", "mass = 3\ninertia = [1, 1, 1]\n");
  const ReadScenario r = read("from = \"craft/servicer.toml\"\n",
                              {"spacecraft.a.mass=4", "spacecraft.a.from=light.toml"});
  ASSERT_EQ(all_of(r.problems), "");
  EXPECT_EQ(r.scenario.spacecraft[0].mass, 4);
  EXPECT_EQ(r.scenario.spacecraft[0].inertia.xx, 1);
  EXPECT_TRUE(r.scenario.spacecraft[0].component.empty());
}

TEST_F(Source, LeavesNothingBehindInWhatIsWritten) {
  const ReadScenario r = read("from = \"craft/servicer.toml\"\n");
  const std::string text = write_scenario(r.scenario);
  ReadScenario again = read_scenario_text(text, "again.toml", {}, "/nowhere");
  build_scenario(again.scenario, again.problems);
  EXPECT_EQ(all_of(again.problems), "");
  EXPECT_EQ(write_scenario(again.scenario), text);
}

TEST_F(Source, KeepsThePlacesOfTheScenariosOwnMistakes) {
  const ReadScenario r = read("from = \"craft/servicer.toml\"\nmass = -3\n");
  ASSERT_EQ(r.problems.list.size(), 1u);
  EXPECT_EQ(r.problems.list[0].file, (folder_ / "scenario.toml").string());
  EXPECT_EQ(r.problems.list[0].place.line, 6);
  EXPECT_EQ(r.problems.list[0].place.column, 8);
}

}  // namespace
}  // namespace berth::round_trip_test

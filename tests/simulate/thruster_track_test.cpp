// SPDX-License-Identifier: Apache-2.0

// What thruster sets did: on-time, impulse and ΔV, to all digits and whatever is recorded.

#include "berth/system/thruster_track.h"

#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "berth/system/mass_properties.h"
#include "tests/support/shipped.h"

namespace berth::test::thruster_track_test {
namespace {

const std::string kPulsed = R"(
[time]
stop = 10
[[spacecraft]]
name = "tug"
mass = 100
inertia = [30, 40, 50]
[spacecraft.state]
[[spacecraft.port]]
name = "nose"
position = [1, 0, 0]
[[spacecraft]]
name = "debris"
mass = 300
inertia = [30, 40, 50]
[spacecraft.placement]
docked_to = "tug.nose"
[[spacecraft.port]]
name = "tail"
position = [-1, 0, 0]
axes = [-1, 0, 0]
[[dock]]
name = "joint"
type = "rigid"
between = ["tug.nose", "debris.tail"]
[[force]]
type = "thruster_set"
name = "jets"
body = "tug"
sample_time = 1
thruster = [{ position = [-1, 0.5, 0], direction = [1, 0, 0], thrust = 2 },
            { position = [-1, -0.5, 0], direction = [1, 0, 0], thrust = 2 }]
[[control]]
type = "thrust"
name = "burn"
body = "tug"
thrusters = "jets"
force = { value = 1 }
)";

Summary run_text(const std::string& text, const std::vector<std::string>& settings = {}) {
  ReadScenario read = read_scenario_text(text, "test.toml", settings);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  return read.problems.empty() ? simulate(read.scenario, built, {}) : Summary{};
}

// 1 N of 4 N: both valves are open for a quarter of each of ten seconds.
TEST(ThrusterTrack, OfPulsesIsExact) {
  for (const char* interval : {"record.interval=10", "record.interval=0.37"}) {
    const Summary s = run_text(kPulsed, {interval});
    EXPECT_NEAR(find_number(s, "thrusters.jets.on_time"), 2 * 10 * 0.25, 1e-12);
    EXPECT_NEAR(find_number(s, "thrusters.jets.impulse"), 10, 1e-12);
    EXPECT_NEAR(find_number(s, "thrusters.jets.delta_v"), 10.0 / 400, 1e-14);
    // What it did to the speed: both push along x and nothing else does.
    EXPECT_NEAR(find_number(s, "final.tug.v_BN_N.0"), 10.0 / 400, 1e-11);
  }
}

// Half of the run joined, half alone.
TEST(ThrusterTrack, TakesTheMassThatIsJoinedAtTheTime) {
  const Summary s = run_text(
      kPulsed + "[[event]]\nname = \"part\"\nat = 5\ndo = [{ release = \"joint\" }]\n", {});
  EXPECT_NEAR(find_number(s, "thrusters.jets.impulse"), 10, 1e-12);
  EXPECT_NEAR(find_number(s, "thrusters.jets.delta_v"), 5.0 / 400 + 5.0 / 100, 1e-13);
}

TEST(ThrusterTrack, OfAContinuousSetIsTheIntegralOfItsLevels) {
  const Summary s = run_text(kPulsed, {"force.jets.sample_time=0"});
  EXPECT_NEAR(find_number(s, "thrusters.jets.on_time"), 2 * 10 * 0.25, 1e-11);
  EXPECT_NEAR(find_number(s, "thrusters.jets.delta_v"), 10.0 / 400, 1e-12);
}

TEST(ThrusterTrack, GoesOnInARestoredRun) {
  ReadScenario read = read_scenario_text(kPulsed, "test.toml", {});
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  HybridRun whole(built.system, built.options), halves(built.system, built.options),
      restored(built.system, built.options);
  whole.advance(10);
  halves.advance(3.2);  // with open valves behind and before it
  restored.restore(halves.save());
  restored.advance(10);
  halves.advance(10);
  EXPECT_EQ(halves.thruster_tracks()[0].on_time(), restored.thruster_tracks()[0].on_time());
  EXPECT_EQ(halves.thruster_tracks()[0].delta_v(), restored.thruster_tracks()[0].delta_v());
  EXPECT_NEAR(restored.thruster_tracks()[0].on_time(), whole.thruster_tracks()[0].on_time(), 1e-12);
}

TEST(PeakTime, IsWhereTheChannelIsLargest) {
  ReadScenario read = read_scenario(shipped_file("capture_envelope"));
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  const Summary first = simulate(read.scenario, built, {});
  const double t = find_number(first, "contacts.tip.force_peak_time");
  ASSERT_GT(t, 0);
  SimulateOptions options;
  options.at = {t};
  const Summary s = simulate(read.scenario, built, options);
  const double peak = find_number(s, "contacts.tip.force_peak");
  double there = NAN;
  for (const Channel& c : s.channels)
    if (c.name == "tip.force") there = s.samples[0].row[static_cast<std::size_t>(c.first)];
  EXPECT_NEAR(there, peak, 1e-6 * peak);
  // Springs that are latched while they are stretched pull most at once.
  EXPECT_EQ(find_number(s, "docks.soft.force_peak_time"), find_number(s, "events.capture_soft.t"));
}

TEST(JoinedMass, FollowsJointsAndDocksThatAreEngaged) {
  ReadScenario read = read_scenario_text(kPulsed, "test.toml", {});
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  const int tug = built.system.model.find_body("tug");
  EXPECT_EQ(find_joined_mass(built.system, tug), 400);
  built.system.docks[0].engaged = false;
  EXPECT_EQ(find_joined_mass(built.system, tug), 100);
}

}  // namespace
}  // namespace berth::test::thruster_track_test

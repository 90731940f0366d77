// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/summary.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "tests/support/shipped.h"

namespace berth::summary_test {
namespace {

Summary run_text(const std::string& text) {
  ReadScenario read = read_scenario_text(text, "test.toml", {});
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  return read.problems.empty() ? simulate(read.scenario, built, {}) : Summary{};
}

TEST(Summary, WritesNoMinusZero) {
  Summary s;
  s.outcome.t = -0.0;
  s.events = {{-0.0, "latch", "joint", {named("impulse_N", Vec3<double>{-0.0, 1, -2})}}};
  const std::string json = to_json(s, false);
  EXPECT_EQ(json.find("-0.0"), std::string::npos) << json;
  EXPECT_EQ(to_value(s.events[0])["impulse_N"].dump(), "[0.0,1.0,-2.0]");
}

TEST(Summary, HasWallClockTimesOnlyWhereAsked) {
  const Summary s;
  EXPECT_TRUE(to_value(s, true).contains("wall_seconds"));
  EXPECT_FALSE(to_value(s, false).contains("wall_seconds"));
}

TEST(Summary, KeysStandInTheOrderTheyAlwaysHad) {
  const nlohmann::ordered_json json = to_value(Summary{}, true);
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += key + " ";
  EXPECT_EQ(
      keys,
      "outcome reason verdict time steps wall_seconds warnings audit final docks loops contacts "
      "thrusters conditions "
      "events samples expectations ");
}

TEST(Summary, AnAuditThatIsNoNumberIsNoSuccess) {
  Summary s;
  EXPECT_TRUE(s.as_expected());
  for (double Audit::*audit : {&Audit::energy, &Audit::linear_momentum, &Audit::angular_momentum}) {
    for (const double value : {double{NAN}, double{INFINITY}}) {
      Summary lost = s;
      lost.audit.*audit = value;
      EXPECT_FALSE(lost.as_expected());
      EXPECT_EQ(find_lost_audits(lost.audit).size(), 1u);
    }
  }
}

TEST(Summary, ARunThatOverflowsFailsAndSaysSo) {
  ReadScenario read =
      read_scenario(test::shipped_file("docked_tumble"), {"spacecraft.target.mass=1e300"});
  read.scenario.time.stop = 10;
  read.scenario.expect = {};
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  ASSERT_TRUE(read.problems.empty());
  const Summary s = simulate(read.scenario, built, {});
  ASSERT_FALSE(find_lost_audits(s.audit).empty());
  EXPECT_FALSE(s.as_expected());
  const std::string text = describe(s);
  EXPECT_NE(text.find("FAILED angular momentum audit: wanted a finite number"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("is kept only to"), std::string::npos) << text;
}

TEST(Summary, AFreeBodyHasItsCoordinatesAndSpeeds) {
  const Summary s = run_text(R"(
time.stop = 2
[[body]]
name = "box"
joint = "free"
mass = 2
inertia = [1, 1, 1]
)");
  ASSERT_EQ(s.final.bodies.size(), 1u);
  const nlohmann::ordered_json box = to_value(s, false)["final"]["bodies"]["box"];
  ASSERT_EQ(box["q"].size(), 7u) << box.dump();
  ASSERT_EQ(box["v"].size(), 6u);
  EXPECT_EQ(box["q"][0], box["rho_BO_N"][0]);
  EXPECT_EQ(box["q"][3], box["quaternion_BN"][0]);
  EXPECT_EQ(box["v"][3], box["omega_BN_B"][0]);
}

TEST(Summary, ShowsTheCaptureAmongManyContactsAndTheLastEvents) {
  Summary s;
  for (int i = 0; i < 200; ++i) s.events.push_back({0.1 * i, "contact_on", "tip", {}});
  s.events[120] = {12, "event", "capture_hard", {}};
  s.events[121] = {12, "latch", "joint", {}};
  s.events.back() = {20, "contact_off", "late", {}};
  const std::string text = describe(s);
  for (const char* part : {"event capture_hard", "latch joint", "contact_off late", "more events"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40);
}

TEST(Summary, SamplesAreATable) {
  const Summary s = test::run_shipped("heavy_top", {0.25, 0.5}, {},
                                      [](Scenario& to) { to.time.stop = 1, to.expect = {}; });
  const std::string table = describe_samples(s);
  EXPECT_NE(table.find("top.omega_BF_B.x"), std::string::npos) << table;
  EXPECT_NE(table.find("0.25"), std::string::npos);
  std::size_t numbers = 0;
  for (const Channel& c : s.channels) numbers += static_cast<std::size_t>(c.width);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), static_cast<std::ptrdiff_t>(numbers + 1));
}

}  // namespace
}  // namespace berth::summary_test

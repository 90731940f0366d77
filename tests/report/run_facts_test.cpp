// SPDX-License-Identifier: Apache-2.0

// What the cards and the scene of a page are made of, from the summary and the scenario of a result.

#include "berth/report/run_facts.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "tests/report/fake_group.h"
#include "tests/support/built.h"
#include "tests/support/process.h"

namespace berth::test::run_facts_test {
namespace {

using Json = nlohmann::ordered_json;

struct Facts {
  Summary summary;
  Json json;
};

Facts find_facts(const std::string& scenario, const std::vector<std::string>& settings = {}) {
  const TemporaryFolder folder;
  const Built b = build_shipped(scenario, settings);
  Facts out;
  SimulateOptions options;
  options.h5 = folder / "x.h5";
  out.summary = simulate(b.read.scenario, b.built, options);
  const ResultFile file(folder / "x.h5");
  out.json = build_facts(file, find_meeting(file, out.summary.outcome.t));
  return out;
}

TEST(RunFacts, OfACaptureHaveItsStagesLimitsAndLoads) {
  const Facts f = find_facts("capture_envelope");
  EXPECT_EQ(f.json["verdict"], "captured");
  ASSERT_EQ(f.json["captures"].size(), 1u);
  const Json& capture = f.json["captures"][0];
  EXPECT_EQ(capture["ports"], Json({"chaser.probe", "target.cone"}));
  EXPECT_LT(capture["touch"]["t"], capture["soft"]["t"]);
  EXPECT_LT(capture["soft"]["t"], capture["hard"]["t"]);
  EXPECT_GT(capture["touch"]["values"]["closing"], 0);
  EXPECT_FALSE(capture["conditions"].empty());
  for (const Json& load : f.json["loads"]) {
    if (load["name"] != "tip") continue;
    EXPECT_EQ(load["kind"], "contact");
    EXPECT_EQ(load["force"], find_number(f.summary, "contacts.tip.force_peak"));
    EXPECT_EQ(load["force_t"], find_number(f.summary, "contacts.tip.force_peak_time"));
  }
  ASSERT_EQ(f.json["contacts"].size(), 2u);
  EXPECT_EQ(f.json["contacts"][0], (Json{{"name", "tip"},
                                         {"ports", {"chaser.probe", "target.cone"}},
                                         {"probe", "sphere"},
                                         {"radius", 0.03},
                                         {"surface", "cone"}}));
  EXPECT_EQ(f.json["joins"][0],
            (Json{{"name", "soft"}, {"soft", true}, {"ports", {"chaser.probe", "target.cone"}}}));
  EXPECT_EQ(f.json["joins"][1]["soft"], false);
  EXPECT_TRUE(f.json["effort"].is_null());
  EXPECT_TRUE(f.json["gravity"].is_null());
}

TEST(RunFacts, OfThrustersAreThoseOfTheSummaryWhateverIsRecorded) {
  const Facts f = find_facts("docking", {"time.stop=20", "record.interval=7"});
  EXPECT_EQ(f.json["effort"]["on_time"], find_number(f.summary, "thrusters.jets.on_time"));
  EXPECT_EQ(f.json["effort"]["impulse"], find_number(f.summary, "thrusters.jets.impulse"));
  EXPECT_EQ(f.json["effort"]["delta_v"], find_number(f.summary, "thrusters.jets.delta_v"));
  EXPECT_GT(f.json["effort"]["on_time"], 0);
  EXPECT_EQ(f.json["effort"]["pulsed"], true);
  ASSERT_EQ(f.json["thrusters"].size(), 12u);
  EXPECT_EQ(f.json["thrusters"][2], (Json{{"body", "servicer"},
                                          {"at", {0.8, 0.0, 0.5}},
                                          {"direction", {-1.0, 0.0, 0.0}},
                                          {"thrust", 1.0},
                                          {"level", "jets.level3"}}));
  ASSERT_EQ(f.json["wheels"].size(), 4u);
  EXPECT_NEAR(f.json["wheels"][0]["limit"].get<double>(), 6000 * 3.14159265358979 / 30, 1e-9);
  EXPECT_NE(std::find(f.json["shaped"].begin(), f.json["shaped"].end(), "target"),
            f.json["shaped"].end());
}

TEST(RunFacts, OnTheGroundHaveGravity) {
  const Facts f = find_facts("bouncing_ball", {"time.stop=1"});
  ASSERT_EQ(f.json["gravity"].size(), 3u);
  double square = 0;
  for (const Json& g : f.json["gravity"]) square += g.get<double>() * g.get<double>();
  EXPECT_NEAR(std::sqrt(square), 9.81, 0.01);
}

TEST(RunFacts, OfAFileThatHasNoneAreEmpty) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 10, [](std::size_t) { return std::vector<double>{0, 0, 0, 0}; });
  const ResultFile file(folder / "x.h5");
  const Json facts = build_facts(file, {});
  EXPECT_TRUE(facts["window"].is_null());
  EXPECT_TRUE(facts["effort"].is_null());
  for (const char* key :
       {"captures", "loads", "wheels", "thrusters", "joins", "contacts", "shaped"})
    EXPECT_TRUE(facts[key].empty()) << key;
}

TEST(RunFacts, ImpulsesAreThoseOfImpactsAndLatches) {
  EXPECT_EQ(find_impulse({1, "impact", "tip", R"({"impulse": -3})"}), 3);
  EXPECT_EQ(find_impulse({1, "latch", "joint", R"({"impulse_N": [3, 0, 4]})"}), 5);
  EXPECT_EQ(find_impulse({1, "event", "tip", R"({"impulse": 3})"}), 0);
  EXPECT_EQ(find_impulse({1, "impact", "tip", "damaged"}), 0);
}

}  // namespace
}  // namespace berth::test::run_facts_test

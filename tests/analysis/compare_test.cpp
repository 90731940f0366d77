// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/run/stepper.h"
#include "berth/simulate.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::analysis_compare_test {
namespace {

using test::contains;
using test::Strings;
using Json = nlohmann::ordered_json;

// Two docked craft, one with a swinging panel, for two seconds.
class Compare : public testing::Test {
 protected:
  Compare() {
    test::write_bytes(file_, R"(title = "A pair"
[time]
stop = 2
[record]
interval = 1
[[spacecraft]]
name = "a"
mass = 100
inertia = [30, 40, 50]
state = { omega_BN_B = [0.1, 0.2, -0.1] }
[[spacecraft.port]]
name = "fore"
position = [1, 0, 0]
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
axis = [0, 1, 0]
outward = [1, 0, 0]
mass = 10
centre_of_mass = [0.5, 0, 0]
inertia = [1, 2, 2]
stiffness = 300
rate = 0.2
[[spacecraft]]
name = "b"
mass = 80
inertia = [30, 40, 50]
placement = { docked_to = "a.fore" }
[[spacecraft.port]]
name = "aft"
position = [-1, 0, 0]
axes = [[-1, 0, 0], [0, 0, 1]]
[[dock]]
name = "joint"
type = "rigid"
between = ["a.fore", "b.aft"]
)");
  }
  Comparison run(const Strings& settings, CompareOptions options = {}) const {
    if (options.samples == CompareOptions{}.samples) options.samples = 5;
    return compare(file_, settings, options);
  }
  static CompareOptions over(Strings words) {
    CompareOptions o;
    o.over = std::move(words);
    return o;
  }
  static std::string problems_of(const Comparison& c) {
    std::string out;
    for (const Problem& p : c.problems.list) out += describe(p) + "\n";
    return out;
  }

  test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "pair.toml";
};

TEST_F(Compare, RunsEveryWayOfHoldingAgainstTheTightest) {
  const Comparison c = run({});
  ASSERT_EQ(problems_of(c), "");
  EXPECT_EQ(c.title, "A pair");
  EXPECT_EQ(c.reference, "fused, dop853, tolerance 1e-13");
  ASSERT_EQ(c.rows.size(), kEnforcements.size());
  for (std::size_t k = 0; k < c.rows.size(); ++k) {
    const Compared& r = c.rows[k];
    SCOPED_TRACE(r.enforce);
    EXPECT_EQ(r.enforce, kEnforcements[k]);
    EXPECT_EQ(r.integrator, "dop853");
    EXPECT_EQ(r.refused, "");
    EXPECT_EQ(r.outcome, "reached_end");
    EXPECT_GT(r.steps, 0u);
    EXPECT_GT(r.rhs, r.steps);
    EXPECT_GT(r.load_peak, 1);
    const bool is_soft = r.enforce == "penalty";
    EXPECT_EQ(r.position > 1e-6, is_soft);
    EXPECT_EQ(r.attitude > 1e-6, is_soft);
    EXPECT_EQ(r.violation_position > 1e-6, is_soft);
    EXPECT_EQ(r.load > 1e-4, is_soft);
    EXPECT_EQ(r.energy_left < 0.999999, is_soft);
    EXPECT_LT(r.linear_momentum, 1e-11);
    EXPECT_LT(r.angular_momentum, 1e-11);
  }
}

TEST_F(Compare, ItsRowsAreTheRunsThemselves) {
  const Comparison c = run({"dock.joint.alpha=20"});
  for (const Compared& r : c.rows) {
    ReadScenario read =
        read_scenario(file_, {"dock.joint.alpha=20", "dock.joint.enforce=" + r.enforce});
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    const Summary s = simulate(read.scenario, built, {});
    EXPECT_EQ(r.steps, s.steps.accepted) << r.enforce;
    EXPECT_EQ(r.rhs, s.steps.rhs) << r.enforce;
    EXPECT_EQ(r.energy, s.audit.energy) << r.enforce;
  }
}

TEST_F(Compare, NamesWhatCannotBeRunAndGoesOn) {
  const Comparison c = run({"dock.joint.type=hinge"});
  ASSERT_EQ(problems_of(c), "");
  EXPECT_EQ(c.reference, "exact, dop853, tolerance 1e-13");
  ASSERT_EQ(c.rows.size(), kEnforcements.size());
  for (const Compared& r : c.rows) EXPECT_EQ(r.refused.empty(), r.enforce != "fused");
  EXPECT_TRUE(contains(c.rows.back().refused, "only a rigid dock can be fused, not hinge"));
  const std::string table = describe(c);
  EXPECT_TRUE(contains(table, "not possible: only a rigid dock can be fused")) << table;
  const Json json = Json::parse(to_json(c));
  EXPECT_TRUE(json["rows"].back().contains("refused"));
  EXPECT_FALSE(json["rows"].back().contains("rhs"));
  EXPECT_FALSE(json["rows"][0].contains("refused"));
}

TEST_F(Compare, TableAndJsonSayTheSame) {
  const Comparison c = run({});
  const std::string table = describe(c);
  EXPECT_TRUE(table.starts_with("A pair\nagainst fused, dop853, tolerance 1e-13\n"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3 + 2 + 5);
  const Json json = Json::parse(to_json(c));
  EXPECT_EQ(json["title"], "A pair");
  EXPECT_EQ(json["reference"], c.reference);
  ASSERT_EQ(json["rows"].size(), c.rows.size());
  for (std::size_t k = 0; k < c.rows.size(); ++k) {
    const Json& j = json["rows"][k];
    const Compared& r = c.rows[k];
    EXPECT_EQ(j["enforce"], r.enforce);
    EXPECT_EQ(j["integrator"], r.integrator);
    EXPECT_EQ(j["position"], r.position);
    EXPECT_EQ(j["attitude"], r.attitude);
    EXPECT_EQ(j["violation_position"], r.violation_position);
    EXPECT_EQ(j["violation_attitude"], r.violation_attitude);
    EXPECT_EQ(j["load"], r.load);
    EXPECT_EQ(j["load_peak"], r.load_peak);
    EXPECT_EQ(j["energy"], r.energy);
    EXPECT_EQ(j["linear_momentum"], r.linear_momentum);
    EXPECT_EQ(j["angular_momentum"], r.angular_momentum);
    EXPECT_EQ(j["energy_left"], r.energy_left);
    EXPECT_EQ(j["steps"], r.steps);
    EXPECT_EQ(j["rhs"], r.rhs);
    EXPECT_TRUE(j["seconds"].is_number());
    EXPECT_EQ(j.contains("same_state"), r.enforce != "penalty" && r.enforce != "fused");
    if (j.contains("same_state")) {
      EXPECT_LT(j["same_state"], 1e-12) << r.enforce;
    }
    EXPECT_TRUE(contains(table, "\n" + fmt::format("{:<11}{:<11}", r.enforce, r.integrator)));
    EXPECT_TRUE(contains(table, fmt::format("{:>10}", r.rhs)));
  }
}

TEST_F(Compare, OverIntegratorsRunsThoseThatCan) {
  const Comparison c = run({"integrator.tolerance=1e-7"}, over({"integrator"}));
  ASSERT_EQ(problems_of(c), "");
  Strings names;
  for (const Compared& r : c.rows) {
    names.push_back(r.integrator);
    EXPECT_EQ(r.enforce, "as written");
    EXPECT_EQ(r.outcome, "reached_end");
    EXPECT_LT(r.position, 1e-4) << r.integrator;
  }
  Strings wanted = list_methods();
  std::erase_if(wanted, takes_fixed_steps);  // they have no step to take
  EXPECT_EQ(names, wanted);
  const Comparison fixed =
      run({"integrator.tolerance=1e-7", "integrator.step=0.01"}, over({"integrator"}));
  EXPECT_EQ(fixed.rows.size(), list_methods().size());
}

TEST_F(Compare, OverBothRunsEveryPair) {
  const Comparison c = run({"integrator.tolerance=1e-6"}, over({"enforce", "integrator"}));
  ASSERT_EQ(problems_of(c), "");
  Strings methods = list_methods();
  std::erase_if(methods, takes_fixed_steps);
  EXPECT_EQ(c.rows.size(), kEnforcements.size() * methods.size());
}

TEST_F(Compare, WithoutDocksComparesIntegratorsOnly) {
  const std::string free_body = test::shipped_scenario("free_body");
  CompareOptions both = over({"enforce"});
  const Comparison refused = compare(free_body, {}, both);
  EXPECT_TRUE(contains(problems_of(refused), "there is no [[dock]] or [[loop]]"))
      << problems_of(refused);
  EXPECT_TRUE(refused.rows.empty());
  CompareOptions options = over({"integrator"});
  options.samples = 3;
  const Comparison c = compare(free_body, {"time.stop=1"}, options);
  ASSERT_EQ(problems_of(c), "");
  EXPECT_EQ(c.reference, "dop853, tolerance 1e-13");
  for (const Compared& r : c.rows) EXPECT_EQ(r.enforce, "-");
}

TEST_F(Compare, SteppersShowTheirOrderAndWhatTheyKeep) {
  CompareOptions options;
  options.steppers = true;
  const Comparison c = compare(test::shipped_scenario("double_pendulum_wall"),
                               {"time.stop=2", "integrator.step=0.004"}, options);
  ASSERT_EQ(problems_of(c), "");
  EXPECT_TRUE(c.rows.empty()) << "there is nothing to enforce";
  ASSERT_TRUE(c.steppers);
  EXPECT_EQ(c.steppers->step, 0.004);
  ASSERT_EQ(c.steppers->rows.size(), 4u);
  for (const Stepped& r : c.steppers->rows) {
    SCOPED_TRACE(r.method);
    EXPECT_EQ(r.refused, "");
    EXPECT_EQ(r.outcome, "reached_end");
    EXPECT_EQ(r.error.size(), r.method == "dop853" ? 1u : 3u);
    EXPECT_EQ(r.energy.size(), c.steppers->times.size());
    if (r.method == "variational2") {
      EXPECT_NEAR(r.order, 2, 0.05);
    } else if (r.method == "variational4") {
      EXPECT_NEAR(r.order, 4, 0.1);
    } else if (r.method == "rk4") {
      EXPECT_GT(r.order, 3) << "impacts are located on a cubic";
    }
  }
  EXPECT_LT(c.steppers->rows[0].error[0], 1e-9);
  const std::string table = describe(c);
  EXPECT_TRUE(contains(table, "variational4")) << table;
  const Json json = Json::parse(to_json(c))["steppers"];
  EXPECT_EQ(json["rows"][2]["energy"].size(), json["times"].size());
  EXPECT_EQ(json["rows"][2]["method"], "variational2");
}

TEST_F(Compare, SteppersComeByThemselvesWhereTheFileHasOneAndSayWhatTheyCannotTake) {
  const Comparison own =
      compare(test::shipped_scenario("tumbling_body"), {"time.stop=1"}, CompareOptions{});
  ASSERT_EQ(problems_of(own), "");
  EXPECT_TRUE(own.steppers);
  EXPECT_FALSE(run({}).steppers);
  CompareOptions asked;
  asked.steppers = true;
  const Comparison c = compare(test::shipped_scenario("slew"),
                               {"time.stop=1", "control.pointing.sample_time=0.1"}, asked);
  ASSERT_EQ(problems_of(c), "");
  ASSERT_TRUE(c.steppers);
  EXPECT_EQ(c.steppers->step, 0.001);
  EXPECT_TRUE(contains(c.steppers->rows[2].refused, "knows no samples"));
  EXPECT_TRUE(contains(describe(c), "not possible: variational2 knows no samples")) << describe(c);
  EXPECT_TRUE(Json::parse(to_json(c))["steppers"]["rows"][2].contains("refused"));
}

TEST_F(Compare, WhatItCannotVaryIsRefusedWithASuggestion) {
  const Comparison c = run({}, over({"enforc"}));
  EXPECT_TRUE(contains(problems_of(c), "\"enforc\" cannot be compared; did you mean enforce?"))
      << problems_of(c);
  EXPECT_TRUE(c.rows.empty());
}

TEST_F(Compare, AScenarioThatIsWrongIsNotRun) {
  const Comparison c = run({"dock.joint.enforce=glue"});
  EXPECT_TRUE(contains(problems_of(c), "\"glue\" is not one of"));
  EXPECT_TRUE(c.rows.empty());
  EXPECT_FALSE(problems_of(compare(folder_ / "nowhere.toml", {}, {})).empty());
}

TEST_F(Compare, ReportsWhatItRunsAndStopsWhenAsked) {
  CompareOptions options;
  Strings reported;
  options.progress = [&](const std::string& what) { reported.push_back(what); };
  run({}, options);
  ASSERT_EQ(reported.size(), 2 + kEnforcements.size());
  EXPECT_EQ(reported[0], "reference, fused");
  EXPECT_TRUE(contains(reported[1], "exact"));
  options.interrupted = [] { return true; };
  EXPECT_LE(run({}, options).rows.size(), 1u);
}

}  // namespace
}  // namespace berth::analysis_compare_test

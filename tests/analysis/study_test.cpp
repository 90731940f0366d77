// SPDX-License-Identifier: Apache-2.0

// Dispersions, designs, stopping rules and searches, on a craft whose answers are known.

#include <cmath>

#include <gtest/gtest.h>

#include "berth/analysis/goal.h"
#include "berth/analysis/kept_runs.h"
#include "berth/analysis/optimise.h"
#include "berth/analysis/stop_when_sure.h"
#include "berth/sampling/normal_distribution.h"
#include "tests/analysis/drift.h"
#include "tests/support/text.h"

namespace berth::study_test {
namespace {

using test::contains;
using test::Drift;
using test::kDriftSpeed;
using test::kDriftX;
using test::read_bytes;

// --- [dispersion] --------------------------------------------------------------------------------

TEST(Dispersion, IsAboutWhatTheScenarioSays) {
  Drift drift(R"toml([[dispersion.input]]
key = "spacecraft.craft.state.velocity.x"
three_sigma = 0.3
[[dispersion.input]]
key = "spacecraft.craft.mass"
three_sigma_percent = 6
within = [9.5, 10.5]
[[dispersion.input]]
key = "spacecraft.craft.state.position.x"
distribution = "triangular(-0.1,0,0.1)"
[[dispersion.correlation]]
keys = ["spacecraft.craft.state.velocity.x", "spacecraft.craft.state.position.x"]
matrix = [[1, 0.8], [0.8, 1]]
[sweep]
samples = 4000
)toml");
  const Sweep sweep = drift.build({});
  ASSERT_EQ(drift.complaints(), "");
  ASSERT_EQ(sweep.plan.keys.size(), 3u);
  EXPECT_EQ(describe(sweep.plan.keys[0]), kDriftSpeed + "=normal(0.5,0.09999999999999999)");
  EXPECT_EQ(describe(sweep.plan.keys[1]),
            "spacecraft.craft.mass=truncated_normal(10,0.2,9.5,10.5)");
  double vv = 0, xx = 0, vx = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const double v = std::get<double>(sweep.plan.value(i, 0)) - 0.5;
    const double x = std::get<double>(sweep.plan.value(i, 2));
    EXPECT_LE(std::abs(x), 0.1);
    vv += v * v, xx += x * x, vx += v * x;
  }
  EXPECT_NEAR(std::sqrt(vv / 4000), 0.1, 0.004);
  EXPECT_NEAR(std::sqrt(xx / 4000), 0.1 / std::sqrt(6), 0.002);
  EXPECT_NEAR(vx / std::sqrt(vv * xx), 0.79, 0.02);
}

TEST(Dispersion, ACovarianceStatesTheDeviations) {
  Drift drift(R"toml([[dispersion.correlation]]
keys = ["spacecraft.craft.state.velocity.x", "spacecraft.craft.state.velocity.y"]
covariance = [[0.04, -0.01], [-0.01, 0.01]]
)toml");
  const Sweep sweep = drift.build({.vary = {}, .samples = 10});
  ASSERT_EQ(drift.complaints(), "");
  EXPECT_EQ(describe(sweep.plan.keys[0]), kDriftSpeed + "=normal(0.5,0.2)");
  EXPECT_EQ(sweep.plan.groups.size(), 1u);
}

TEST(Dispersion, SaysWhatIsWrongWithIt) {
  const auto complaint = [](const std::string& table) {
    Drift drift(table);
    drift.build({.vary = {}, .samples = 10});
    return drift.complaints();
  };
  const std::string two =
      R"toml(keys = ["spacecraft.craft.state.velocity.x", "spacecraft.craft.state.velocity.y"]
)toml";
  for (const auto& [table, message] : std::initializer_list<std::pair<std::string, const char*>>{
           {"[[dispersion.input]]\nkey = \"spacecraft.craft.masss\"\nthree_sigma = 1\n",
            "there is no such input"},
           {"[[dispersion.input]]\nkey = \"time.stop\"\n", "give one of three_sigma"},
           {"[[dispersion.input]]\nkey = \"time.stop\"\nthree_sigma = -1\n",
            "must not be negative"},
           {"[[dispersion.input]]\nkey = \"time.stop\"\nthree_sigma = 1\nwithin = [5, 4]\n",
            "the lower end comes first"},
           {"[[dispersion.input]]\nkey = \"time.stop\"\nsigma = 1\n", "sigma"},
           {"[[dispersion.input]]\nkey = \"time.stop\"\ndistribution = \"gauss(1,2)\"\n",
            "there is no gauss(…)"},
           {"[[dispersion.correlation]]\n" + two + "covariance = [[1, 2], [2, 1]]\n",
            "a correlation of 2 is beyond 1"},
           {"[[dispersion.correlation]]\n" + two + "covariance = [[1, 0.5]]\n",
            "a row and a column"},
           {"[[dispersion.correlation]]\n" + two, "give matrix or covariance"},
       })
    EXPECT_TRUE(contains(complaint(table), message)) << table << complaint(table);
}

// --- designs -------------------------------------------------------------------------------------

TEST(SweepDesign, MoreSamplesKeepThoseThereWere) {
  for (const Design design : {Design::random, Design::sobol, Design::halton}) {
    Problems problems;
    PlanRequest request{.vary = {"a=normal(0,1)", "b=triangular(0,1,3)", "c=discrete(x:1,y:3)"},
                        .samples = 40,
                        .design = design};
    const SweepPlan few = build_sweep_plan(request, problems);
    request.samples = 1000;
    const SweepPlan many = build_sweep_plan(request, problems);
    ASSERT_TRUE(problems.empty());
    for (std::uint64_t i = 0; i < 40; ++i) EXPECT_EQ(few.settings(i), many.settings(i));
  }
}

TEST(SweepDesign, SaltellisCasesDifferInOneInput) {
  Problems problems;
  const SweepPlan plan =
      build_sweep_plan({.vary = {"a=uniform(0,1)", "b=normal(0,1)", "c=lognormal(1,1)"},
                        .samples = 20,
                        .finds_indices = true},
                       problems);
  ASSERT_TRUE(problems.empty());
  ASSERT_EQ(plan.cases(), 100u);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto a = plan.inputs(5 * i), b = plan.inputs(5 * i + 1);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto mixed = plan.inputs(5 * i + 2 + k);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(mixed[j], j == k ? b[j] : a[j]);
      EXPECT_NE(a[k], b[k]);
    }
  }
}

// x = x₀ + 4 v: indices are shares of the variance, 16 σ_v² against σ_x².
TEST(SweepIndices, AreTheSharesOfTheVariance) {
  Drift drift;
  const SweepResult result =
      drift.run({.vary = {kDriftX + "=normal(0,0.4)", kDriftSpeed + "=normal(0.5,0.2)"},
                 .samples = 256,
                 .collect = {"final.craft.rho_BO_N.0"},
                 .design = Design::sobol,
                 .finds_indices = true});
  ASSERT_TRUE(result.complete()) << drift.complaints();
  const auto json = nlohmann::json::parse(to_json(result));
  const auto& sobol = json["answers"]["outputs"]["final.craft.rho_BO_N.0"]["sobol"];
  for (const auto& [k, share] : {std::pair{0, 0.2}, std::pair{1, 0.8}})
    for (const char* order : {"first", "total"}) {
      EXPECT_LE(sobol[k][order]["low"].get<double>(), share + 1e-9);
      EXPECT_GE(sobol[k][order]["high"].get<double>(), share - 1e-9);
      EXPECT_NEAR(sobol[k][order]["value"].get<double>(), share, 0.05);
    }
}

// --- stopping when sure --------------------------------------------------------------------------

TEST(Until, IsUnderstoodOrExplained) {
  Problems problems;
  const auto until = read_until("captured ±0.5 % at 99%", problems);
  ASSERT_TRUE(until);
  EXPECT_EQ(until->criterion.name, "captured");
  EXPECT_EQ(until->half_width, 0.005);
  EXPECT_EQ(until->confidence, 0.99);
  EXPECT_EQ(read_until("contacts.tip.force_peak > 400 +- 1 %", problems)->criterion.limit, 400);
  for (const char* text : {"captured", "captured ± at 95 %", "captured ±0.5", "captured ±60 %",
                           "captured ±1 % at 30 %", "captured ±1 % sure", "two words ±1 %"}) {
    Problems wrong;
    EXPECT_FALSE(read_until(text, wrong)) << text;
    EXPECT_EQ(wrong.list.size(), 1u) << text;
  }
}

TEST(Until, StopsAtTheSameCaseOnAnyNumberOfThreads) {
  for (const Design design : {Design::random, Design::sobol}) {
    Drift drift;
    const SweepRequest request{.vary = {kDriftSpeed + "=normal(0.5,0.1)"},
                               .design = design,
                               .until = "as_expected ±8 % at 90 %"};
    const SweepResult one = drift.run(request, "one.h5", 1), two = drift.run(request, "two.h5", 3);
    ASSERT_TRUE(one.complete() && two.complete()) << drift.complaints();
    EXPECT_TRUE(read_bytes(drift.folder / "one.h5") == read_bytes(drift.folder / "two.h5"));
    const auto& study = one.sweep.study;
    EXPECT_TRUE(study["is_sure"].get<bool>());
    EXPECT_LE(study["high"].get<double>() - study["low"].get<double>(), 0.16);
    EXPECT_LE(study["low"].get<double>(), 0.5);
    EXPECT_GE(study["high"].get<double>(), 0.5);
    EXPECT_EQ(one.sweep.plan.samples, one.finished);
  }
}

TEST(Until, RefusesWhatCannotGoOn) {
  Drift drift;
  drift.build({.vary = {kDriftSpeed + "=normal(0.5,0.1)"},
               .design = Design::lhs,
               .until = "captured ±1 %"});
  EXPECT_TRUE(contains(drift.complaints(), "a Latin hypercube must know beforehand"))
      << drift.complaints();
}

// --- searches ------------------------------------------------------------------------------------

// P(4 v > 3.5) with v of N(0.5, 0.1): Φ(−3.75) = 8.8e-5.
TEST(Rare, FindsAKnownProbability) {
  Drift drift;
  const SweepResult result =
      drift.run({.vary = {kDriftSpeed + "=normal(0.5,0.1)", kDriftX + "=normal(0,0)"},
                 .samples = 60,
                 .collect = {"final.craft.rho_BO_N.0"},
                 .rare = "final.craft.rho_BO_N.0 > 3.5"});
  ASSERT_TRUE(result.complete()) << drift.complaints();
  const double truth = find_normal_complement(3.75);
  EXPECT_LT(result.sweep.study["low"].get<double>(), truth);
  EXPECT_GT(result.sweep.study["high"].get<double>(), truth);
  EXPECT_LT(result.sweep.study["high"].get<double>(), 20 * truth);
  EXPECT_GT(result.finished, 1000u);
}

TEST(Rare, WantsANumberThatIsCollected) {
  Drift drift;
  const SweepRequest request{
      .vary = {kDriftSpeed + "=normal(0.5,0.1)"}, .samples = 60, .rare = "captured"};
  drift.run(request);
  EXPECT_TRUE(contains(drift.complaints(), "takes a number and its limit")) << drift.complaints();
}

// Success while x₀ + 4 v < 2: the contour is a straight line.
TEST(Boundary, FollowsTheEdgeOfSuccess) {
  Drift drift;
  const SweepResult result =
      drift.run({.vary = {kDriftX + "=uniform(-1,1)", kDriftSpeed + "=uniform(0,1)",
                          "spacecraft.craft.mass=uniform(9,11)"},
                 .samples = 2,
                 .boundary = {kDriftX, kDriftSpeed}});
  ASSERT_TRUE(result.complete()) << drift.complaints();
  const auto& half = result.sweep.study["contours"][0];
  ASSERT_EQ(half["lines"].size(), 1u);
  for (const auto& point : half["lines"][0]["points"])
    EXPECT_NEAR(point[0].get<double>() + 4 * point[1].get<double>(), 2, 0.12);
}

// Success between two limits: best in their middle, v = 0.45.
TEST(Optimise, FindsTheBestDesignAndConfirmsIt) {
  Drift drift(R"toml([sweep]
vary = ["spacecraft.craft.state.position.x=normal(0,0.2)"]
[optimise]
inputs = ["spacecraft.craft.state.velocity.x=range(0.1,0.9)"]
maximise = "final.craft.rho_BO_N.0 < 2"
constraints = ["mean(final.craft.rho_BO_N.0) > 1.4"]
samples = 40
budget = 150
confirm = 100
)toml");
  const Sweep sweep = build_optimise(drift.folder / "drift.toml", {}, drift.problems);
  ASSERT_EQ(drift.complaints(), "");
  const SweepResult result = run_sweep(
      sweep, {.h5 = drift.folder / "o.h5", .computing = Computing::interpret}, drift.problems);
  ASSERT_TRUE(result.complete()) << drift.complaints();
  const auto& study = result.sweep.study;
  EXPECT_NEAR(study["best"]["x"][0].get<double>(), 0.375, 0.05) << "slow, but not too slow";
  EXPECT_GT(study["best"]["values"][0].get<double>(), study["start"]["values"][0].get<double>());
  EXPECT_TRUE(contains(describe_optimise(result), "Maximise final.craft.rho_BO_N.0 < 2: first"));
}

TEST(Optimise, SeeksTheWorstCaseWithinThreeDeviations) {
  Drift drift(R"toml([sweep]
vary = ["spacecraft.craft.state.velocity.x=normal(0.5,0.1)", "spacecraft.craft.state.position.x=normal(0,0.2)"]
)toml");
  const Sweep sweep =
      build_optimise(drift.folder / "drift.toml",
                     {.worst = "final.craft.rho_BO_N.0", .budget = 200}, drift.problems);
  ASSERT_EQ(drift.complaints(), "");
  const SweepResult result = run_sweep(
      sweep, {.h5 = drift.folder / "o.h5", .computing = Computing::interpret}, drift.problems);
  ASSERT_TRUE(result.complete()) << drift.complaints();
  // 4 (0.5 + 0.3) + 0.6
  EXPECT_NEAR(result.sweep.study["best"]["values"][0].get<double>(), 3.8, 0.05);
}

TEST(Goals, AreReadAsTheyArePrinted) {
  Problems problems;
  for (const char* text : {"captured", "mean(time)", "p95(contacts.tip.force_peak)", "max(time)",
                           "contacts.tip.force_peak > 400"})
    EXPECT_EQ(read_goal(text, true, "", problems)->text(), text);
  EXPECT_EQ(describe(*read_goal_limit("p99(a.b) < 1e3", "", problems)), "p99(a.b) < 1000");
  EXPECT_TRUE(problems.empty());
  EXPECT_FALSE(read_goal("median(x)", true, "--maximise", problems));
  EXPECT_FALSE(read_goal_limit("mean(x)", "--constraint", problems));
  EXPECT_EQ(problems.list.size(), 2u);
}

TEST(KeptRuns, AreTheFailedOrTheWorst) {
  Drift drift;
  const SweepResult result = drift.run(
      {.vary = {kDriftSpeed + "=[0.1,0.9,0.3,0.7,0.8]"}, .collect = {"final.craft.rho_BO_N.0"}});
  ASSERT_TRUE(result.complete()) << drift.complaints();
  Problems problems;
  const auto chosen = [&](const char* text) {
    return choose_kept_runs(*read_kept_runs(text, problems), result, problems);
  };
  EXPECT_EQ(chosen("failed"), (std::vector<std::uint64_t>{1, 3, 4}));
  EXPECT_EQ(chosen("failed:2"), (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(chosen("worst:2"), (std::vector<std::uint64_t>{1, 4}));
  EXPECT_TRUE(problems.empty());
  record_case(drift.folder / "x.h5", 4, {}, problems);
  EXPECT_TRUE(std::filesystem::exists(drift.folder / "x_case4.h5"));
  EXPECT_FALSE(read_kept_runs("worst", problems));
  EXPECT_FALSE(read_kept_runs("best:3", problems));
}

}  // namespace
}  // namespace berth::study_test

// SPDX-License-Identifier: Apache-2.0

// Maps and quantiles of a sweep, and the [sweep] table of a scenario that says what is varied.

#include "berth/analysis/sweep_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/analysis/sweep.h"
#include "berth/scenario/scenario.h"
#include "tests/analysis/plans.h"
#include "tests/analysis/stores.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::sweep_map_test {
namespace {

using Json = nlohmann::json;
using Counts = std::vector<std::uint64_t>;
using test::all_of;
using test::contains;
using test::Strings;
using test::TemporaryFolder;
using test::write_bytes;

// A craft that drifts along x; it must not get beyond 2 m.
const std::string kDrift = R"(
[time]
stop = 1
[record]
interval = 100
[[spacecraft]]
name = "craft"
mass = 2
inertia = [1, 2, 3]
[spacecraft.state]
velocity = [0.5, 0, 0]
[expect]
final = ["craft.rho_BO_N.x < 2"]
)";
const std::string kSpeed = "spacecraft.craft.state.velocity.x", kStop = "time.stop";

// A sweep of this text and what came of it.
struct Swept {
  explicit Swept(const SweepRequest& request, const std::string& text = kDrift) {
    write_bytes(folder / "drift.toml", text);
    sweep = build_sweep(folder / "drift.toml", request, problems);
    if (problems.empty())
      result = run_sweep(sweep, {.h5 = folder / "x.h5", .threads = 1}, problems);
  }
  double value(std::uint64_t number, std::size_t key) const {
    return std::get<double>(sweep.plan.value(number, key));
  }
  const SweepMap& map() const {
    if (!result.map) throw std::runtime_error("no map\n" + all_of(problems));
    return *result.map;
  }
  TemporaryFolder folder;
  Problems problems{"drift.toml", {}};
  Sweep sweep;
  SweepResult result;
};

// --- maps ----------------------------------------------------------------------------------------

TEST(SweepMap, OfAGridHasARowAndAColumnPerValue) {
  const SweepRequest request{.vary = {kStop + "=[1,3,5]", kSpeed + "=[0.1,0.5,0.9,1.3]"},
                             .map = {kSpeed, kStop}};
  const Swept s(request);
  ASSERT_EQ(all_of(s.problems), "");
  EXPECT_EQ(s.map().x.values, (std::vector<double>{0.1, 0.5, 0.9, 1.3}));
  EXPECT_EQ(s.map().y.values, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(s.map().x.unit, "m/s");
  EXPECT_EQ(s.map().y.unit, "s");
  EXPECT_EQ(s.map().cases, Counts(12, 1));
  // v t < 2
  EXPECT_EQ(s.map().good, (Counts{1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0}));

  // The other way round it lies on its side.
  SweepRequest turned = request;
  turned.map = {kStop, kSpeed};
  const Swept t(turned);
  ASSERT_EQ(all_of(t.problems), "");
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(t.map().good[i * 3 + j], s.map().good[j * 4 + i]);

  // Keys that are not on the map are summed up.
  SweepRequest more = request;
  more.vary.insert(more.vary.begin() + 1, "spacecraft.craft.mass=[1,2]");
  const Swept u(more);
  ASSERT_EQ(all_of(u.problems), "");
  EXPECT_EQ(u.map().cases, Counts(12, 2));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(u.map().good[i], 2 * s.map().good[i]);
}

// Eight equal pieces of uniform(a,b); of normal(m,s) from m − 2s to m + 2s, the tails in the outer.
TEST(SweepMap, OfRandomKeysIsCutIntoPieces) {
  const Swept s({.vary = {kStop + "=uniform(1,5)", kSpeed + "=normal(0.6,0.2)"},
                 .samples = 400,
                 .map = {kStop, kSpeed}});
  ASSERT_EQ(all_of(s.problems), "");
  ASSERT_EQ(s.map().x.size(), 8u);
  ASSERT_EQ(s.map().y.size(), 8u);
  for (int k = 0; k <= 8; ++k) {
    EXPECT_NEAR(s.map().x.edges[static_cast<std::size_t>(k)], 1 + 0.5 * k, 1e-15);
    EXPECT_NEAR(s.map().y.edges[static_cast<std::size_t>(k)], 0.2 + 0.1 * k, 1e-15);
  }
  Counts cases(64), good(64);
  int beyond = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const double t = s.value(i, 0), v = s.value(i, 1);
    const auto column = static_cast<std::size_t>((t - 1) / 0.5);
    const double row = std::clamp(std::floor((v - 0.2) / 0.1), 0.0, 7.0);
    beyond += v < 0.2 || v > 1;
    const std::size_t at = static_cast<std::size_t>(row) * 8 + column;
    ++cases[at];
    good[at] += v * t < 2;
  }
  EXPECT_GT(beyond, 5) << "some lie in the tails";
  EXPECT_EQ(s.map().cases, cases);
  EXPECT_EQ(s.map().good, good);
}

TEST(SweepMap, MayMixValuesAndDraws) {
  const Swept s({.vary = {kStop + "=[2,4]", kSpeed + "=uniform(0.1,0.9)"},
                 .samples = 50,
                 .map = {kSpeed, kStop}});
  ASSERT_EQ(all_of(s.problems), "");
  ASSERT_EQ(s.map().cases.size(), 16u);
  // The same draws at both values.
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(s.map().cases[i], s.map().cases[8 + i]);
  EXPECT_EQ(std::accumulate(s.map().cases.begin(), s.map().cases.end(), std::uint64_t{0}), 100u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(s.map().good[i], s.map().cases[i]) << "0.9 · 2 < 2";
    // Pieces of 0.1 m/s: those up to 0.5 m/s stay within 2 m for 4 s.
    EXPECT_EQ(s.map().good[8 + i], i < 4 ? s.map().cases[8 + i] : 0u) << i;
  }
}

// By hand: what lies on an edge, at the ends and beyond, and cases that have not run.
TEST(SweepMap, CountsEveryCaseThatHasRunOnce) {
  Problems problems;
  Sweep sweep;
  sweep.plan = test::plan_of({"a=uniform(0,8)", "b=[10,20]"}, 3);
  auto map = begin_map(sweep, {"a", "b"}, problems);
  ASSERT_TRUE(map && problems.empty());
  std::vector<CaseResult> results(6);
  for (CaseResult& r : results) r.outcome = "reached_end", r.as_expected = true;
  results[1].outcome = "";         // not run yet
  results[2].outcome = "refused";  // run, and not as expected
  results[2].as_expected = false;
  const TemporaryFolder folder;
  SweepResult result{.sweep = sweep, .store = test::store_of(folder.path(), {}, results)};
  result.range = {0, 6};
  fill_map(result, *map);
  const auto sum = [](const Counts& c) { return std::accumulate(c.begin(), c.end(), 0ull); };
  EXPECT_EQ(sum(map->cases), 5u);
  EXPECT_EQ(sum(map->good), 4u);
  EXPECT_EQ(sum({map->cases.begin(), map->cases.begin() + 8}), 2u) << "of b = 10";
  // Filled again it is the same, not the double.
  fill_map(result, *map);
  EXPECT_EQ(sum(map->cases), 5u);
}

TEST(SweepMap, IsPrintedWithSharesInPercent) {
  Swept s({.vary = {kStop + "=[1,3,5]", kSpeed + "=[0.1,0.5,0.9,1.3]"}, .map = {kSpeed, kStop}});
  ASSERT_EQ(all_of(s.problems), "");
  const std::string text = describe(s.result);
  EXPECT_TRUE(contains(text, "as expected [%] of time.stop [s] (down)")) << text;
  EXPECT_TRUE(contains(text, "against " + kSpeed + " [m/s] (across)")) << text;
  std::vector<Strings> rows;
  std::istringstream lines(describe(s.map()));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    rows.emplace_back();
    for (std::string word; in >> word;) rows.back().push_back(word);
  }
  ASSERT_EQ(rows.size(), 6u) << describe(s.map());
  EXPECT_EQ(rows[2], (Strings{"0.1", "0.5", "0.9", "1.3"}));
  EXPECT_EQ(rows[3], (Strings{"1", "100", "100", "100", "100"}));
  EXPECT_EQ(rows[4], (Strings{"3", "100", "100", "0", "0"}));
  EXPECT_EQ(rows[5], (Strings{"5", "100", "0", "0", "0"}));

  // A place without cases has no share.
  SweepMap map = s.map();
  map.cases[0] = map.good[0] = 0;
  map.cases[1] = 3, map.good[1] = 1;
  const std::string empty = describe(map);
  EXPECT_TRUE(contains(empty, "        -     33.3      100      100\n")) << empty;
}

TEST(SweepMap, IsInTheJson) {
  const Swept s({.vary = {kStop + "=[1,3]", kSpeed + "=uniform(0.1,0.9)"},
                 .samples = 10,
                 .map = {kSpeed, kStop}});
  ASSERT_EQ(all_of(s.problems), "");
  const Json map = Json::parse(to_json(s.result))["map"];
  EXPECT_EQ(map["x"]["key"], kSpeed);
  EXPECT_EQ(map["x"]["unit"], "m/s");
  EXPECT_EQ(map["x"]["edges"].size(), 9u);
  EXPECT_FALSE(map["x"].contains("values"));
  EXPECT_EQ(map["y"]["values"], (std::vector<double>{1, 3}));
  ASSERT_EQ(map["cases"].size(), 2u);
  ASSERT_EQ(map["cases"][1].size(), 8u);
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(map["cases"][j][i], s.map().cases[j * 8 + i]);
      EXPECT_EQ(map["as_expected"][j][i], s.map().good[j * 8 + i]);
    }
  // Nobody asked: none is there.
  const Swept bare({.vary = {kStop + "=[1,3]"}});
  EXPECT_FALSE(Json::parse(to_json(bare.result)).contains("map"));
  EXPECT_FALSE(contains(describe(bare.result), "(across)"));
}

TEST(SweepMap, NeedsTwoKeysThatAreVariedByNumbers) {
  const auto problem_of = [](const Strings& map) {
    return all_of(Swept({.vary = {kStop + "=[0.1,0.2]", kSpeed + "=[0.1,0.2]",
                                  "integrator.method=[dop853,rkf45]"},
                         .map = map})
                      .problems);
  };
  EXPECT_EQ(problem_of({kStop, kSpeed}), "");
  for (const Strings& keys : {Strings{kStop}, Strings{kStop, kSpeed, kStop}})
    EXPECT_TRUE(contains(problem_of(keys), "--map  two keys are needed: --map KEY,KEY"));
  EXPECT_TRUE(contains(problem_of({kStop, "time.end"}),
                       "--map  time.end is not among the keys that are varied"));
  EXPECT_TRUE(contains(problem_of({"integrator.method", kSpeed}),
                       "--map  integrator.method is varied by texts, not by numbers"));
  const std::string both = problem_of({"no.key", "time.end"});
  EXPECT_TRUE(contains(both, "no.key") && contains(both, "time.end")) << "all at once: " << both;
}

// --- quantiles -----------------------------------------------------------------------------------

// 101 runs of 1 s, 1.5 s, … 51 s: so many per cent of them are shorter.
TEST(SweepStatistics, HaveQuantiles) {
  const Swept s({.vary = {kStop + "=lin(1,51,101)"}, .collect = {"time"}});
  ASSERT_EQ(all_of(s.problems), "");
  const Json column = Json::parse(to_json(s.result))["columns"]["time"];
  EXPECT_EQ(column["count"], 101);
  const std::pair<const char*, double> wanted[] = {{"min", 1},    {"p05", 3.5},  {"median", 26},
                                                   {"p95", 48.5}, {"p99", 50.5}, {"max", 51},
                                                   {"mean", 26}};
  for (const auto& [key, value] : wanted)
    EXPECT_NEAR(column[key].get<double>(), value, 1e-12) << key;
  EXPECT_EQ(column["min_case"], 0);
  EXPECT_EQ(column["max_case"], 100);
  EXPECT_TRUE(contains(describe(s.result), "95 % below"));
}

// Of one number, all of them are that one; of none there is none.
TEST(SweepStatistics, OfFewAndOfNone) {
  const Swept one({.vary = {kStop + "=[7]"}, .collect = {"time"}});
  const Json column = Json::parse(to_json(one.result))["columns"]["time"];
  for (const char* key : {"min", "p05", "median", "p95", "p99", "max", "mean"})
    EXPECT_EQ(column[key], 7) << key;
}

// --- the table of a scenario ---------------------------------------------------------------------

const std::string kTable = R"toml(
[sweep]
vary = ["time.stop=[1,3]", "spacecraft.craft.state.velocity.x=uniform(0.1,0.9)"]
samples = 6
seed = 5
collect = ["time", "audit.energy"]
map = ["spacecraft.craft.state.velocity.x", "time.stop"]
)toml";
Strings varied(const Sweep& sweep) {
  Strings out;
  for (const Vary& v : sweep.plan.keys) out.push_back(describe(v));
  return out;
}
Strings columns(const SweepResult& result) {
  Strings out;
  for (const Collected& c : result.columns()) out.push_back(c.path);
  return out;
}

TEST(SweepTable, SaysWhatIsVariedWhenTheCommandDoesNot) {
  const Swept s({}, kDrift + kTable);
  ASSERT_EQ(all_of(s.problems), "");
  EXPECT_EQ(varied(s.sweep), (Strings{"time.stop=[1,3]", kSpeed + "=uniform(0.1,0.9)"}));
  EXPECT_EQ(s.sweep.plan.samples, 6u);
  EXPECT_EQ(s.sweep.plan.seed, 5u);
  EXPECT_EQ(columns(s.result), (Strings{"time", "audit.energy"}));
  EXPECT_EQ(s.map().x.key, kSpeed);
  EXPECT_EQ(s.result.finished, 12u);
  // The same, asked for on the command line: the same draws.
  const Swept asked({.vary = {"time.stop=[1,3]", kSpeed + "=uniform(0.1,0.9)"},
                     .samples = 6,
                     .seed = 5,
                     .collect = {"time", "audit.energy"}});
  for (std::uint64_t i = 0; i < 12; ++i) EXPECT_EQ(asked.value(i, 1), s.value(i, 1));
}

TEST(SweepTable, GivesWayToTheCommandLine) {
  const Swept s({.vary = {},
                 .samples = 3,
                 .seed = 9,
                 .collect = {"audit.linear_momentum"},
                 .map = {"time.stop", kSpeed}},
                kDrift + kTable);
  ASSERT_EQ(all_of(s.problems), "");
  EXPECT_EQ(s.sweep.plan.samples, 3u);
  EXPECT_EQ(s.sweep.plan.seed, 9u);
  EXPECT_EQ(columns(s.result), (Strings{"audit.linear_momentum"}));
  EXPECT_EQ(s.map().x.key, "time.stop");
  EXPECT_EQ(s.result.finished, 6u);
  // Seed 0 is a seed.
  EXPECT_EQ(Swept({.vary = {}, .samples = 1, .seed = 0}, kDrift + kTable).sweep.plan.seed, 0u);
}

TEST(SweepTable, TakesSettings) {
  const Swept s({.vary = {}, .settings = {"sweep.samples=2", "sweep.map=[]"}}, kDrift + kTable);
  ASSERT_EQ(all_of(s.problems), "");
  EXPECT_EQ(s.result.finished, 4u);
  EXPECT_FALSE(s.result.map);
}

// Who varies something else on the command line asks for that, and for nothing the table's keys
// would need.
TEST(SweepTable, OfOtherKeysDoesNotStandInTheWay) {
  const Swept grid({.vary = {kStop + "=[1,3]"}}, kDrift + kTable);
  EXPECT_EQ(all_of(grid.problems), "");
  EXPECT_EQ(grid.result.finished, 2u);
  const Swept random({.vary = {kSpeed + "=uniform(0.1,0.2)"}, .samples = 3}, kDrift + kTable);
  EXPECT_EQ(all_of(random.problems), "");
  EXPECT_EQ(random.result.finished, 3u);
}

TEST(SweepTable, IsReadAndWrittenLikeAnyOther) {
  const ReadScenario read = read_scenario_text(kDrift + kTable, "drift.toml");
  ASSERT_EQ(all_of(read.problems), "");
  EXPECT_EQ(read.scenario.sweep.samples, 6);
  EXPECT_EQ(read.scenario.sweep.map.size(), 2u);
  const ReadScenario again = read_scenario_text(write_scenario(read.scenario), "again.toml");
  EXPECT_EQ(all_of(again.problems), "");
  EXPECT_EQ(write_scenario(again.scenario), write_scenario(read.scenario));
  EXPECT_EQ(read_scenario_text(kDrift, "drift.toml").scenario.sweep.seed, 1);
}

TEST(SweepTable, MistakesAreReported) {
  const auto problem_of = [](const Strings& settings) {
    return all_of(Swept({.vary = {}, .settings = settings}, kDrift + kTable).problems);
  };
  EXPECT_EQ(problem_of({}), "");
  const std::pair<const char*, const char*> cases[] = {
      {"sweep.samples=-2", "sweep.samples — -2 must not be negative"},
      {"sweep.samples=0", "--samples  is missing"},
      {"sweep.vary=[]", "nothing is varied"},
      {"sweep.vary=[\"time.stop\"]", "time.stop"},
      {"sweep.vary=[\"time.stpo=uniform(1,2)\"]", "time.stpo"},
      {"sweep.map=[\"time.stop\"]", "two keys are needed"},
      {"sweep.map=[\"time.stop\",\"time.end\"]", "time.end is not among the keys"},
      {"sweep.collect=[\"audit.enrgy\"]", "did you mean audit.energy?"},
      {"sweep.samplse=2", "sweep.samplse — no such input"},
      {"sweep.vary=3", "sweep.vary"},
  };
  for (const auto& [setting, words] : cases) {
    const std::string reported = problem_of({setting});
    EXPECT_TRUE(contains(reported, words)) << setting << ":\n" << reported;
  }
  // A scenario without the table and without --vary.
  EXPECT_TRUE(contains(all_of(Swept({}).problems), "nothing is varied"));
}

// --- the program ---------------------------------------------------------------------------------

TEST(SweepProgram, RunsWhatTheScenarioSaysAndDrawsTheMap) {
  const TemporaryFolder folder;
  write_bytes(folder / "drift.toml", kDrift + kTable);
  const auto run = [&](Strings words) {
    words.insert(words.begin(), {"sweep", "drift.toml", "--fresh"});
    return test::run_berth(words, {.folder = folder.path()});
  };
  const test::Ended text = run({});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "12 of 12 cases")) << text.out;
  EXPECT_TRUE(contains(text.out, "as expected [%] of time.stop [s] (down)")) << text.out;
  const std::string bytes = test::read_bytes(folder / "drift_sweep.h5");

  const test::Ended json = run({"--json", "--map", "time.stop," + kSpeed});
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out)["map"]["x"]["key"], "time.stop");
  EXPECT_EQ(test::read_bytes(folder / "drift_sweep.h5"), bytes) << "a map is no part of the result";
  // The same on one thread.
  EXPECT_EQ(run({"--threads", "1", "--quiet"}).code, 0);
  EXPECT_EQ(test::read_bytes(folder / "drift_sweep.h5"), bytes);

  const test::Ended refused = run({"--map", "time.stop,time.end"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "--map  time.end is not among the keys")) << refused.err;
}

}  // namespace
}  // namespace berth::sweep_map_test

// SPDX-License-Identifier: Apache-2.0

// Sweeps: which cases there are, what is random in them, what is kept of them.

#include "berth/analysis/sweep.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "berth/analysis/sweep_journal.h"
#include "berth/math/philox.h"
#include "berth/record/record_error.h"
#include "berth/scenario/read/find_input.h"
#include "berth/scenario/scenario.h"
#include "tests/analysis/plans.h"
#include "tests/record/read_back.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::analysis_sweep_test {
namespace {

using test::contains;
using test::plan_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

std::vector<double> numbers_of(const std::string& spread) {
  const SweepPlan plan = plan_of({"key=" + spread});
  std::vector<double> numbers;
  for (const Cell& c : plan.keys.at(0).values) numbers.push_back(std::get<double>(c));
  return numbers;
}
std::vector<double> draws_of(const SweepPlan& plan, std::size_t key) {
  std::vector<double> draws;
  for (std::uint64_t i = 0; i < plan.cases(); ++i)
    draws.push_back(std::get<double>(plan.value(i, key)));
  return draws;
}
std::string problem_of(const std::vector<std::string>& vary, std::uint64_t samples = 0) {
  Problems problems;
  build_sweep_plan({.vary = vary, .samples = samples}, problems);
  std::string text;
  for (const Problem& p : problems.list) text += describe(p) + "\n";
  return text;
}

// --- random numbers ------------------------------------------------------------------------------

// The known answers that come with Random123, the authors' own program.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (PhiloxWords{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxWords{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxWords{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Kolmogorov and Smirnov: the largest distance between the draws and their distribution. Beyond
// 1.95/√n it happens to one in a thousand; the seeds are fixed, so it happens always or never.
double find_distance(std::vector<double> draws, const std::function<double(double)>& below) {
  std::sort(draws.begin(), draws.end());
  const double n = static_cast<double>(draws.size());
  double distance = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double p = below(draws[i]);
    distance = std::max({distance, std::fabs(p - static_cast<double>(i) / n),
                         std::fabs(p - static_cast<double>(i + 1) / n)});
  }
  return distance * std::sqrt(n);
}
double find_correlation(std::span<const double> a, std::span<const double> b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

TEST(SweepDraws, FollowTheirDistributions) {
  for (const std::uint64_t seed : {1, 2, 4711}) {
    const SweepPlan plan = plan_of({"a=normal(3,0.5)", "b=uniform(-2,6)"}, 50'000, seed);
    EXPECT_LT(find_distance(draws_of(plan, 0),
                            [](double x) { return std::erfc((3 - x) / 0.5 / std::sqrt(2)) / 2; }),
              1.95);
    EXPECT_LT(find_distance(draws_of(plan, 1), [](double x) { return (x + 2) / 8; }), 1.95);
  }
}

TEST(SweepDraws, OfKeysSeedsAndNeighboursAreIndependent) {
  const std::size_t n = 50'000;
  const double most = 4 / std::sqrt(static_cast<double>(n));
  const SweepPlan plan = plan_of({"a=normal(0,1)", "b=uniform(0,1)", "c=normal(0,1)"}, n);
  const std::vector<double> a = draws_of(plan, 0), b = draws_of(plan, 1), c = draws_of(plan, 2);
  EXPECT_LT(std::fabs(find_correlation(a, b)), most);
  EXPECT_LT(std::fabs(find_correlation(a, c)), most);
  EXPECT_LT(std::fabs(find_correlation(b, c)), most);
  const std::vector<double> other = draws_of(plan_of({"a=normal(0,1)"}, n, 2), 0);
  EXPECT_LT(std::fabs(find_correlation(a, other)), most);
  EXPECT_LT(std::fabs(find_correlation(std::span(a).subspan(1), std::span(a).first(n - 1))), most);
}

TEST(SweepDraws, AreTheSameInAnyOrderAndWithMoreSamples) {
  const SweepPlan few = plan_of({"a=normal(0,1)", "b=uniform(0,1)"}, 10, 77);
  const SweepPlan many = plan_of({"a=normal(0,1)", "b=uniform(0,1)"}, 1000, 77);
  for (std::uint64_t i = 10; i-- > 0;) EXPECT_EQ(few.settings(i), many.settings(i));
  EXPECT_NE(few.settings(0), plan_of({"a=normal(0,1)", "b=uniform(0,1)"}, 10, 78).settings(0));
}

TEST(SweepDraws, AreTheSameAtEveryPointOfAGrid) {
  const SweepPlan plan = plan_of({"a=normal(0,1)", "b=[1,2,3]", "c=uniform(0,1)"}, 20);
  ASSERT_EQ(plan.cases(), 60u);
  for (std::uint64_t i = 0; i < 60; ++i) {
    EXPECT_EQ(plan.value(i, 0), plan.value(i % 20, 0));
    EXPECT_EQ(plan.value(i, 1), Cell(1.0 + static_cast<double>(i / 20)));
    EXPECT_EQ(plan.value(i, 2), plan.value(i % 20, 2));
  }
}

// --- grids ---------------------------------------------------------------------------------------

TEST(SweepGrid, LinHasItsEndsExactlyAndEvenSteps) {
  EXPECT_EQ(numbers_of("lin(0,1,11)"),
            (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}));
  EXPECT_EQ(numbers_of("lin(5,-5,3)"), (std::vector<double>{5, 0, -5}));
  EXPECT_EQ(numbers_of("lin(2.5,9,1)"), (std::vector<double>{2.5}));
  EXPECT_EQ(numbers_of(" lin( 0.1 , 0.7 , 2 ) "), (std::vector<double>{0.1, 0.7}));
}

TEST(SweepGrid, LogComesInWholeDecades) {
  EXPECT_EQ(numbers_of("log(1,1e4,5)"), (std::vector<double>{1, 10, 100, 1000, 10000}));
  EXPECT_EQ(numbers_of("log(1e-3,1e3,7)"),
            (std::vector<double>{1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}));
  const std::vector<double> wide = numbers_of("log(3e-300,7e300,9)");
  EXPECT_EQ(wide.front(), 3e-300);
  EXPECT_EQ(wide.back(), 7e300);
  for (std::size_t i = 1; i < 9; ++i)
    EXPECT_NEAR(std::log10(wide[i]) - std::log10(wide[i - 1]), 600.368 / 8, 1e-3);
}

TEST(SweepGrid, ListsHoldNumbersTextsOrVectors) {
  EXPECT_EQ(numbers_of("[1, 2.5, -3e2]"), (std::vector<double>{1, 2.5, -300}));
  const Vary words = plan_of({"k=[exact, fused ,\"a,b\"]"}).keys[0];
  EXPECT_TRUE(words.is_text());
  EXPECT_EQ(words.values, (std::vector<Cell>{"exact", "fused", "\"a,b\""}));
  const Vary mixed = plan_of({"k=[1,two]"}).keys[0];
  EXPECT_EQ(mixed.values, (std::vector<Cell>{"1", "two"}));
  const Vary vectors = plan_of({"k=[[1,0,0],[0,1,0]]"}).keys[0];
  EXPECT_EQ(vectors.values, (std::vector<Cell>{"[1,0,0]", "[0,1,0]"}));
}

TEST(SweepGrid, LastKeyRunsFastest) {
  const SweepPlan plan = plan_of({"a=[1,2]", "b=[x,y,z]"});
  ASSERT_EQ(plan.cases(), 6u);
  std::string all;
  for (std::uint64_t i = 0; i < 6; ++i) {
    const std::vector<std::string> s = plan.settings(i);
    all += s[0] + " " + s[1] + "; ";
  }
  EXPECT_EQ(all, "a=1 b=x; a=1 b=y; a=1 b=z; a=2 b=x; a=2 b=y; a=2 b=z; ");
}

TEST(SweepGrid, SettingsAreTheVeryNumbers) {
  const SweepPlan plan = plan_of({"a=normal(1e-7,1)", "b=log(1e-300,1e300,7)"}, 100);
  for (std::uint64_t i = 0; i < plan.cases(); ++i)
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_EQ(std::stod(plan.settings(i)[k].substr(2)), std::get<double>(plan.value(i, k)));
}

TEST(SweepGrid, IsDescribedAsItWouldBeWritten) {
  for (const char* text : {"a=lin(0,1,11)", "a=log(1,10000,5)", "a=[1,2.5,-300]", "a=[exact,fused]",
                           "a=normal(3,0.5)", "a=uniform(-2,6)"}) {
    const bool random = contains(text, "m(") || contains(text, "l(");
    const SweepPlan plan = plan_of({text}, random ? 3 : 0);
    EXPECT_EQ(describe(plan.keys[0]), text);
  }
}

// --- mistakes ------------------------------------------------------------------------------------

TEST(SweepMistakes, AreExplained) {
  const std::array<std::array<const char*, 2>, 19> cases{{
      {"k=nromal(1,2)", "did you mean normal?"},
      {"k=gauss(1,2)", "there is no gauss(…); write log(a,b,n)"},
      {"k=lin(1,2,0)", "0 values"},
      {"k=lin(1,2,2.5)", "2.5 values"},
      {"k=lin(1,2,1e9)", "at most"},
      {"k=lin(1,2)", "lin takes 3 numbers, not 2: lin(a,b,n)"},
      {"k=lin(1,x,3)", "\"x\" in lin(1,x,3) is not a number"},
      {"k=lin(1,inf,3)", "is not a number"},
      {"k=log(0,2,3)", "a logarithm needs ends above 0"},
      {"k=log(1,-2,3)", "a logarithm needs ends above 0"},
      {"k=normal(1,-2)", "is negative"},
      {"k=uniform(2,1)", "write the lower end first"},
      {"k=[]", "the list is empty"},
      {"k=[1,,2]", "a comma too many"},
      {"k=[John's,2]", "a quote or a bracket in John's,2 is not closed"},
      {"k=discrete(\"x\":1,\"y:3)", "a quote or a bracket in \"y:3 is not closed"},
      {"k=5", "one value alone is [5]"},
      {"k", "write it as KEY="},
      {"spacecraft.a.from=[x.toml,y.toml]", "cannot be varied"},
  }};
  for (const auto& [text, message] : cases)
    EXPECT_TRUE(contains(problem_of({text}), message)) << text << ": " << problem_of({text});
}

TEST(SweepMistakes, AreReportedAllAtOnce) {
  const std::string all = problem_of({"a=[]", "b=lin(1,2,0)", "c=[1]", "c=[2]", "d=ling(1,2,3)"});
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4) << all;
  EXPECT_TRUE(contains(all, "--vary  c — is varied twice")) << all;
}

TEST(SweepMistakes, SamplesGoWithRandomKeys) {
  EXPECT_TRUE(contains(problem_of({"a=normal(0,1)"}), "--samples  is missing"));
  EXPECT_TRUE(contains(problem_of({"a=[1,2]"}, 5), "nothing is random here"));
  EXPECT_TRUE(contains(problem_of({}), "nothing is varied"));
  EXPECT_TRUE(contains(problem_of({"a=lin(0,1,10000)", "b=lin(0,1,10000)"}), "cases; the most is"));
}

// --- values of a summary -------------------------------------------------------------------------

TEST(SweepCollect, APatternMayLeaveANameOpen) {
  EXPECT_TRUE(fits_path("contacts.*.force_peak", "contacts.tip.force_peak"));
  EXPECT_TRUE(fits_path("contacts.*.force_peak", "contacts.box.corner1.force_peak"));
  EXPECT_FALSE(fits_path("contacts.*.force_peak", "contacts.tip.force_peaks"));
  EXPECT_FALSE(fits_path("contacts.*.force_peak", "contacts.force_peak"));
  EXPECT_FALSE(fits_path("contacts.*.force_peak", "docks.tip.force_peak"));
}

TEST(SweepCollect, FindsValuesByTheirPath) {
  Summary s;
  s.verdict = "word";
  s.audit.energy = NAN;
  s.expectations = {{"a", "b", "c", true}};
  s.events = {{1.5, "latch", "joint", {}},
              {2.5, "event", "cap_hard", {named("gap", 0.25), named("p", Vec3<double>{1, 2, 3})}}};
  std::vector<std::string> paths;
  for (const SummaryValue& v : list_values(s)) paths.push_back(v.path);
  for (const char* path : {"steps.rhs", "audit.energy", "events.1.p.2", "expectations.0.met"})
    EXPECT_EQ(std::count(paths.begin(), paths.end(), path), 1) << path;
  EXPECT_EQ(std::count(paths.begin(), paths.end(), "wall_seconds"), 0);
  for (const SummaryValue& v : list_values(s)) {
    const auto found = find_value(s, v.path);
    ASSERT_TRUE(found) << v.path;
    EXPECT_EQ(found->unit, v.unit);
    EXPECT_TRUE(v.path == "audit.energy" || found->value == v.value) << v.path;
  }
  EXPECT_EQ(find_value(s, "expectations.0.met")->value, Cell(1.0));
  EXPECT_TRUE(std::isnan(find_number(s, "audit.energy")));
  EXPECT_EQ(find_value(s, "verdict")->value, Cell("word"));
  EXPECT_EQ(find_number(s, "events.cap_hard.t"), 2.5);
  EXPECT_EQ(find_number(s, "events.cap_hard.gap"), 0.25);
  EXPECT_EQ(find_number(s, "events.1.gap"), 0.25);
  EXPECT_FALSE(find_value(s, "events.cap.t"));
  EXPECT_FALSE(find_value(s, "events.joint.t")) << "a dock is no event";
  EXPECT_FALSE(find_value(s, "audit.ener"));
}

TEST(SweepCollect, PatternsNameAPathATableOrABeginning) {
  EXPECT_TRUE(fits_path("audit.energy", "audit.energy"));
  EXPECT_TRUE(fits_path("audit", "audit.energy"));
  EXPECT_TRUE(fits_path("audit.*", "audit.energy"));
  EXPECT_TRUE(fits_path("audit.en*", "audit.energy"));
  EXPECT_TRUE(fits_path("*", "audit.energy"));
  EXPECT_FALSE(fits_path("audit.en", "audit.energy"));
  EXPECT_FALSE(fits_path("aud", "audit.energy"));
  EXPECT_FALSE(fits_path("audit.energy.x", "audit.energy"));
}

TEST(SweepCollect, UnitsComeFromTheSchema) {
  const ReadScenario read = read_scenario(test::shipped_scenario("slew"));
  const auto unit = [&](const char* path) {
    const auto facts = find_input(read.scenario, path);
    return facts ? facts->unit : "nothing";
  };
  EXPECT_EQ(unit("time.stop"), "s");
  EXPECT_EQ(unit("spacecraft.servicer.mass"), "kg");
  EXPECT_EQ(unit("spacecraft.servicer.component.wheel1.speed_rpm"), "rpm");
  EXPECT_EQ(unit("spacecraft.servicer.component.wheel1.speed"), "rad/s");
  EXPECT_EQ(unit("spacecraft.servicer.component.panel_left.stiffness"), "N·m/rad");
  EXPECT_EQ(unit("spacecraft.servicer.state.omega_BN_B_deg_s"), "deg/s");
  EXPECT_EQ(unit("spacecraft.servicer.state.omega_BN_B.x"), "rad/s");
  EXPECT_EQ(unit("event.turned.do.1.record"), "s");
  EXPECT_EQ(unit("integrator.method"), "-");
  EXPECT_EQ(unit("integrator.nothing"), "nothing");
}

TEST(SweepCollect, ValuesAreThoseOfTheFile) {
  const std::string craft = "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nmass = ";
  // 30 deg and not what dividing gives; and a number smaller than most that text is turned into.
  const ReadScenario read = read_scenario_text(
      craft + "5e-324\ninertia = [1, 1, 1]\nstate = { omega_BN_B_deg_s = [30, 0, 0] }\n", "x.toml");
  EXPECT_EQ(find_input(read.scenario, "spacecraft.a.mass")->value, 5e-324);
  EXPECT_EQ(find_input(read.scenario, "spacecraft.a.state.omega_BN_B_deg_s.x")->value, 30.0);
}

// --- a text that stands alone --------------------------------------------------------------------

TEST(SweepSource, TakesSettingsLikeTheFile) {
  for (const std::string& name : test::shipped_scenarios()) {
    const std::string text = read_bytes(test::shipped_scenario(name));
    Problems problems;
    const std::string source = expand_scenario(text, name, {"title=New"}, "", problems);
    ASSERT_TRUE(problems.empty());
    for (const char* setting : {"time.stop=3", "integrator.tolerance=1e-7", "record.interval=2"}) {
      const ReadScenario direct = read_scenario_text(text, name, {"title=New", setting});
      const ReadScenario expanded = read_scenario_text(source, name, {setting});
      EXPECT_EQ(write_scenario(direct.scenario), write_scenario(expanded.scenario)) << name;
      EXPECT_TRUE(expanded.problems.empty());
    }
  }
}

// --- a whole sweep -------------------------------------------------------------------------------

Sweep spin_sweep(const SweepRequest& request) {
  const std::string file = test::shipped_scenario("free_body");
  Problems problems{file, {}};
  Sweep sweep = build_sweep(file, request, problems);
  for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
  return sweep;
}

TEST(SweepRun, HasARowPerCaseAndTheFirstSummaryFixesTheColumns) {
  const TemporaryFolder folder;
  // Half of the masses are refused.
  const Sweep sweep = spin_sweep({.vary = {"time.stop=[0.1,0.2]", "spacecraft.body.mass=[1,-1]"},
                                  .settings = {"record.interval=1"}});
  Problems problems;
  const SweepResult result = run_sweep(sweep, {.h5 = folder / "x.h5"}, problems);
  ASSERT_TRUE(problems.empty() && result.complete());
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"x.h5"}));
  const record_test::ReadBack file(folder / "x.h5");
  const std::vector<std::string> members = file.members("/cases");
  EXPECT_EQ(std::vector(members.begin(), members.begin() + 8),
            (std::vector<std::string>{"case", "time.stop", "spacecraft.body.mass", "outcome",
                                      "verdict", "as_expected", "message", "steps.accepted"}));
  EXPECT_EQ(file.numbers("/cases/time.stop"), (std::vector<double>{0.1, 0.1, 0.2, 0.2}));
  EXPECT_EQ(file.texts("/cases/outcome"),
            (std::vector<std::string>{"reached_end", "refused", "reached_end", "refused"}));
  EXPECT_EQ(file.numbers("/cases/as_expected"), (std::vector<double>{1, 0, 1, 0}));
  EXPECT_TRUE(contains(file.texts("/cases/message")[1], "spacecraft.body.mass — -1 kg must be"));
  EXPECT_TRUE(std::isnan(file.numbers("/cases/audit.energy")[1]));
  EXPECT_EQ(file.text_attribute("/cases/spacecraft.body.mass", "unit"), "kg");
  EXPECT_EQ(file.text_attribute("/cases/time.stop", "description"), "when the run ends");
}

TEST(SweepRun, AnEventIsCollectedByNameWhetherItActsOrNot) {
  const TemporaryFolder folder;
  Problems problems;
  const Sweep slew = build_sweep(
      test::shipped_scenario("slew"),
      {.vary = {"time.stop=[1,2]"}, .collect = {"events.turned.t", "steps.*"}}, problems);
  const SweepResult none = run_sweep(slew, {.h5 = folder / "x.h5"}, problems);
  ASSERT_TRUE(problems.empty() && none.complete());
  EXPECT_EQ(none.columns().back().path, "events.turned.t");
  EXPECT_EQ(none.columns().back().unit, "s");
  EXPECT_TRUE(std::isnan(none.store->get(0).numbers.back()));
  const Sweep wrong =
      build_sweep(test::shipped_scenario("slew"),
                  {.vary = {"time.stop=[1,2]"}, .collect = {"events.turnd.t"}}, problems);
  run_sweep(wrong, {.h5 = folder / "y.h5"}, problems);
  ASSERT_EQ(problems.list.size(), 1u);
  EXPECT_TRUE(contains(describe(problems.list[0]), "did you mean events.turned.t?"))
      << describe(problems.list[0]);
}

TEST(SweepRun, MayBeginWithCasesThatAreRefused) {
  const TemporaryFolder folder;
  Sweep sweep =
      spin_sweep({.vary = {"spacecraft.body.mass=[1,2,3]"}, .settings = {"time.stop=0.1"}});
  sweep.plan.keys[0].values = {Cell(-1.0), Cell(-2.0), Cell(3.0)};
  Problems problems;
  const SweepResult result = run_sweep(sweep, {.h5 = folder / "x.h5"}, problems);
  EXPECT_EQ(result.columns().size(), 8u);
  EXPECT_TRUE(std::isnan(result.store->get(0).numbers[3]));
  EXPECT_FALSE(std::isnan(result.store->get(2).numbers[3]));
}

TEST(SweepRun, SaysWhyACaseIsNotAsExpected) {
  const Sweep sweep =
      spin_sweep({.vary = {"expect.energy=[1,1e-30]"}, .settings = {"time.stop=0.1"}});
  const ParsedScenario source(sweep.source, sweep.file);
  EXPECT_EQ(run_case(sweep, source, sweep.plan.settings(0)).result.message, "");
  const CaseResult failed = run_case(sweep, source, sweep.plan.settings(1)).result;
  EXPECT_FALSE(failed.as_expected);
  EXPECT_EQ(failed.outcome, "reached_end");
  EXPECT_TRUE(failed.message.starts_with("energy audit: wanted below 1e-30, got "));
}

TEST(SweepRun, MayHaveNoResultAtAll) {
  const TemporaryFolder folder;
  Sweep sweep = spin_sweep({.vary = {"spacecraft.body.mass=[1,2]"}});
  sweep.plan.keys[0].values = {Cell(-1.0), Cell(-2.0)};
  Problems problems;
  const SweepResult result = run_sweep(sweep, {.h5 = folder / "x.h5"}, problems);
  EXPECT_TRUE(result.complete() && problems.empty());
  EXPECT_TRUE(contains(describe(result), "2 of 2 cases: 2 refused"));
  EXPECT_TRUE(nlohmann::json::parse(to_json(result))["columns"].empty());
}

// Interrupted again and again, after a case or two, with another number of threads each time.
TEST(SweepRun, GoesOnWhereItWasInterruptedToTheSameBytes) {
  const SweepRequest request{
      .vary = {"spacecraft.body.mass=normal(1,0.6)", "integrator.method=[dop853,rkf45]",
               "spacecraft.body.state.omega_BN_B.y=uniform(1,15)"},
      .settings = {"time.stop=0.5", "record.interval=1"},
      .samples = 15};
  const Sweep sweep = spin_sweep(request);
  const TemporaryFolder whole, pieces;
  Problems problems;
  run_sweep(sweep, {.h5 = whole / "x.h5", .csv = whole / "x.csv", .threads = 1}, problems);

  std::uint64_t before = 0;
  for (int attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 40);
    int left = 2;  // cases until the interruption; two at least, so that there is progress
    const SweepResult result =
        run_sweep(sweep,
                  {.h5 = pieces / "x.h5",
                   .csv = pieces / "x.csv",
                   .threads = 1 + attempt % 3,
                   .interrupted = [&] { return left <= 0; },
                   .progress = [&](std::uint64_t, std::uint64_t) { --left; }},
                  problems);
    ASSERT_TRUE(problems.empty());
    EXPECT_EQ(result.taken_over, before);
    before = result.finished;
    if (result.complete()) break;
    EXPECT_EQ(pieces.files(), (std::vector<std::string>{"x.h5.journal"}));
  }
  EXPECT_EQ(pieces.files(), (std::vector<std::string>{"x.csv", "x.h5"}));
  EXPECT_TRUE(read_bytes(whole / "x.h5") == read_bytes(pieces / "x.h5"));
  EXPECT_EQ(read_bytes(whole / "x.csv"), read_bytes(pieces / "x.csv"));
}

TEST(SweepRun, InterruptedBeforeAnyResultKeepsNothing) {
  const TemporaryFolder folder;
  const Sweep sweep = spin_sweep({.vary = {"time.stop=[0.1,0.2]"}});
  Problems problems;
  const SweepResult result =
      run_sweep(sweep, {.h5 = folder / "x.h5", .interrupted = [] { return true; }}, problems);
  EXPECT_EQ(result.finished, 0u);
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(folder.files(), (std::vector<std::string>{}));
}

TEST(SweepRun, ChecksEveryTextAndTheMiddleOfWhatIsRandom) {
  const std::string file = test::shipped_scenario("free_body");
  Problems problems{file, {}};
  build_sweep(file,
              {.vary = {"integrator.method=[dop853,dopri55,dopri55,nonsense]",
                        "spacecraft.body.masss=normal(1,1)", "time.stop=uniform(-3,1)"},
               .samples = 3},
              problems);
  std::string all;
  for (const Problem& p : problems.list) all += describe(p) + "\n";
  for (const char* part :
       {"--vary  integrator.method — no method dopri55; did you mean dopri5?", "nonsense",
        "--vary  spacecraft.body.masss — no such input", "--vary  time.stop — -1 s must be"})
    EXPECT_TRUE(contains(all, part)) << part << "\n" << all;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4) << all;
}

}  // namespace
}  // namespace berth::analysis_sweep_test

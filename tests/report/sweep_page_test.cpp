// SPDX-License-Identifier: Apache-2.0

// What the page of a sweep holds: counts, intervals, quantiles, maps and points, against direct
// computation.

#include "berth/report/sweep_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "berth/analysis/sweep.h"
#include "berth/record/record_error.h"
#include "berth/report/page.h"
#include "berth/report/sweep_cases.h"
#include "berth/statistics/proportion.h"
#include "tests/analysis/plans.h"
#include "tests/analysis/stores.h"
#include "tests/support/process.h"

namespace berth::test::sweep_page_test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> numbers_of(const PageData& page, const Json& ref) {
  const std::span<const unsigned char> bytes = page.block.bytes();
  const auto at = ref["at"].get<std::size_t>();
  std::vector<double> out;
  for (std::size_t i = 0; i < ref["n"].get<std::size_t>(); ++i) {
    if (ref["kind"] == "f64") {
      double x;
      std::memcpy(&x, &bytes[at + 8 * i], 8);
      out.push_back(x);
    } else {
      float x;
      std::memcpy(&x, &bytes[at + 4 * i], 4);
      out.push_back(ref.value("offset", 0.0) + ref.value("scale", 1.0) * static_cast<double>(x));
    }
  }
  return out;
}

// A sweep of two random inputs: caught where they lie near one another. Every 97th case fails for
// another reason; the load is missing in every tenth.
struct Written {
  explicit Written(std::uint64_t cases, const std::string& title = "what is caught",
                   const std::string& file = "x_sweep.h5") {
    sweep.file = "folder/x.toml";
    sweep.title = title;
    sweep.source = sweep.scenario = "title = \"x\"\n";
    sweep.plan = plan_of({"craft.a.offset=uniform(-1,1)", "craft.a.tilt=normal(0,0.5)"}, cases, 7);
    sweep.inputs = {{"m", "across"}, {"rad", "about y"}};
    columns = {{"contacts.tip.force_peak", false, "N", "largest force"}, {"note", true}};
    for (std::uint64_t i = 0; i < cases; ++i) {
      CaseResult r;
      const bool good = std::fabs(x(i) - y(i)) < 0.6 && i % 97 != 0;
      r.outcome = "stopped";
      r.verdict = good ? "captured" : i % 97 == 0 ? "missed" : "bounced_off";
      r.as_expected = good;
      r.message = good ? "" : "verdict: wanted captured, got " + r.verdict;
      r.numbers = {i % 10 == 0 ? NAN : 10 * x(i) * x(i) + y(i)};
      r.texts = {i % 2 == 0 ? "even" : "odd"};
      results.push_back(r);
    }
    path = folder / file;
    write_table(sweep, columns, results, path);
  }
  double x(std::uint64_t i) const { return std::get<double>(sweep.plan.value(i, 0)); }
  double y(std::uint64_t i) const { return std::get<double>(sweep.plan.value(i, 1)); }
  PageData page(const SweepPageLimits& limits = {}) const {
    return build_sweep_page_data(path, folder.path(), limits);
  }

  TemporaryFolder folder;
  std::filesystem::path path;
  Sweep sweep;
  std::vector<Collected> columns;
  std::vector<CaseResult> results;
};

TEST(SweepTable, ReadsBackWhatWasWritten) {
  const Written w(50);
  const SweepTable table(w.path);
  EXPECT_TRUE(is_sweep(w.path));
  EXPECT_EQ(table.cases(), 50u);
  EXPECT_EQ(table.title, "what is caught");
  EXPECT_EQ(table.plan.samples, 50u);
  EXPECT_EQ(table.plan.seed, 7u);
  ASSERT_EQ(table.inputs().size(), 2u);
  EXPECT_EQ(table.inputs()[0].unit, "m");
  EXPECT_EQ(table.numbers(table.inputs()[1])[17], w.y(17));
  EXPECT_EQ(table.reader().texts("/cases/verdict")[0], "missed");
  EXPECT_EQ(table.numbers(table.as_expected())[0], 0);
  ASSERT_EQ(table.collected().size(), 2u);
  EXPECT_EQ(table.collected()[0].name, "contacts.tip.force_peak");
  EXPECT_TRUE(table.collected()[1].is_text);
}

TEST(SweepPage, CountsVerdictsWithTheirIntervals) {
  const Written w(1000);
  const Json head = Json::parse(w.page().head);
  EXPECT_EQ(head["format"], 1);
  EXPECT_EQ(head["kind"], "sweep");
  EXPECT_EQ(head["cases"], 1000);
  EXPECT_EQ(head["scenario_file"], "x.toml") << "without its folder";
  std::map<std::string, std::uint64_t> counts;
  for (const CaseResult& r : w.results) ++counts[r.verdict];
  ASSERT_EQ(head["classes"].size(), 3u);
  for (const Json& c : head["classes"]) {
    const auto n = c["count"].get<std::uint64_t>();
    EXPECT_EQ(n, counts[c["name"]]);
    EXPECT_EQ(c["good"], c["name"] == "captured");
    const Proportion p = find_proportion(n, 1000);
    EXPECT_EQ(c["fraction"], p.fraction);
    EXPECT_EQ(c["low"], p.low);
    EXPECT_EQ(c["high"], p.high);
  }
  EXPECT_EQ(head["as_expected"]["count"], counts["captured"]);
}

TEST(SweepPage, HasTheQuantilesAndHistogramsOfAllCases) {
  const Written w(1000);
  const PageData page = w.page();
  const Json head = Json::parse(page.head);
  const Json& force = head["columns"][2];
  EXPECT_EQ(force["name"], "contacts.tip.force_peak");
  EXPECT_EQ(force["unit"], "N");
  EXPECT_EQ(force["role"], "output");
  std::vector<double> values;
  for (const CaseResult& r : w.results)
    if (std::isfinite(r.numbers[0])) values.push_back(r.numbers[0]);
  std::sort(values.begin(), values.end());
  const Json& s = force["statistics"];
  EXPECT_EQ(s["count"], 900);
  EXPECT_EQ(s["min"], values.front());
  EXPECT_EQ(s["max"], values.back());
  EXPECT_EQ(s["median"], values[449] / 2 + values[450] / 2);
  EXPECT_EQ(s["p05"], values[45]);
  EXPECT_EQ(s["p25"], values[225]);
  EXPECT_EQ(s["p95"], values[854]);
  EXPECT_EQ(s["p99"], values[890]);
  EXPECT_EQ(w.results[s["max_case"].get<std::size_t>()].numbers[0], values.back());

  const auto edges = force["edges"].get<std::vector<double>>();
  const std::vector<double> counts = numbers_of(page, force["counts"]);
  const std::size_t bins = edges.size() - 1;
  ASSERT_EQ(counts.size(), 3 * bins);
  double sum = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    const auto inside = std::count_if(values.begin(), values.end(), [&](double v) {
      return v >= edges[i] && (v < edges[i + 1] || (i + 1 == bins && v <= edges[i + 1]));
    });
    const double stacked = counts[i] + counts[bins + i] + counts[2 * bins + i];
    EXPECT_EQ(stacked, inside) << i;
    sum += stacked;
  }
  EXPECT_EQ(sum, 900);
  // The ten largest, as places of points; all cases are points here.
  const auto largest = force["largest"].get<std::vector<std::size_t>>();
  ASSERT_EQ(largest.size(), 10u);
  const std::vector<double> numbers = numbers_of(page, force["data"]);
  for (std::size_t k = 0; k < 10; ++k)
    EXPECT_EQ(numbers[largest[k]], values[values.size() - 1 - k]);
}

TEST(SweepPage, MapsEveryTwoInputsWithTheCasesOfEachPiece) {
  const Written w(2000);
  const PageData page = w.page();
  const Json head = Json::parse(page.head);
  ASSERT_EQ(head["maps"].size(), 1u);
  const Json& map = head["maps"][0];
  const std::vector<double> counts = numbers_of(page, map["counts"]);
  ASSERT_EQ(counts.size(), 3 * 64u);
  std::vector<double> all(64), good(64);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto px = std::min<std::size_t>(7, static_cast<std::size_t>((w.x(i) + 1) * 4));
    const double ty = std::clamp((w.y(i) + 1) * 4, 0.0, 7.5);
    const std::size_t at = static_cast<std::size_t>(ty) * 8 + px;
    ++all[at];
    if (w.results[i].as_expected) ++good[at];
  }
  const std::vector<double> low = numbers_of(page, map["low"]);
  for (std::size_t at = 0; at < 64; ++at) {
    EXPECT_EQ(counts[at] + counts[64 + at] + counts[128 + at], all[at]) << at;
    EXPECT_EQ(counts[at], good[at]) << "good classes come first";
    const Proportion p =
        find_proportion(static_cast<std::uint64_t>(good[at]), static_cast<std::uint64_t>(all[at]));
    EXPECT_NEAR(low[at], p.low, 1e-6);
  }
  // The largest force of each piece.
  EXPECT_EQ(head["map_outputs"], Json({2}));
  const std::vector<double> largest = numbers_of(page, map["largest"]);
  ASSERT_EQ(largest.size(), 64u);
  double most = 0;
  for (const double x : largest) most = std::fmax(most, x);
  EXPECT_NEAR(most, head["columns"][2]["statistics"]["max"].get<double>(), 1e-5);
  EXPECT_EQ(Json::parse(w.page({.map_numbers = 10}).head)["map_outputs"], Json::array());
  // Neither input alone decides; both together do.
  EXPECT_GT(map["effect"].get<double>(), 0.5);
  EXPECT_LT(head["columns"][0]["effect"].get<double>(), 0.4);
}

TEST(SweepPage, OfManyCasesShowsAllFailuresAndAStatedSample) {
  const Written w(3000);
  const auto failures = static_cast<std::size_t>(std::count_if(
      w.results.begin(), w.results.end(), [](const CaseResult& r) { return !r.as_expected; }));
  ASSERT_LT(failures, 2000u);
  const PageData page = w.page({.points = 2000});
  const Json head = Json::parse(page.head);
  const Json& points = head["points"];
  EXPECT_EQ(points["all_failures"], failures);
  EXPECT_EQ(points["failures"], failures);
  const std::vector<double> cases = numbers_of(page, points["case"]);
  EXPECT_EQ(points["count"], cases.size());
  EXPECT_GE(cases.size(), 1950u);  // one may be drawn twice
  EXPECT_LE(cases.size(), 2000u + 60u) << "the worst of three columns are always there";
  EXPECT_TRUE(std::is_sorted(cases.begin(), cases.end()));
  const std::set<double> shown(cases.begin(), cases.end());
  for (std::size_t i = 0; i < w.results.size(); ++i)
    EXPECT_TRUE(w.results[i].as_expected || shown.contains(static_cast<double>(i))) << i;
  // Statistics are of all cases nevertheless, and the same page is made again.
  EXPECT_EQ(head["columns"][2]["statistics"]["count"], 2700);
  const auto largest = head["columns"][2]["largest"].get<std::vector<std::size_t>>();
  EXPECT_EQ(cases.at(largest[0]), head["columns"][2]["statistics"]["max_case"].get<double>());
  EXPECT_EQ(w.page({.points = 2000}).head, page.head);
}

TEST(SweepPage, WithMoreFailuresThanPointsSaysHowManyAreShown) {
  const Written w(3000);
  const Json points = Json::parse(w.page({.points = 400}).head)["points"];
  EXPECT_LT(points["failures"].get<int>(), points["all_failures"].get<int>());
  EXPECT_GE(points["count"].get<int>() - points["failures"].get<int>(), 40);
}

TEST(SweepPage, HoldsNumbersExactlyUnlessThereAreTooMany) {
  const Written w(300);
  const PageData exact = w.page(), rounded = w.page({.exact = 10});
  const Json a = Json::parse(exact.head), b = Json::parse(rounded.head);
  EXPECT_EQ(a["points"]["exact"], true);
  EXPECT_EQ(b["points"]["exact"], false);
  EXPECT_EQ(numbers_of(exact, a["columns"][0]["data"])[33], w.x(33));
  EXPECT_NEAR(numbers_of(rounded, b["columns"][0]["data"])[33], w.x(33), 1e-6);
}

TEST(SweepPage, KeepsMarkupAndControlCharactersAsText) {
  const std::string bad = "</script><script>alert(1)</script>\x01 \"'&";
  Written w(20, bad, "it's <b>.h5");
  w.results[3].verdict = w.results[3].message = "<!--<script>" + bad;
  w.results[3].as_expected = false;
  write_table(w.sweep, w.columns, w.results, w.path);
  const PageData page = w.page();
  EXPECT_EQ(page.head.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(page.head)["title"], bad);
  EXPECT_EQ(Json::parse(page.head)["shell_file"], "'it'\\''s <b>.h5'");
  const std::string text = fill_template("@BERTH_TITLE@|@BERTH_HEAD@|@BERTH_DATA@", page);
  EXPECT_EQ(text.find('<'), std::string::npos);
}

TEST(SweepPage, FindsPagesOfCasesBeside) {
  const Written w(20);
  for (const char* name : {"x_sweep_case7.html", "x_sweep_case12.html", "x_sweep_case99.html",
                           "x_sweep_case07.html", "x_sweep_case.html", "y_sweep_case3.html"})
    write_bytes(w.folder / name, "");
  EXPECT_EQ(Json::parse(w.page().head)["case_pages"], Json({7, 12}));
}

TEST(SweepPage, OfAGridOrOfTextsHasWhatThereIs) {
  const TemporaryFolder folder;
  Sweep sweep;
  sweep.plan = plan_of({"a.b=lin(0,1,30)", "a.c=[dop853,rk4]"});
  sweep.inputs = {{"m", ""}, {"", ""}};
  const std::vector<CaseResult> results(60, CaseResult{"reached_end", "", "", true, {}, {}});
  write_table(sweep, {}, results, folder / "g.h5");
  const PageData page = build_sweep_page_data(folder / "g.h5", folder.path());
  const Json head = Json::parse(page.head);
  EXPECT_EQ(head["random"], false);
  EXPECT_EQ(head["classes"][0]["name"], "reached_end") << "the outcome where there is no verdict";
  EXPECT_EQ(head["columns"][0]["axis"]["edges"].size(), 13u) << "thirty values in twelve pieces";
  EXPECT_EQ(head["columns"][1]["labels"], Json({"dop853", "rk4"}));
  EXPECT_EQ(head["maps"].size(), 0u);
}

TEST(SweepPage, OfSomethingElseIsRefused) {
  const TemporaryFolder folder;
  write_bytes(folder / "foreign.h5", "hello");
  EXPECT_THROW(build_sweep_page_data(folder / "foreign.h5", folder.path()), RecordError);
  EXPECT_THROW(build_sweep_page_data(folder / "none.h5", folder.path()), RecordError);
}

TEST(SweepPage, HasATemplateWithItsHoles) {
  for (const char* hole : {"@BERTH_TITLE@", "@BERTH_HEAD@", "@BERTH_DATA@"})
    EXPECT_NE(sweep_template().find(hole), std::string_view::npos) << hole;
}

TEST(CaseClasses, AreFewAndSayWhichAreAsExpected) {
  const TemporaryFolder folder;
  Sweep sweep;
  sweep.plan = plan_of({"a=uniform(0,1)"}, 200);
  sweep.inputs.resize(1);
  std::vector<CaseResult> results;
  for (int i = 0; i < 200; ++i)
    results.push_back(
        {"stopped", i < 100 ? "captured" : "v" + std::to_string(i % 9), "", i < 80, {}, {}});
  write_table(sweep, {}, results, folder / "c.h5");
  const SweepTable table(folder / "c.h5");
  const CaseClasses classes = find_classes(table, table.numbers(table.as_expected()));
  ASSERT_EQ(classes.list.size(), 6u);
  EXPECT_EQ(classes.list[0].name, "captured");
  EXPECT_EQ(classes.list[0].count, 80u);
  EXPECT_EQ(classes.list.back().name, "other");
  std::uint64_t sum = 0;
  for (const CaseClass& c : classes.list) sum += c.count;
  EXPECT_EQ(sum, 200u);
  bool is_named = false;
  for (const CaseClass& c : classes.list) is_named |= c.name == "captured, not as expected";
  EXPECT_TRUE(is_named);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(classes.list[classes.of[i]].good, i < 80);
}

}  // namespace
}  // namespace berth::test::sweep_page_test

// SPDX-License-Identifier: Apache-2.0

// Whoever observes, whatever is written, at whatever rate: a run and its summary are the same.

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"

namespace berth::test::observing_test {
namespace {

using Json = nlohmann::ordered_json;

class Observed : public testing::TestWithParam<std::string> {};

Json summary_of(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended end = run_berth(arguments, {.patience = 300});
  // Of a run that is cut short not all is as expected.
  EXPECT_LE(end.code, more.empty() ? 0 : 1) << end.err;
  Json j = Json::parse(end.out, nullptr, false);
  EXPECT_FALSE(j.is_discarded()) << end.out;
  for (const char* key : {"samples", "wall_seconds", "h5", "csv", "page"}) j.erase(key);
  return j;
}

void expect_same_summaries(const std::string& name, const std::vector<std::string>& more) {
  const std::string file = shipped_scenario(name);
  const std::string out = testing::TempDir() + "observed_" + name + ".h5";
  const Json alone = summary_of({file, "--no-out"}, more);
  EXPECT_EQ(alone, summary_of({file, "--out", out, "--csv"}, more));
  const double stop = alone["time"].get<double>();
  const std::string at = std::to_string(0.1 * stop) + "," + std::to_string(0.77 * stop);
  EXPECT_EQ(alone, summary_of({file, "--no-out", "--at", at}, more));
  const std::string interval = "record.interval=" + std::to_string(stop / 77);
  EXPECT_EQ(alone, summary_of({file, "--out", out, "--set", interval}, more));
  for (const char* ending : {".h5", ".csv", ".html"})
    std::filesystem::remove(std::filesystem::path(out).replace_extension(ending));
}

TEST_P(Observed, HasTheSameSummaryWithAndWithoutFilesAtAnyIntervalWithAnySample) {
  expect_same_summaries(GetParam(), shorten(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Scenario, Observed, testing::ValuesIn(shipped_scenarios()),
                         [](const auto& p) { return p.param; });

TEST(ObservedSoak, AllOfEveryRun) {
  for (const std::string& name : shipped_scenarios())
    if (!shorten(name).empty()) expect_same_summaries(name, {});
}

}  // namespace
}  // namespace berth::test::observing_test

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

Json summary_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const Ended end = run_berth(arguments, {.patience = 300});
  EXPECT_EQ(end.code, 0) << end.err;
  Json j = Json::parse(end.out, nullptr, false);
  EXPECT_FALSE(j.is_discarded()) << end.out;
  for (const char* key : {"samples", "wall_seconds", "h5", "csv", "page"}) j.erase(key);
  return j;
}

TEST_P(Observed, HasTheSameSummaryWithAndWithoutFilesAtAnyIntervalWithAnySample) {
  const std::string file = shipped_scenario(GetParam());
  const std::string out = testing::TempDir() + "observed_" + GetParam() + ".h5";
  const Json alone = summary_of({file, "--no-out"});
  EXPECT_EQ(alone, summary_of({file, "--out", out, "--csv"}));
  const double stop = alone["time"].get<double>();
  EXPECT_EQ(alone, summary_of({file, "--no-out", "--at",
                               std::to_string(0.1 * stop) + "," + std::to_string(0.77 * stop)}));
  EXPECT_EQ(alone, summary_of({file, "--out", out, "--set",
                               "record.interval=" + std::to_string(stop / 77)}));
  for (const char* ending : {".h5", ".csv", ".html"})
    std::filesystem::remove(std::filesystem::path(out).replace_extension(ending));
}

INSTANTIATE_TEST_SUITE_P(Scenario, Observed, testing::ValuesIn(shipped_scenarios()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace berth::test::observing_test

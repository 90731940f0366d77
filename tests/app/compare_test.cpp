// SPDX-License-Identifier: Apache-2.0

// `berth compare` as a user runs it.

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::app_compare_test {
namespace {

using Json = nlohmann::ordered_json;

Strings compare_words(const Strings& more) {
  Strings words{"compare", shipped_scenario("docked_panels"), "--set", "time.stop=1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CompareCommand, PrintsATable) {
  const Ended end = run_berth(compare_words({}));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.err, "");
  EXPECT_TRUE(contains(end.out, "against fused, dop853, tolerance 1e-13")) << end.out;
  for (const char* word : {"\nexact ", "\nreduced ", "\nbaumgarte ", "\npenalty ", "\nfused "})
    EXPECT_TRUE(contains(end.out, word)) << end.out;
}

TEST(CompareCommand, PrintsOneJsonObject) {
  const Ended end = run_berth(compare_words({"--json", "--over", "enforce"}));
  ASSERT_EQ(end.code, 0) << end.err;
  const Json j = Json::parse(end.out);
  ASSERT_EQ(j["rows"].size(), 5u);
  for (const Json& row : j["rows"])
    for (const char* key : {"enforce", "integrator", "outcome", "position", "violation_position",
                            "load", "energy", "angular_momentum", "steps", "rhs", "seconds"})
      EXPECT_TRUE(row.contains(key)) << key;
}

TEST(CompareCommand, TakesSeveralThingsToVary) {
  const Ended end =
      run_berth(compare_words({"--json", "--over", "enforce,integrator", "--set",
                               "integrator.tolerance=1e-6", "--set", "time.stop=0.1"}));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(Json::parse(end.out)["rows"].size(), 5u * 4u);
}

TEST(CompareCommand, NamesTheVariantsItRefuses) {
  const Ended end = run_berth(compare_words({"--json", "--set", "dock.joint.type=slider"}));
  ASSERT_EQ(end.code, 0) << end.err;
  const Json j = Json::parse(end.out);
  EXPECT_EQ(j["rows"][4]["enforce"], "fused");
  EXPECT_TRUE(contains(j["rows"][4]["refused"], "slider"));
}

TEST(CompareCommand, WrongArgumentsEndWithTwo) {
  const Strings wrong[] = {
      compare_words({"--over", "enforc"}),
      compare_words({"--over", "enforce,colour"}),
      {"compare", shipped_scenario("free_body"), "--over", "enforce"},
      compare_words({"--set", "dock.joint.enforce=glue"}),
      compare_words({"--set", "dock.jont.alpha=3"}),
      {"compare", "nowhere.toml"},
      {"compare"},
      compare_words({"--nonsense"}),
  };
  for (const Strings& words : wrong) {
    const Ended end = run_berth(words);
    EXPECT_EQ(end.code, 2) << words.back();
    EXPECT_EQ(end.out, "") << words.back();
    EXPECT_NE(end.err, "") << words.back();
  }
  EXPECT_TRUE(contains(run_berth(wrong[0]).err, "did you mean enforce?"));
}

}  // namespace
}  // namespace berth::test::app_compare_test

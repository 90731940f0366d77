// SPDX-License-Identifier: Apache-2.0

// Limits of what strangers send, from both sides: the largest that is taken, and the next, that is refused by name.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/scenario/glb/glb.h"
#include "tests/support/built.h"
#include "tests/support/glb.h"
#include "tests/support/process.h"

namespace berth::test::limits_test {
namespace {

using Json = nlohmann::json;

std::string find_fault(const std::string& file) {
  try {
    read_glb(file);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

void expect_limit(const std::string& taken, const std::string& refused, const std::string& why) {
  EXPECT_EQ(taken, "");
  EXPECT_NE(refused.find(why), std::string::npos) << refused;
}

TEST(Limits, OfTheSizeOfAScenario) {
  const TemporaryFolder folder;
  const std::string scenario =
      "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n#";
  const auto find_problems = [&](std::size_t size) {
    write_bytes(folder / "x.toml", scenario + std::string(size - scenario.size(), 'x'));
    return all_of(read_scenario(folder / "x.toml").problems);
  };
  expect_limit(find_problems(4 << 20), find_problems((4 << 20) + 1),
               "is too large: a scenario has at most 4 MB");
}

TEST(Limits, OfParenthesesInACondition) {
  const auto find_problems = [](std::size_t depth) {
    return Built(
               fmt::format(
                   "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n"
                   "[[event]]\nname = \"e\"\nwhen = \"{}a.rate > 1{}\"\ndo = [{{ stop = \"v\" "
                   "}}]\n",
                   std::string(depth, '('), std::string(depth, ')')))
        .problems();
  };
  expect_limit(find_problems(100), find_problems(101), "too many parentheses");
}

TEST(Limits, OfTheSizeOfAModel) {
  const auto find_fault_of = [](std::size_t size) {
    TriangleModel m;
    m.bin.resize(4'000'000);
    m.json["buffers"][0]["byteLength"] = m.bin.size();
    for (int again = 0; again < 2; ++again) {  // the length is part of the text
      m.bin.resize(m.bin.size() + size - m.glb().size());
      m.json["buffers"][0]["byteLength"] = m.bin.size();
    }
    EXPECT_EQ(m.glb().size(), size);
    return find_fault(m.glb());
  };
  expect_limit(find_fault_of(kLargestModel), find_fault_of(kLargestModel + 4), "at most 5 MB");
}

TEST(Limits, OfNodesThatHangOnOneAnother) {
  const auto find_fault_of = [](int depth) {
    TriangleModel m;
    const Json last = m.json["nodes"][0];
    m.json["nodes"] = Json::array();
    for (int i = 1; i < depth; ++i) m.json["nodes"].push_back({{"children", {i}}});
    m.json["nodes"].push_back(last);
    return find_fault(m.glb());
  };
  expect_limit(find_fault_of(64), find_fault_of(65), "65 nodes hang on one another");
}

TEST(Limits, OfTheDepthOfTheJsonOfAModel) {
  // Two levels are those of what is around it.
  const auto find_fault_of = [](int depth) {
    TriangleModel m;
    Json nested = 1;
    for (int i = 2; i < depth; ++i) nested = Json::array({nested});
    m.json["extras"] = {{"x", nested}};
    return find_fault(m.glb());
  };
  expect_limit(find_fault_of(32), find_fault_of(33), "nested over 32 deep");
}

TEST(Limits, OfTheMembersOfAListOfAModel) {
  const auto find_fault_of = [](std::size_t count) {
    TriangleModel m;
    m.json["materials"] = Json(count, m.json["materials"][0]);
    return find_fault(m.glb());
  };
  expect_limit(find_fault_of(4096), find_fault_of(4097), "at most 4096");
}

}  // namespace
}  // namespace berth::test::limits_test

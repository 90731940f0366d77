// SPDX-License-Identifier: Apache-2.0

// Every scenario we ship runs, and is as good as it says it is.

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/scenario/scenario.h"
#include "tests/support/process.h"
#include "tests/support/reference.h"

namespace berth::test::shipped_test {
namespace {

using Json = nlohmann::ordered_json;

class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, RunsWithItsAuditsBelowTheStatedLevels) {
  const std::string file = shipped_scenario(GetParam());
  const ReadScenario read = read_scenario(file);
  const ExpectSpec& e = read.scenario.expect;
  EXPECT_TRUE(e.energy && e.angular_momentum) << "a shipped scenario states its levels";

  const Ended end = run_berth({"run", file, "--no-out", "--json"}, {.patience = 300});
  ASSERT_EQ(end.code, 0) << end.err << end.out;
  const Json j = Json::parse(end.out);
  EXPECT_EQ(j["outcome"], e.outcome.value_or("reached_end"));
  // The study of bad gains is warned of them.
  EXPECT_EQ(j["warnings"].empty(), GetParam() != "gain_study") << j["warnings"];
  const auto check = [&](const char* what, const std::optional<double>& level) {
    EXPECT_LE(j["audit"][what].get<double>(), level.value_or(1)) << what;
  };
  check("energy", e.energy);
  check("linear_momentum", e.linear_momentum);
  check("angular_momentum", e.angular_momentum);
  for (const Json& x : j["expectations"]) EXPECT_TRUE(x["met"].get<bool>()) << x;
}

TEST_P(Shipped, ChecksAndDescribesItsChannels) {
  const std::string file = shipped_scenario(GetParam());
  const Ended check = run_berth({"check", file});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_NE(check.out.find("degrees of freedom"), std::string::npos) << check.out;
  const Ended channels = run_berth({"describe", "channels", file});
  EXPECT_EQ(channels.code, 0) << channels.err;
  EXPECT_NE(channels.out.find("system.energy_balance"), std::string::npos) << channels.out;
}

INSTANTIATE_TEST_SUITE_P(Scenario, Shipped, testing::ValuesIn(shipped_scenarios()),
                         [](const auto& p) { return p.param; });

TEST(ShippedNumbers, HeavyTopEndsWhereThePaperSaysItDoes) {
  const Ended end = run_berth({"run", shipped_scenario("heavy_top"), "--no-out", "--json"});
  ASSERT_EQ(end.code, 0) << end.err;
  const auto q =
      Json::parse(end.out)["final"]["bodies"]["top"]["quaternion_BN"].get<std::array<double, 4>>();
  // The centre of mass is 1 m along y: the second column of the rotation matrix.
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const Vec3<double> top = Reference("benchmarks").vector("top.1");
  EXPECT_NEAR(2 * (x * y - w * z), top.x, 1e-9);
  EXPECT_NEAR(w * w - x * x + y * y - z * z, top.y, 1e-9);
  EXPECT_NEAR(2 * (y * z + w * x), top.z, 1e-9);
}

}  // namespace
}  // namespace berth::test::shipped_test

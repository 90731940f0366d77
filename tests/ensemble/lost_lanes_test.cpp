// SPDX-License-Identifier: Apache-2.0

// What a run asks of its server. Numbers that are lost in a lane are computed again by the loop: a run whose server
// loses some of them at every few requests is the run that nobody serves. Nothing is asked for twice in a row.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "berth/ensemble/case_server.h"
#include "berth/ensemble/computing.h"
#include "tests/support/built.h"
#include "tests/support/shipped.h"

namespace berth::test::lost_lanes_test {
namespace {

void lose(const LaneRequest& r) {
  std::ranges::fill(r.kind == LaneRequest::Kind::trial ? r.samples : r.out, NAN);
}

std::string run(const std::string& name, StepServer* server) {
  const Built built = build_shipped(name, {});
  SimulateOptions options;
  options.server = server;
  return to_json(simulate(built.read.scenario, built.built, options), false);
}

void expect_run_that_nobody_serves(const std::string& name) {
  const OpenedPrograms opened =
      open_programs(Computing::compile, {.cases_first = 1, .waits = true}, "scalar");
  if (!opened.programs) GTEST_SKIP() << opened.note;
  LaneServer lane(1);
  int requests = 0, lost = 0;
  CaseServer server(
      *opened.programs,
      [&](std::span<LaneRequest> some) {
        lane.serve(some);
        for (const LaneRequest& r : some)
          if (++requests % 7 == 0) lose(r), ++lost;
      },
      0);
  const std::string wanted = run(name, nullptr);
  EXPECT_EQ(run(name, &server), wanted);
  EXPECT_GT(lost, 20);
}

TEST(LostLanes, AreComputedAgainByTheLoopWhereCraftTouch) {
  expect_run_that_nobody_serves("capture_envelope");
}
TEST(LostLanes, AreComputedAgainByTheLoopWhereAJointHolds) {
  expect_run_that_nobody_serves("undock");
}

// What happens at an instant is judged by the state the step was cut at, again and again.
TEST(CaseServer, AsksForTheSameEndOnce) {
  const OpenedPrograms opened =
      open_programs(Computing::compile, {.cases_first = 1, .waits = true}, "scalar");
  if (!opened.programs) GTEST_SKIP() << opened.note;
  LaneServer lane(1);
  std::vector<std::vector<double>> ends;
  CaseServer server(
      *opened.programs,
      [&](std::span<LaneRequest> some) {
        lane.serve(some);
        const LaneRequest& r = some.front();
        if (r.kind != LaneRequest::Kind::end || !r.picks.empty()) return;
        std::vector<double>& in = ends.emplace_back(1, r.t);
        for (const auto& list : {r.x, r.mode, r.kept})
          in.insert(in.end(), list.begin(), list.end());
        in.push_back(static_cast<double>(reinterpret_cast<std::uintptr_t>(r.program)));
      },
      0);
  EXPECT_EQ(run("capture_envelope", &server), run("capture_envelope", nullptr));
  EXPECT_GT(ends.size(), 100u);
  EXPECT_EQ(std::ranges::adjacent_find(ends), ends.end());
}

}  // namespace
}  // namespace berth::test::lost_lanes_test

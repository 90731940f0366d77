// SPDX-License-Identifier: Apache-2.0

// A run is a value: copied and continued it goes on bit for bit.

#include <gtest/gtest.h>

#include "berth/scenario/scenario.h"
#include "tests/support/runs.h"
#include "tests/support/shipped.h"

namespace berth::test::run_state_test {
namespace {

struct Halfway {
  const char* scenario;
  double copy_at, stop;  // [s]
};

class CopiedRun : public testing::TestWithParam<Halfway> {};

// Approach, contact, soft and hard capture; delays, samples; impacts, rest and latch; variational and
// implicit methods.
TEST_P(CopiedRun, GoesOnAsTheOriginalDoes) {
  const Halfway& p = GetParam();
  ReadScenario read = read_scenario(shipped_file(p.scenario));
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  ASSERT_TRUE(read.problems.empty());
  HybridRun original(built.system, built.options);
  original.set_events(built.events);
  original.advance(p.copy_at);
  HybridRun twin(original);
  const Outcome a = original.advance(p.stop), b = twin.advance(p.stop);
  EXPECT_EQ(a.ending, b.ending);
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(copy(original.x()), copy(twin.x()));
  EXPECT_EQ(original.event_records(), twin.event_records());
  EXPECT_EQ(original.counters().accepted, twin.counters().accepted);
  EXPECT_EQ(original.counters().rhs, twin.counters().rhs);
  EXPECT_EQ(original.audit().energy, twin.audit().energy);
  for (std::size_t k = 0; k < original.dock_tracks().size(); ++k)
    EXPECT_EQ(original.dock_tracks()[k].force_peak(), twin.dock_tracks()[k].force_peak());
  for (std::size_t k = 0; k < original.contact_tracks().size(); ++k)
    EXPECT_EQ(original.contact_tracks()[k].force_peak, twin.contact_tracks()[k].force_peak);
}

// Many copies of one state, each its own future.
TEST_P(CopiedRun, IsIndependentOfTheOriginal) {
  const Halfway& p = GetParam();
  ReadScenario read = read_scenario(shipped_file(p.scenario));
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  HybridRun original(built.system, built.options);
  original.set_events(built.events);
  original.advance(p.copy_at);
  const std::vector<double> before = copy(original.x());
  {
    HybridRun twin(original);
    twin.advance(p.stop);
  }
  EXPECT_EQ(copy(original.x()), before);
  HybridRun again(original);
  again = original;
  original.advance(p.stop);
  again.advance(p.stop);
  EXPECT_EQ(copy(original.x()), copy(again.x()));
}

INSTANTIATE_TEST_SUITE_P(
    Scenario, CopiedRun,
    testing::Values(Halfway{"capture_envelope", 4.1, 12}, Halfway{"capture_envelope", 8, 12},
                    Halfway{"docking", 331, 346}, Halfway{"hil_contact", 5, 10},
                    Halfway{"hil_compensated", 5, 10}, Halfway{"iss_arm_latch", 20, 60},
                    Halfway{"bouncing_ball", 1, 3}, Halfway{"servicer_despin_stiff", 2, 4},
                    Halfway{"docked_components", 100, 200}, Halfway{"undock", 50, 200}),
    [](const auto& p) {
      return std::string(p.param.scenario) + "_" +
             std::to_string(static_cast<int>(p.param.copy_at));
    });

}  // namespace
}  // namespace berth::test::run_state_test

// SPDX-License-Identifier: Apache-2.0

// Docked craft recorded: every constraint, held in every way, gives the bits of double.

#include <gtest/gtest.h>

#include "tests/support/docked.h"
#include "tests/support/traced.h"

namespace berth::test::constraints_trace_test {
namespace {

// With rows as they are chosen at the start.
Situation held_situation(const System<double>& system) {
  Situation at = starting_situation(system);
  Workspace<double> w(system);
  choose_rows(system, at.t, at.x, at.mode, w);
  return at;
}

TEST(ConstraintConformance, TheTraceOfEveryConstraintGivesTheBitsOfDouble) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (const Hold hold : kHolds) {
        const System<double> system = random_docked<C>(3, hold, ports, 0.3, 1);
        EXPECT_EQ(find_traced_difference(system, held_situation(system)), "")
            << name(hold.enforce) << ", ports " << static_cast<int>(ports);
      }
  });
}

TEST(ConstraintConformance, TheTraceOfWeldedCraftGivesTheBitsOfDouble) {
  const System<double> system = fused(random_docked<Rigid<double>>(4, {}));
  EXPECT_EQ(find_traced_difference(system, held_situation(system)), "");
}

TEST(ConstraintConformance, TheTraceOfGroupsGivesTheBitsOfDouble) {
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const System<double>& system : {random_group(seed), busy_group(seed)})
      EXPECT_EQ(find_traced_difference(system, held_situation(system)), "") << seed;
}

}  // namespace
}  // namespace berth::test::constraints_trace_test

// SPDX-License-Identifier: Apache-2.0

// Every scenario that ships, recorded as a whole: derivative, channels, margins, and what happens to
// a state in an instant.

#include <gtest/gtest.h>

#include "berth/system/docks.h"
#include "tests/support/built.h"
#include "tests/support/shipped.h"
#include "tests/support/traced.h"

namespace berth::test::shipped_trace_test {
namespace {

// At the start, all contacts touching or none.
Situation build_situation(const System<double>& system, bool touching) {
  Situation at = starting_situation(system);
  for (ContactMode<double>& c : at.mode.contacts) c.now = c.then = {touching, false};
  Workspace<double> w(system);
  choose_rows(system, at.t, at.x, at.mode, w);
  return at;
}

TEST(ShippedTrace, GivesTheBitsOfDouble) {
  for (const std::string& name : list_scenarios()) {
    SCOPED_TRACE(name);
    const System<double> system = build_shipped(name).system();
    for (const bool touching : {false, true}) {
      if (touching && system.contacts.empty()) continue;
      const Situation at = build_situation(system, touching);
      EXPECT_EQ(find_traced_difference(system, at, What::derivative), "");
      EXPECT_EQ(find_traced_difference(system, at, What::channels), "");
      EXPECT_EQ(find_traced_difference(system, at, What::margins), "");
      if (at.mode.rows.empty()) continue;
      EXPECT_EQ(find_traced_difference(system, at, What::projection), "");
      if (system.docks.empty()) continue;
      EXPECT_EQ(find_traced_difference(system, at, What::joining), "");
    }
  }
}

// Much of what double does it does twice, or with constants.
TEST(ShippedTrace, NeedsFewerOperationsThanDouble) {
  for (const std::string name : {"docking", "capture_envelope"}) {
    const System<double> system = build_shipped(name).system();
    const Traced traced = trace(system, build_situation(system, true));
    RecordProperty(name + "_operations", traced.operations);
    RecordProperty(name + "_traced", traced.graph.operation_count());
    EXPECT_LT(traced.graph.operation_count(), 0.8 * traced.operations) << name;
  }
}

}  // namespace
}  // namespace berth::test::shipped_trace_test

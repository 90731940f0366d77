// SPDX-License-Identifier: Apache-2.0

#include "tests/integrate/lanes.h"

#include <gtest/gtest.h>

namespace berth::lanes_run {

std::vector<double> run_in_double(const Tableau& method, const std::vector<double>& x) {
  return run(method, x);
}

TEST(Integrate, RepeatsItselfBitForBit) {
  for (const Tableau* m : kExplicitMethods) {
    const auto start = problems::Pleiades::start();
    const std::vector<double> once = run_in_double(*m, start);
    EXPECT_GT(once.size(), 100u);
    EXPECT_EQ(once, run_in_double(*m, start)) << m->name;
  }
}

}  // namespace berth::lanes_run

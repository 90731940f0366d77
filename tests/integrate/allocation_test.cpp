// SPDX-License-Identifier: Apache-2.0

// Steps, dense output and event location touch no heap once everything is built.

#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "berth/integrate/step_functions.h"
#include "tests/integrate/at_each_time.h"
#include "tests/integrate/problems.h"
#include "tests/support/allocations.h"

namespace berth::allocation_test {
namespace {

TEST(Stepping, AllocatesNothing) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers count for themselves";
  for (const Tableau* m : kExplicitMethods) {
    Adaptive<double> a(*m, 28, {{0, 14, 1.0}, {14, 14, 1.0}}, {.tolerance = 1e-8, .step = 1e-3});
    std::vector<double> x(28);
    const auto g = [&](double t, std::span<double> values) {
      a.interpolate(t, x);
      values[0] = x[0] - x[1];
      values[1] = x[2];
    };
    StepFunctionMemory memory;
    StepFunctions functions(test::at_each_time(g, 2), 2, memory);
    std::vector<SignChange> changes;
    changes.reserve(100);
    const problems::Pleiades f;
    const std::vector<double> start = problems::Pleiades::start();
    const long before = test::count_allocations();
    EXPECT_GT(before, 0);  // the count works
    a.start(0, start);
    for (int i = 0; i < 20; ++i) {
      a.step(f, 3.0);
      a.prepare_dense(f);
      functions.sample(a.t_previous(), a.t());
      changes.clear();
      functions.find_sign_changes(0, changes);
      functions.find_maximum(1);
      a.interpolate_rate(a.t(), x);
      a.interpolate(a.t(), x);
      a.replace_state(x);
    }
    EXPECT_EQ(test::count_allocations() - before, 0) << m->name;
  }
}

}  // namespace
}  // namespace berth::allocation_test

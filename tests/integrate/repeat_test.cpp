// SPDX-License-Identifier: Apache-2.0

// A run of the Pleiades problem with every kind of call an integrator knows, twice.

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "tests/integrate/problems.h"

namespace berth::repeat_test {
namespace {

// All states in the order they come by: at every step, inside every step, slopes, and the times.
std::vector<double> run(const Tableau& method, std::vector<double> x) {
  const problems::Pleiades f;
  Adaptive<double> a(method, x.size(), {{0, 7, 1.0}, {7, 7, 1.0}, {14, 14, 1.0}},
                     {.tolerance = 1e-7, .step = 1e-3});
  a.start(0, x);
  std::vector<double> seen;
  const auto see = [&](std::span<const double> v) { seen.insert(seen.end(), v.begin(), v.end()); };
  while (a.t() < 0.5) {
    if (a.step(f, 0.5) != StepOutcome::accepted) break;
    see(a.x());
    seen.push_back(a.t());
    a.prepare_dense(f);
    const double middle = a.t_previous() + 0.37 * (a.t() - a.t_previous());
    a.interpolate(middle, x);
    see(x);
    a.interpolate_rate(middle, x);
    see(x);
  }
  return seen;
}

TEST(Integrate, RepeatsItselfBitForBit) {
  for (const Tableau* m : kExplicitMethods) {
    const auto start = problems::Pleiades::start();
    const std::vector<double> once = run(*m, start);
    EXPECT_GT(once.size(), 100u);
    EXPECT_EQ(once, run(*m, start)) << m->name;
  }
}

}  // namespace
}  // namespace berth::repeat_test

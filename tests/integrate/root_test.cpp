// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/root.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::root_test {
namespace {

TEST(SolveRoot, GoesDownToNeighbouringDoubles) {
  const auto g = [](double x) { return std::cos(x) - x; };
  const Root r = solve_root(g, 0, 1, g(0), g(1));
  EXPECT_TRUE(r.g_after == 0 || r.after == std::nextafter(r.before, 1));
  EXPECT_NEAR(r.after, 0.7390851332151607, 2e-16);
  EXPECT_LT(r.evaluations, 10);
}

// A bracket as a first search leaves it: g is nearly a line, whatever it is farther out.
TEST(SolveRoot, TakesFewEvaluationsOfASmoothFunction) {
  for (int i = 1; i < 100; ++i) {
    const double at = 0.01 * i, a = 5 - 1e-4 * at, b = a + 1e-4;
    const auto g = [&](double t) {
      return (t - 5) * (1 + 0.7 * (t - 5) - 0.4 * (t - 5) * (t - 5));
    };
    const Root r = solve_root(g, a, b, g(a), g(b));
    EXPECT_TRUE(r.g_after == 0 || r.after == std::nextafter(r.before, b));
    EXPECT_LE(r.evaluations, 5) << at;
    const auto noisy = [&](double t) { return g(t) + 3e-16 * std::sin(1e17 * t); };
    EXPECT_LE(solve_root(noisy, a, b, noisy(a), noisy(b)).evaluations, 9) << at;
  }
}

TEST(SolveRoot, StopsAtTheTolerance) {
  const auto g = [](double x) { return x * x * x - 2; };
  const Root r = solve_root(g, 0, 2, g(0), g(2), 1e-6);
  EXPECT_LE(r.after - r.before, 1e-6);
  EXPECT_LT(r.before, std::cbrt(2.0));
  EXPECT_GE(r.after, std::cbrt(2.0));
  EXPECT_LT(r.evaluations, 12);
}

TEST(SolveRoot, KeepsTheFarSideBeyondTheRoot) {
  for (const double sign : {1.0, -1.0}) {
    const auto g = [&](double x) { return sign * (std::exp(x) - 3); };
    const Root r = solve_root(g, 0, 5, g(0), g(5));
    EXPECT_LT(sign * r.g_before, 0);
    EXPECT_GE(sign * r.g_after, 0);
    EXPECT_EQ(r.g_after, g(r.after));
  }
}

TEST(SolveRoot, AcceptsARootAtTheEndAndFindsExactOnes) {
  const auto g = [](double x) { return x - 1; };
  const Root at_end = solve_root(g, 0, 1, -1, 0);
  EXPECT_EQ(at_end.after, 1);
  EXPECT_EQ(at_end.evaluations, 0);
  EXPECT_EQ(solve_root(g, 0, 3, -1, 2).after, 1);
}

TEST(SolveRoot, NeedsLittleMoreThanBisectionForNastyFunctions) {
  // Flat, stepped, of extreme slope, singular: each with the root at an awkward place.
  const auto check = [](auto g) {
    const Root r = solve_root(g, -1, 10, g(-1.0), g(10.0), 1e-10);
    EXPECT_LE(r.after - r.before, 1e-10);
    EXPECT_LT(g(r.before), 0);
    EXPECT_GE(g(r.after), 0);
    EXPECT_LE(r.evaluations, std::ceil(std::log2(11 / 1e-10)) + 5);
  };
  // Four to spare, and one of rounding.
  check([](double x) { return std::pow(x - 9.9, 21); });
  check([](double x) { return x < 0.123 ? -1.0 : 1.0; });
  check([](double x) { return x < 0.123 ? -1e-300 : 1e300; });
  check([](double x) { return std::expm1(50 * (x - 1)); });
  check([](double x) { return std::cbrt(x - 0.5); });
  check([](double x) { return x == 0.3 ? 1.0 : 1 / (x - 0.3); });
}

TEST(SolveRoot, RefusesWhatIsNoBracket) {
  const auto g = [](double x) { return x; };
  EXPECT_THROW(solve_root(g, 1, 2, 1, 2), std::invalid_argument);
  EXPECT_THROW(solve_root(g, 1, -1, 1, -1), std::invalid_argument);
  EXPECT_THROW(solve_root(g, 0, 1, 0, 1), std::invalid_argument);
  EXPECT_THROW(solve_root(g, -1, 1, -1, NAN), std::invalid_argument);
}

RC_GTEST_PROP(SolveRoot, BracketsTheRootOfAnyCubic, ()) {
  const auto number = [] { return *rc::gen::inRange(-1000, 1000) * 0.01; };
  const double c = number(), d = number(), e = number(), shift = number() * 100;
  const auto g = [&](double t) {
    const double x = t - shift;
    return ((x + c) * x + d) * x + e;
  };
  const double a = shift - 1000, b = shift + 1000;
  const Root r = solve_root(g, a, b, g(a), g(b));
  RC_ASSERT(g(r.before) < 0);
  RC_ASSERT(g(r.after) >= 0);
  // Neighbours, or the exact root; |g| then is what one ulp of t and rounding make of it.
  RC_ASSERT(r.g_after == 0 || r.after == std::nextafter(r.before, INFINITY));
  const double x = r.after - shift;
  const double slope = 3 * x * x + 2 * std::fabs(c * x) + std::fabs(d);
  const double size = std::fabs(x * x * x) + std::fabs(c * x * x) + std::fabs(d * x) + std::fabs(e);
  RC_ASSERT(std::fabs(r.g_after) <=
            4.5e-16 * slope * (std::fabs(r.after) + std::fabs(shift)) + 2e-15 * size);
}

}  // namespace
}  // namespace berth::root_test

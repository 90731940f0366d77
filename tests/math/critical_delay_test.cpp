// SPDX-License-Identifier: Apache-2.0
#include "berth/math/critical_delay.h"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/math/delay_cases.h"
#include "tests/support/reference.h"

namespace berth::test::critical_delay_test {
namespace {

TEST(CriticalDelay, TableOfTheTheoryPage) {
  for (const StabilityCase& c : stability_cases) {
    const double w = inverse_mass(c);
    EXPECT_NEAR(w, c.inverse_mass(), 1e-15);
    const CriticalDelay found = find_critical_delay(c.k * w, c.b * w);
    EXPECT_NEAR(found.delay, c.delay(), 1e-12 * 2);
    EXPECT_NEAR(found.frequency, c.frequency(), 1e-11);
  }
}

TEST(CriticalDelay, OtherPublishedNumbers) {
  EXPECT_NEAR(find_critical_delay(5000. / 60, 50. / 60).delay, .009972245460, 1e-12);
  // The target's inertia infinite, and the reduced mass alone.
  EXPECT_NEAR(
      find_critical_delay(1000 * (1 / 1500. + .75 / 500), 200 * (1 / 1500. + .75 / 500)).delay,
      Reference("contact")("cone_45.delay"), 1e-12);
  EXPECT_NEAR(find_critical_delay(1000 / 1500., 200 / 1500.).delay, 0.198227021332, 1e-12);
}

TEST(CriticalDelay, IsARootOnTheImaginaryAxis) {
  for (double k : {1e-6, 1., 3e4})
    for (double b : {1e-5, .1, 7., 1e3}) {
      const CriticalDelay c = find_critical_delay(k, b);
      const std::complex<double> s(0, c.frequency);
      EXPECT_LT(std::abs(s * s + std::exp(-s * c.delay) * (b * s + k)), 1e-14 * std::norm(s));
      EXPECT_LT(c.delay, b / k);
    }
}

TEST(CriticalDelay, LimitsOfStiffnessAndDamping) {
  for (double k : {1e-3, 1e-8, 0.}) {
    EXPECT_NEAR(find_critical_delay(k, 2).delay, std::numbers::pi / 4, k);
    EXPECT_NEAR(find_critical_delay(k, 2).frequency, 2, k);
  }
  EXPECT_EQ(find_critical_delay(3, 0).delay, 0);
  EXPECT_DOUBLE_EQ(find_critical_delay(3, 0).frequency, std::sqrt(3.));
  EXPECT_EQ(find_critical_delay(0, 0).delay, std::numeric_limits<double>::infinity());
}

TEST(CriticalDelay, LongestForOneStiffness) {
  const double best = 1.27876969, longest = 0.741467481152;
  EXPECT_NEAR(find_critical_delay(1, best).delay, longest, 1e-12);
  EXPECT_LT(find_critical_delay(1, best * 1.01).delay, longest);
  EXPECT_LT(find_critical_delay(1, best / 1.01).delay, longest);
}

}  // namespace
}  // namespace berth::test::critical_delay_test

// SPDX-License-Identifier: Apache-2.0

// Special functions against values of mpmath with 40 digits: loggamma; ncdf and betainc, inverted by its
// findroot.

#include "berth/statistics/special.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/sampling/normal_distribution.h"

namespace berth::statistics_special_test {
namespace {

void expect_close(double found, double wanted, double relative) {
  EXPECT_NEAR(found, wanted, relative * std::abs(wanted));
}

TEST(LogGamma, HasKnownValues) {
  expect_close(find_log_gamma(0.25), 1.28802252469807746, 1e-14);
  expect_close(find_log_gamma(1.5), -0.120782237635245222, 4e-14);
  expect_close(find_log_gamma(9.5), 11.6893334207972685, 1e-15);
  expect_close(find_log_gamma(123.25), 468.614482950516644, 1e-15);
  expect_close(find_log_gamma(1e6), 12815504.5691476117, 1e-15);
  EXPECT_NEAR(find_log_gamma(1), 0, 2e-15);
  EXPECT_NEAR(find_log_gamma(2), 0, 2e-15);
}

TEST(LogGamma, IsSumOfLogarithms) {
  double sum = 0;
  for (int n = 1; n < 60; ++n) {
    EXPECT_NEAR(find_log_gamma(n), sum, 1e-13 * (1 + sum)) << n;
    sum += std::log(n);
  }
}

TEST(StudentQuantile, HasKnownValues) {
  expect_close(find_student_quantile(0.975, 3), 3.18244630528370844, 1e-13);
  expect_close(find_student_quantile(0.95, 7), 1.89457860509000679, 1e-13);
  expect_close(find_student_quantile(0.9999, 15), 4.87999828842450315, 1e-12);
  expect_close(find_student_quantile(0.75, 31), 0.682486306002572177, 1e-13);
  expect_close(find_student_quantile(0.995, 2.5), 7.16372813894878288, 1e-13);
  expect_close(find_student_quantile(0.025, 9), -find_student_quantile(0.975, 9), 1e-14);
  EXPECT_EQ(find_student_quantile(0.5, 9), 0);
}

// tan π(p − ½) with one degree of freedom, (2p − 1)/√(2p(1 − p)) with two; the normal one in the end.
TEST(StudentQuantile, HasClosedFormsOfOneAndTwoDegrees) {
  for (double p = 0.505; p < 1; p += 0.01) {
    expect_close(find_student_quantile(p, 1), std::tan(std::acos(-1.0) * (p - 0.5)), 1e-11);
    expect_close(find_student_quantile(p, 2), (2 * p - 1) / std::sqrt(2 * p * (1 - p)), 1e-12);
    expect_close(find_student_quantile(p, 1e12), find_normal_quantile(p), 1e-9);
  }
}

}  // namespace
}  // namespace berth::statistics_special_test

// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/error_norm.h"

#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace berth::error_norm_test {
namespace {

using Vector = std::vector<double>;

double ratio(const ErrorNorm& norm, const Vector& e, const Vector& x_old, const Vector& x_new) {
  return norm.error<double>(e, {}, x_old, x_new);
}

TEST(ErrorNorm, IsTheErrorOverToleranceTimesScalePlusState) {
  const ErrorNorm norm({{0, 2, 5.0}}, 1e-3);
  EXPECT_DOUBLE_EQ(ratio(norm, {3, 4}, {0, 0}, {0, 0}), 5 / (1e-3 * 5.0));
  EXPECT_DOUBLE_EQ(ratio(norm, {3, 4}, {6, 8}, {0, 0}), 5 / (1e-3 * (5.0 + 10.0)));
  EXPECT_DOUBLE_EQ(ratio(norm, {3, 4}, {0, 0}, {6, 8}), 5 / (1e-3 * (5.0 + 10.0)));
}

TEST(ErrorNorm, TakesTheWorstBlock) {
  const ErrorNorm norm({{0, 1, 1.0}, {1, 1, 0.1}}, 1.0);
  EXPECT_DOUBLE_EQ(ratio(norm, {1, 1}, {0, 0}, {0, 0}), 10.0);
}

TEST(ErrorNorm, IgnoresStatesInNoBlock) {
  const ErrorNorm norm({{0, 1, 1.0}, {2, 1, 1.0}}, 1.0);
  EXPECT_DOUBLE_EQ(ratio(norm, {0.5, 1e9, 0.25}, {0, 0, 0}, {0, 0, 0}), 0.5);
}

TEST(ErrorNorm, DoesNotDependOnTheDirectionOfAxes) {
  const ErrorNorm norm({{0, 3, 1.0}}, 1e-6);
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Vector e = {1, 2, 3}, x = {4, -5, 6};
  const Vector e_turned = {c * e[0] - s * e[1], s * e[0] + c * e[1], e[2]};
  const Vector x_turned = {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
  EXPECT_NEAR(ratio(norm, e, x, x) / ratio(norm, e_turned, x_turned, x_turned), 1, 1e-14);
}

TEST(ErrorNorm, CombinesTwoEstimatesPerBlock) {
  const ErrorNorm norm({{0, 1, 1.0}, {1, 1, 1.0}}, 1.0);
  const Vector x = {0, 0}, e = {2, 1}, d = {30, 0};
  EXPECT_DOUBLE_EQ(norm.error<double>(e, d, x, x), 4 / std::sqrt(4 + 0.01 * 900));
  const Vector zero = {0, 0};
  EXPECT_EQ(norm.error<double>(zero, d, x, x), 0.0);
  EXPECT_EQ(norm.error<double>(zero, zero, x, x), 0.0);
}

TEST(ErrorNorm, SurvivesHugeErrors) {
  const ErrorNorm norm({{0, 1, 1.0}}, 1e-10);
  const Vector x = {0}, e = {1e130}, d = {1e140};
  EXPECT_NEAR(norm.error<double>(e, d, x, x) / 1e131, 1, 1e-6);
}

TEST(ErrorNorm, PassesOnANaNOfAnyBlock) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ErrorNorm norm({{0, 1, 1.0}, {1, 1, 1.0}}, 1.0);
  EXPECT_TRUE(std::isnan(ratio(norm, {nan, 5}, {0, 0}, {0, 0})));
  EXPECT_TRUE(std::isnan(ratio(norm, {5, nan}, {0, 0}, {0, 0})));
}

TEST(ErrorNorm, RefusesMeaninglessNumbers) {
  EXPECT_THROW(ErrorNorm({}, 0), std::invalid_argument);
  EXPECT_THROW(ErrorNorm({}, -1), std::invalid_argument);
  EXPECT_THROW(ErrorNorm({{0, 1, 0.0}}, 1), std::invalid_argument);
}

TEST(ErrorNorm, MayBeTheMeanOverBlocks) {
  const std::vector<double> x(3, 0.0), e{3e-6, 4e-6, 1e-6};
  const ErrorNorm mean({{0, 2, 1.0}, {2, 1, 1.0}}, 1e-6, true);
  EXPECT_NEAR(mean.ratio<double>(e, x), std::sqrt((25.0 + 1.0) / 2), 1e-12);
}

}  // namespace
}  // namespace berth::error_norm_test

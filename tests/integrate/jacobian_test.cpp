// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/jacobian.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/integrate/problems.h"
#include "tests/integrate/spring_pair.h"

namespace berth::jacobian_test {
namespace {

using problems::SpringPair;

TEST(Jacobian, IsAskedForWhereItIsOfferedAndMatchesDifferences) {
  const SpringPair pair{.alpha = 10};
  const std::vector<double> x = {0.3, -0.2, 1.7, 1.4, 0.02, -0.01, 0.03, 0.05, 7};
  std::vector<double> rate(9);
  pair(0, x, rate);
  JacobianFinder finder(9, SpringPair::blocks());
  Eigen::MatrixXd exact(9, 9), differences(9, 9);
  StepCounters counters;
  finder.find(pair, 0, x, rate, exact, counters);
  EXPECT_EQ(counters.jacobian, 1u);
  EXPECT_EQ(counters.rhs, 0u);
  const auto plain = [&](double t, std::span<const double> y, std::span<double> y_dot) {
    pair(t, y, y_dot);
  };
  finder.find(plain, 0, x, rate, differences, counters);
  EXPECT_EQ(counters.jacobian, 2u);
  EXPECT_EQ(counters.rhs, 9u);
  EXPECT_LT((exact - differences).cwiseAbs().maxCoeff(), 1e-5 * exact.cwiseAbs().maxCoeff());
}

TEST(Jacobian, DifferencesSuitTheSizeOfTheState) {
  // A position far out in an orbit beside a small angle; both slopes keep half of the digits.
  const auto f = [](double, std::span<const double> x, std::span<double> rate) {
    rate[0] = 1 / x[0];
    rate[1] = std::sin(x[1]);
  };
  const std::vector<double> x = {7e6, 1e-3};
  std::vector<double> rate(2);
  f(0, x, rate);
  JacobianFinder finder(2, std::vector<Block>{{0, 1, 1.0}});
  Eigen::MatrixXd J(2, 2);
  StepCounters counters;
  finder.find(f, 0, x, rate, J, counters);
  EXPECT_NEAR(J(0, 0) * -7e6 * 7e6, 1, 1e-6);
  EXPECT_NEAR(J(1, 1), std::cos(1e-3), 1e-7);
  EXPECT_EQ(J(0, 1), 0);
  EXPECT_EQ(J(1, 0), 0);
}

}  // namespace
}  // namespace berth::jacobian_test

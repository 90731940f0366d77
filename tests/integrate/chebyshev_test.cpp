// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::chebyshev_test {
namespace {

template <class G>
ChebyshevSeries fit(G&& g, std::size_t n) {
  std::vector<double> v;
  for (std::size_t j = 0; j <= n; ++j) v.push_back(g(chebyshev_point(j, n)));
  return ChebyshevSeries(v);
}

TEST(ChebyshevSeries, PassesThroughItsSamples) {
  const auto g = [](double x) { return std::exp(3 * x) * std::fabs(x - 0.1); };
  for (const std::size_t n : {8, 16}) {
    const ChebyshevSeries p = fit(g, n);
    EXPECT_EQ(chebyshev_point(0, n), -1);
    EXPECT_EQ(chebyshev_point(n, n), 1);
    for (std::size_t j = 0; j <= n; ++j) {
      const double x = chebyshev_point(j, n);
      EXPECT_NEAR(x, -std::cos(M_PI * double(j) / double(n)), 4e-16);
      EXPECT_NEAR(p(x), g(x), 1e-14 * g(1));
    }
  }
}

TEST(ChebyshevSeries, IsASmoothFunctionAndItsDerivative) {
  const ChebyshevSeries p = fit([](double x) { return std::sin(2 * x + 1); }, 16);
  for (double x = -1; x <= 1; x += 0.01) {
    EXPECT_NEAR(p(x), std::sin(2 * x + 1), 1e-14);
    EXPECT_NEAR(p.derivative()(x), 2 * std::cos(2 * x + 1), 1e-12);
  }
}

TEST(ChebyshevSeries, LeavesTheChordByNoMoreThanItsBend) {
  const ChebyshevSeries p = fit([](double x) { return std::cos(5 * x); }, 8);
  const double bend = p.find_bend(8);
  for (std::size_t j = 0; j < 8; ++j) {
    const double theta_l = M_PI * double(j) / 8;
    const double v_l = p(-std::cos(theta_l)), v_r = p(-std::cos(theta_l + M_PI / 8));
    for (double s = 0; s <= 1; s += 0.05) {
      const double v = p(-std::cos(theta_l + s * M_PI / 8));
      EXPECT_LE(std::fabs(v - (1 - s) * v_l - s * v_r), bend);
    }
  }
}

TEST(ChebyshevSeries, HasNoTurningPointsWhereItIsMonotone) {
  EXPECT_EQ(fit([](double) { return 3.0; }, 8).find_turning_points().count, 0u);
  EXPECT_EQ(fit([](double x) { return std::exp(x); }, 16).find_turning_points().count, 0u);
}

// p′ = Π (x − x_i).
RC_GTEST_PROP(ChebyshevSeries, TurnsAtEveryRootOfItsDerivative, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 8);
  std::vector<double> roots;
  for (std::size_t i = 0; i < count; ++i) roots.push_back(*rc::gen::inRange(-990, 991) * 1e-3);
  std::ranges::sort(roots);
  for (std::size_t i = 1; i < count; ++i) RC_PRE(roots[i] - roots[i - 1] > 0.01);
  std::vector<double> monomial = {1};  // coefficients of p′, ascending
  for (const double root : roots) {
    monomial.insert(monomial.begin(), 0);
    for (std::size_t k = 0; k + 1 < monomial.size(); ++k) monomial[k] -= root * monomial[k + 1];
  }
  const auto g = [&](double x) {
    double value = 0;
    for (std::size_t k = monomial.size(); k > 0; --k) {
      value = (value + monomial[k - 1] / double(k)) * x;
    }
    return value;
  };
  ChebyshevSeries p = fit(g, 8);
  p.trim(1e-15);
  const TurningPoints turns = p.find_turning_points();
  RC_ASSERT(turns.count == count);
  for (std::size_t i = 0; i < count; ++i) RC_ASSERT(std::fabs(turns.x[i] - roots[i]) < 1e-3);
}

}  // namespace
}  // namespace berth::chebyshev_test

// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/distribution.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/sampling/normal_distribution.h"

namespace berth::distribution_test {
namespace {

using D = Distribution;

std::vector<Distribution> examples() {
  return {D::normal(12, 0.5),
          D::truncated_normal(1, 2, -0.5, 4),
          D::truncated_normal(0, 1, 4, 5),
          D::truncated_normal(0, 1, -9, 3),
          D::uniform(-3, 5),
          D::lognormal(2, 0.4),
          D::triangular(-1, 0.5, 4),
          D::triangular(0, 0, 1),
          D::discrete({1, 0, 3, 2}),
          D::table({-2, 0, 1, 5}, {0, 0.25, 0.25, 1})};
}

// --- closed forms --------------------------------------------------------------------------------

TEST(Distribution, OfUniformNumbersIsThatOfSweeps) {
  const Distribution d = D::uniform(0.3, 1.7);
  for (const double u : {0.1, 0.37, 0.99}) EXPECT_EQ(d.quantile(u), 0.3 * (1 - u) + 1.7 * u);
  EXPECT_EQ(D::normal(3, 0.2).from_normal(1.3), 3 + 0.2 * 1.3);
}

// From 1 to 2 the density of the triangle grows as 2 (x − 1)/3, from 2 to 4 it falls as (4 − x)/3.
TEST(Distribution, HasTheQuantilesOfItsKind) {
  const Distribution triangle = D::triangular(1, 2, 4);
  EXPECT_NEAR(triangle.quantile(1.0 / 12), 1.5, 1e-15);
  EXPECT_NEAR(triangle.quantile(1 - 1.0 / 6), 3, 1e-15);
  const Distribution table = D::table({0, 1, 3, 4}, {0, 0.5, 0.5, 1});
  EXPECT_EQ(table.quantile(0.25), 0.5);
  EXPECT_EQ(table.quantile(0.75), 3.5);
  EXPECT_EQ(table.quantile(0.499), 0.998);
  EXPECT_EQ(table.cumulative(2), 0.5) << "nothing lies between 1 and 3";
  const Distribution choice = D::discrete({0, 1, 0, 3, 0});
  EXPECT_EQ(choice.quantile(1e-300), 1);
  EXPECT_EQ(choice.quantile(0.249), 1);
  EXPECT_EQ(choice.quantile(0.25), 3);
  EXPECT_EQ(choice.quantile(1 - 0x1p-53), 3);
  EXPECT_EQ(choice.from_normal(40), 3);
  EXPECT_EQ(choice.cumulative(0.9), 0);
  EXPECT_EQ(choice.cumulative(1), 0.25);
  EXPECT_TRUE(choice.is_discrete());
  EXPECT_FALSE(table.is_discrete());
  EXPECT_NEAR(D::lognormal(2, 0.5).quantile(find_normal_cumulative(1)), 2 * std::exp(0.5), 1e-14);
}

TEST(Distribution, WithoutSpreadIsOneNumber) {
  EXPECT_EQ(D::normal(3, 0).quantile(0.01), 3);
  EXPECT_EQ(D::normal(3, 0).cumulative(2.999), 0);
  EXPECT_EQ(D::normal(3, 0).cumulative(3), 1);
  EXPECT_EQ(D::lognormal(3, 0).from_normal(5), 3);
}

// Against sums over quantiles: ∫ x(u) du and ∫ (x(u) − μ)² du, with u = Φ(z), which thins out the
// steps towards the tails.
TEST(Distribution, HasMeanAndDeviationOfItsQuantiles) {
  for (const Distribution& d : examples()) {
    constexpr double step = 0.0005;
    double sum = 0, squares = 0;
    for (double z = -9 + step / 2; z < 9; z += step) {
      const double x = d.from_normal(z), weight = step * find_normal_density(z);
      sum += weight * x;
      squares += weight * (x - d.mean()) * (x - d.mean());
    }
    const int kind = static_cast<int>(d.kind);
    const bool has_steps = d.is_discrete() || d.kind == DistributionKind::table;
    const double tolerance = has_steps ? 1e-3 : 1e-7;
    EXPECT_NEAR(sum, d.mean(), tolerance * d.deviation()) << kind;
    EXPECT_NEAR(std::sqrt(squares), d.deviation(), tolerance * d.deviation()) << kind;
    EXPECT_NEAR(d.cumulative(d.median()), d.is_discrete() ? 4.0 / 6 : 0.5, 1e-14) << kind;
  }
  EXPECT_DOUBLE_EQ(D::discrete({1, 0, 3, 2}).mean(), 2);
  EXPECT_DOUBLE_EQ(D::discrete({1, 0, 3, 2}).deviation(), 1);
}

// mpmath with 40 digits, by quadrature; also where both ends are far in a tail, or close to each
// other.
TEST(TruncatedNormal, HasMeanAndDeviation) {
  struct Known {
    Distribution d;
    double mean, deviation;
  };
  const Known known[] = {
      {D::truncated_normal(0, 1, -1, 2), 0.229637179091328969, 0.720945586859045789},
      {D::truncated_normal(1, 0.5, 3.5, 9), 3.59325198356292106, 0.0904107773126525903},
      {D::truncated_normal(2, 3, 1.9999999, 2.0000001), 2, 5.77350268885734031e-8},
      {D::truncated_normal(0, 1, 6.75, 7), 6.84090532976533602, 0.0671840830404513452},
      {D::truncated_normal(0, 1, -7.5, -5), -5.18650369524057644, 0.180819723461645004},
      {D::truncated_normal(4, 3, -116, 124), 4, 3},
  };
  for (const Known& k : known) {
    EXPECT_NEAR(k.d.mean() / k.mean, 1, 1e-14);
    EXPECT_NEAR(k.d.deviation() / k.deviation, 1, 2e-13) << k.mean;
  }
}

// 1 − Φ(z) = (1 − Φ(a)) (1 − u) + (1 − Φ(b)) u, solved by mpmath.
TEST(TruncatedNormal, IsExactFarInATail) {
  const Distribution d = D::truncated_normal(0, 1, 6.5, 12),
                     mirrored = D::truncated_normal(0, 1, -12, -6.5);
  EXPECT_NEAR(d.quantile(0.25), 6.543140939036765153, 4e-15);
  EXPECT_NEAR(d.quantile(0.999), 7.4697947370069604895, 4e-14);  // 1 − 0.999 is rounded
  for (const double z : {-30.0, -9.0, -3.0, 0.1, 2.0, 8.5, 20.0, 30.0})
    EXPECT_NEAR(d.from_normal(z), -mirrored.from_normal(-z), 2e-15) << z;
  // Upper and lower tail have the same digits: an interval that cuts off nothing gives z back.
  const Distribution whole = D::truncated_normal(0, 1, -40, 40);
  for (const double z : {-30.0, -9.0, -3.0, 0.1, 2.0, 8.5, 20.0, 30.0})
    EXPECT_NEAR(whole.from_normal(z) / z, 1, 1e-14) << z;
}

// --- round trips ---------------------------------------------------------------------------------

double number(int low, int high) { return 0.001 * (*rc::gen::inRange(1000 * low, 1000 * high)); }

Distribution any_continuous() {
  const double a = number(-5, 5), s = number(1, 4), b = a + s;
  switch (*rc::gen::inRange(0, 6)) {
    case 0: return D::normal(a, s);
    case 1: return D::truncated_normal(number(-3, 3), s, a, b);
    case 2: return D::uniform(a, b);
    case 3: return D::lognormal(s, number(0, 2) + 0.001);
    case 4: return D::triangular(a, a + s * number(0, 1), b);
    default: return D::table({a, a + 0.3 * s, b}, {0, 0.01 + 0.9 * number(0, 1), 1});
  }
}

RC_GTEST_PROP(Distribution, QuantilesComeBack, ()) {
  const Distribution d = any_continuous();
  RC_ASSERT(!d.find_fault());
  const double u = 1e-6 * (*rc::gen::inRange(1, 1'000'000));
  RC_ASSERT(std::abs(d.cumulative(d.quantile(u)) - u) < 1e-11);
  const double z = find_normal_quantile(u);
  RC_ASSERT(std::abs(d.from_normal(z) - d.quantile(u)) < 1e-11 * (1 + std::abs(d.quantile(u))));
}

RC_GTEST_PROP(Distribution, QuantilesDoNotDecrease, ()) {
  const Distribution d = any_continuous();
  const double u = 1e-6 * (*rc::gen::inRange(1, 999'000)), z = number(-8, 8);
  constexpr double rounding = 4e-15;
  RC_ASSERT(d.quantile(u) <= d.quantile(u + 1e-4));
  RC_ASSERT(d.from_normal(z) <= d.from_normal(z + 1e-4) + rounding);
  RC_ASSERT(d.cumulative(d.mean()) <= d.cumulative(d.mean() + 0.01));
}

TEST(Distribution, StaysBetweenItsEnds) {
  const Distribution bounded[] = {D::truncated_normal(0.1, 0.3, 0.7, 0.9), D::uniform(0.7, 0.9),
                                  D::triangular(0.7, 0.9, 0.9), D::table({0.7, 0.9}, {0, 1})};
  for (const Distribution& d : bounded) {
    for (double z = -40; z <= 40; z += 0.25) {
      EXPECT_GE(d.from_normal(z), 0.7);
      EXPECT_LE(d.from_normal(z), 0.9);
    }
    EXPECT_EQ(d.display_range(), std::pair(0.7, 0.9));
    EXPECT_EQ(d.cumulative(0.6), 0);
    EXPECT_EQ(d.cumulative(1), 1);
    EXPECT_NEAR(d.from_normal(-39), 0.7, 2e-16);
    EXPECT_NEAR(d.from_normal(39), 0.9, 2e-16);
  }
  EXPECT_EQ(D::normal(10, 2).display_range(), std::pair(6.0, 14.0));
  EXPECT_EQ(D::discrete({1, 1, 1}).display_range(), std::pair(0.0, 2.0));
  const auto [low, high] = D::lognormal(3, 0.5).display_range();
  EXPECT_NEAR(low * high, 9, 1e-14);
  EXPECT_NEAR(high, 3 * std::exp(1), 1e-14);
}

// --- faults --------------------------------------------------------------------------------------

TEST(Distribution, ReportsWhatIsWrong) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Distribution& d : examples()) EXPECT_EQ(d.find_fault().value_or(""), "");
  const std::pair<Distribution, const char*> cases[] = {
      {D::normal(0, -1), "a standard deviation of -1 is negative"},
      {D::normal(infinity, 1), "inf is not a finite number"},
      {D::uniform(2, 1), "2 does not lie below 1: write the lower end first"},
      {D::uniform(2, 2), "2 does not lie below 2"},
      {D::uniform(0, std::nan("")), "nan is not a finite number"},
      {D::lognormal(0, 1), "a median of 0 is not above 0"},
      {D::lognormal(1, -0.1), "-0.1 is negative"},
      {D::triangular(0, 2, 1), "the peak 2 does not lie between 0 and 1"},
      {D::triangular(1, 1, 1), "1 does not lie below 1"},
      {D::truncated_normal(0, 0, -1, 1), "needs a standard deviation above 0"},
      {D::truncated_normal(0, 1, 1, -1), "1 does not lie below -1"},
      {D::truncated_normal(0, 1, 8, 9), "a probability of 6.22e-16 lies between 8 and 9"},
      {D::truncated_normal(0, 1, 0, 1e-12), "a probability of 3.99e-13 lies between"},
      {D::discrete({}), "there are no weights"},
      {D::discrete({1, -2}), "a weight of -2 is negative"},
      {D::discrete({0, 0}), "all weights are zero"},
      {D::discrete({1, infinity}), "inf is not a finite number"},
      {D::discrete({1e308, 1e308}), "the sum of the weights is not finite"},
      {D::table({0, 1}, {0, 0.5, 1}), "2 values have 3 cumulative probabilities"},
      {D::table({0}, {0}), "a table needs two values at least"},
      {D::table({0, 2, 2}, {0, 0.5, 1}), "values must ascend: 2 follows 2"},
      {D::table({0, 1, 2}, {0, 0.5, 0.4}), "must not fall: 0.4 follows 0.5"},
      {D::table({0, 1}, {0.1, 1}), "begin at 0, not at 0.1"},
      {D::table({0, 1}, {0, 0.9}), "end at 1, not at 0.9"},
  };
  for (const auto& [d, text] : cases)
    EXPECT_NE(d.find_fault().value_or("").find(text), std::string::npos)
        << d.find_fault().value_or("none") << " instead of " << text;
}

}  // namespace
}  // namespace berth::distribution_test

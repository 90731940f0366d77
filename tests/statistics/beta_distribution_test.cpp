// SPDX-License-Identifier: Apache-2.0

// The beta and the binomial distribution, against values of mpmath with 40 digits (betainc; for large numbers
// its quad, or a sum of binomial terms) and closed forms.

#include "berth/statistics/beta_distribution.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/statistics/binomial.h"
#include "berth/statistics/special.h"

namespace berth::statistics_beta_distribution_test {
namespace {

void expect_close(double found, double wanted, double relative) {
  EXPECT_NEAR(found, wanted, relative * std::abs(wanted));
}

TEST(BetaDistribution, HasKnownTails) {
  const struct {
    double a, b, x, lower;
  } known[] = {
      {0.5, 2.5, 0.0625, 0.411275551910316784},
      {3, 4, 0.25, 0.16943359375},
      {40, 60, 0.375, 0.308782196760801494},
      {1000, 3000, 0.2421875, 0.126511498820004176},
      {1e5, 30, 0.99951171875, 0.00151766876366845811},
      {2e6, 3e6, 0.39953125, 0.0161871074168903287},
  };
  for (const auto& k : known) {
    expect_close(find_beta_tails(k.a, k.b, k.x).lower, k.lower, 1e-12);
    expect_close(find_beta_tails(k.b, k.a, 1 - k.x).upper, k.lower, 1e-12);
    expect_close(find_beta_quantile(k.a, k.b, k.lower), k.x, 1e-13);
    expect_close(find_beta_upper_quantile(k.b, k.a, k.lower), 1 - k.x, 1e-12);
  }
  expect_close(find_beta_tails(2, 1e6, 1e-5).upper, 0.000499374257883742925, 1e-12);
}

// Both ways of finding a tail: the lesser of a and b decides between them, at 3000. By the recursion
// I_x(a, b) − I_x(a + 1, b) = xᵃ(1 − x)ᵇ Γ(a+b)/Γ(a+1)Γ(b), whose terms are on either side.
TEST(BetaDistribution, FollowsItsRecursion) {
  for (const double b : {2000.0, 3000.0, 4500.5, 30'000.0}) {
    for (const double z : {-4.0, -1.0, 0.0, 0.5, 3.0}) {
      const double a = 2999.5, x = a / (a + b) * (1 + z / std::sqrt(2 * a));
      const double term = std::exp(a * std::log(x) + b * std::log1p(-x) + find_log_gamma(a + b) -
                                   find_log_gamma(a + 1) - find_log_gamma(b));
      const double less = find_beta_tails(a, b, x).lower - find_beta_tails(a + 1, b, x).lower;
      EXPECT_NEAR(less, term, 2e-12) << b << " " << z;
    }
  }
}

TEST(BetaDistribution, QuantilesInvertTails) {
  for (const double a : {0.5, 1.0, 3.5, 29.0, 2999.0, 3001.0, 5e6})
    for (const double b : {0.5, 1.0, 8.0, 40.0, 4000.0, 1e5})
      for (const double p : {1e-12, 1e-4, 0.025, 0.3, 0.5, 0.9, 0.999}) {
        const double x = find_beta_quantile(a, b, p);
        ASSERT_TRUE(x >= 0 && x <= 1) << a << " " << b << " " << p;
        // A quantile next to 1 has lost the digits of 1 − x.
        const double lost = 1e-15 * b / (1 - x);
        if (x < 1) {
          EXPECT_NEAR(find_beta_tails(a, b, x).lower, p, p * (2e-10 + lost)) << a << " " << b;
        }
        const double y = find_beta_upper_quantile(b, a, p);
        EXPECT_NEAR(y, 1 - x, 1e-15 + 1e-12 * y);
      }
}

// Far out in the tail I_x(a, b) = xᵃ/(a B(a, b)).
TEST(BetaDistribution, HasQuantilesFarOut) {
  const double a = 2, b = 0.5, beta = 4.0 / 3;  // B(2, ½)
  for (const double p : {1e-30, 1e-100, 1e-200, 1e-290})
    expect_close(find_beta_quantile(a, b, p), std::sqrt(p * a * beta), 1e-12);
}

// Σ C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ, term by term.
TEST(Binomial, TailsAreSumsOfTerms) {
  for (const std::uint64_t n : {1u, 7u, 80u, 400u})
    for (const double p : {0.003, 0.3, 0.5}) {
      double term = std::pow(1 - p, static_cast<double>(n)), sum = 0;
      for (std::uint64_t k = 0; k <= n; ++k) {
        sum += term;
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1) * p / (1 - p);
        EXPECT_NEAR(find_binomial_tails(n, p, k).lower, sum, 3e-13) << n << " " << p << " " << k;
      }
    }
}

TEST(Binomial, QuantilesAreTheFirstThatReach) {
  for (const std::uint64_t n : {1u, 7u, 80u, 4000u, 10'000'000u})
    for (const double p : {1e-6, 0.003, 0.3, 0.5, 0.99})
      for (const double c : {1e-9, 0.025, 0.5, 0.95}) {
        const std::uint64_t k = find_binomial_quantile(n, p, c);
        EXPECT_GE(find_binomial_tails(n, p, k).lower, c);
        EXPECT_TRUE(k == 0 || find_binomial_tails(n, p, k - 1).lower < c);
        const std::uint64_t u = find_binomial_upper_quantile(n, p, c);
        EXPECT_LE(find_binomial_tails(n, p, u).upper, c);
        EXPECT_TRUE(u == 0 || find_binomial_tails(n, p, u - 1).upper > c);
      }
}

}  // namespace
}  // namespace berth::statistics_beta_distribution_test

// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/special.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "berth/scalar/elementary.h"
#include "berth/statistics/beta_distribution.h"

namespace berth {

namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;

// c₀ + c₁ x + c₂ x² + …
double find_polynomial(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;) sum = sum * x + c[i];
  return sum;
}

}  // namespace

double find_stirling_correction(double x) {
  constexpr double series[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  double far = x, product = 1;
  for (; far < 10; ++far) product *= far;
  const double correction = find_polynomial(series, 1 / (far * far)) / far;  // (2)
  if (far == x) return correction;
  const double raised = (far - 0.5) * log(far) - (far - x) + correction;
  return raised - log(product) - (x - 0.5) * log(x);  // (3)
}

double find_log_gamma(double x) {
  if (x >= 10) return (x - 0.5) * log(x) - x + kHalfLogTwoPi + find_stirling_correction(x);  // (1)
  double far = x, product = 1;
  for (; far < 10; ++far) product *= far;
  return find_log_gamma(far) - log(product);
}

// ν/(ν + t²) has the distribution B(ν/2, ½); its odds are ν/t², 1/t² of those of the mean.
double find_student_quantile(double p, double degrees) {
  if (p == 0.5) return 0;
  const double both = 2 * std::min(p, 1 - p);
  const double t = exp(-0.5 * find_beta_log_odds(0.5 * degrees, 0.5, both));
  return p < 0.5 ? -t : t;
}

}  // namespace berth

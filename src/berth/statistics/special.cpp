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

// Coefficients of Wichura, "Algorithm AS 241", Applied Statistics 37 (1988), PPND16: ratios of
// polynomials in the middle, in the tail and far out.
constexpr double kMiddleAbove[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                   1.9715909503065514427e3, 1.3731693765509461125e4,
                                   4.5921953931549871457e4, 6.7265770927008700853e4,
                                   3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double kMiddleBelow[] = {1,
                                   4.2313330701600911252e1,
                                   6.8718700749205790830e2,
                                   5.3941960214247511077e3,
                                   2.1213794301586595867e4,
                                   3.9307895800092710610e4,
                                   2.8729085735721942674e4,
                                   5.2264952788528545610e3};
constexpr double kTailAbove[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                 5.76949722146069140550e0,  3.64784832476320460504e0,
                                 1.27045825245236838258e0,  2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double kTailBelow[] = {1,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
constexpr double kFarAbove[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                1.78482653991729133580e0,  2.96560571828504891230e-1,
                                2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double kFarBelow[] = {1,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};

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

double find_normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.425 * 0.425 - q * q;
    return q * find_polynomial(kMiddleAbove, r) / find_polynomial(kMiddleBelow, r);
  }
  const double r = std::sqrt(-log(std::min(p, 1 - p)));
  const double z = r <= 5
                       ? find_polynomial(kTailAbove, r - 1.6) / find_polynomial(kTailBelow, r - 1.6)
                       : find_polynomial(kFarAbove, r - 5) / find_polynomial(kFarBelow, r - 5);
  return q < 0 ? -z : z;
}

// ν/(ν + t²) has the distribution B(ν/2, ½); its odds are ν/t², 1/t² of those of the mean.
double find_student_quantile(double p, double degrees) {
  if (p == 0.5) return 0;
  const double both = 2 * std::min(p, 1 - p);
  const double t = exp(-0.5 * find_beta_log_odds(0.5 * degrees, 0.5, both));
  return p < 0.5 ? -t : t;
}

}  // namespace berth

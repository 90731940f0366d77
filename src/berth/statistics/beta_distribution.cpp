// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/beta_distribution.h"

#include <algorithm>
#include <cmath>

#include "berth/sampling/normal_distribution.h"
#include "berth/scalar/elementary.h"
#include "berth/statistics/special.h"

namespace berth {

namespace {

struct Shares {
  double x, rest;  // x and 1 − x, both without cancellation
};
Shares find_shares(double a, double b, double mu) {
  const double odds = a / b * exp(mu);
  return {odds / (1 + odds), 1 / (1 + odds)};
}

// log of f(μ + y)/f(μ), with x and 1 − x at μ. Either way of writing it; the one that cancels less.
double find_log_change(double a, double b, const Shares& at, double y) {
  if (at.x < 0.5) return a * y - (a + b) * log1p(at.x * expm1(y));
  return -b * y - (a + b) * log1p(at.rest * expm1(-y));
}

// --- the tail over the density, on its thin side -------------------------------------------------

// Gauss and Legendre's rule of 20 points: they lie at ± these, with these weights.
constexpr double kLegendrePoints[] = {
    0.99312859918509492479, 0.96397192727791379127, 0.91223442825132590587, 0.83911697182221882339,
    0.74633190646015079261, 0.63605368072651502545, 0.51086700195082709800, 0.37370608871541956067,
    0.22778585114164507808, 0.076526521133497333755};
constexpr double kLegendreWeights[] = {0.017614007139152118312, 0.040601429800386941331,
                                       0.06267204833410906357,  0.083276741576704748725,
                                       0.10193011981724043504,  0.11819453196151841731,
                                       0.1316886384491766269,   0.14209610931838205133,
                                       0.14917298647260374679,  0.1527533871307258507};

// ∫₀^∞ f(μ − y)/f(μ) dy where a and b are large. With slope q and curvature c of log f, the integrand
// falls below e^−34 where
//   q y + ½ c y²/(1 + g y) = 34        g = (1 − 2x)/3 for the skewness, not below 0
double integrate_tail(double a, double b, const Shares& at) {
  constexpr double drop = 34;
  const double q = a * at.rest - b * at.x;
  const double c = (a + b) * at.x * at.rest;
  const double g = std::max(0.0, at.rest - at.x) / 3;
  const double square = q * g + 0.5 * c, linear = q - drop * g;
  const double root = std::sqrt(linear * linear + 4 * square * drop);
  const double end = linear > 0 ? 2 * drop / (linear + root) : (root - linear) / (2 * square);
  double sum = 0;
  for (int i = 0; i < 10; ++i) {
    const double near = 0.5 * end * (1 - kLegendrePoints[i]),
                 far = 0.5 * end * (1 + kLegendrePoints[i]);
    sum += kLegendreWeights[i] *
           (exp(find_log_change(a, b, at, -near)) + exp(find_log_change(a, b, at, -far)));
  }
  return 0.5 * end * sum;
}

// The same for any a and b: the continued fraction of Didonato and Morris (ACM TOMS 18, 1992)
//   1/(β₀ + α₁/(β₁ + α₂/(β₂ + …)))                              λ = a(1 − x) − bx
//   αₘ = m (b − m)(a + m − 1)(a + b + m − 1) x²/(a + 2m − 1)²
//   βₘ = m + m (b − m) x/(a + 2m − 1) + (a + m)(λ + 1 + m (2 − x))/(a + 2m + 1)
// by the modified method of Lentz. The one in handbooks, of which it is the even part, loses digits
// where x is next to 1.
double find_tail_fraction(double a, double b, const Shares& at) {
  const auto away_from_zero = [](double v) { return std::abs(v) < 1e-300 ? 1e-300 : v; };
  const double x = at.x, lambda = a * at.rest - b * x;
  double c = away_from_zero(a * (lambda + 1) / (a + 1)), d = 0, product = c;  // β₀
  for (double m = 1; m < 100'000; ++m) {
    const double step = a + 2 * m - 1, share = m * (b - m) * x / step;
    const double alpha = share * (a + m - 1) * (a + b + m - 1) * x / step;
    const double beta = m + share + (a + m) * (lambda + 1 + m * (1 + at.rest)) / (step + 2);
    d = 1 / away_from_zero(beta + alpha * d);
    c = away_from_zero(beta + alpha / c);
    product *= c * d;
    if (std::abs(c * d - 1) < 3e-16) break;
  }
  return 1 / product;
}

// From here on the integral costs less; the fraction needs terms as the root of a and b.
bool is_large(double a, double b) { return std::min(a, b) >= 3000; }

// Does x lie where the lower tail is found directly? Elsewhere the upper one is.
bool is_low(double a, double b, const Shares& at) {
  return is_large(a, b) ? a * at.rest >= b * at.x : at.x * (a + b + 2) < a + 1;
}

double find_tail_ratio(double a, double b, const Shares& at) {
  return is_large(a, b) ? integrate_tail(a, b, at) : find_tail_fraction(a, b, at);
}

// --- quantiles -----------------------------------------------------------------------------------

// Abramowitz and Stegun, 26.5.22: from the normal distribution.
double guess_log_odds(double a, double b, double p) {
  if (a < 1 || b < 1) return 0;
  const double y = -find_normal_quantile(p);
  const double of_a = 1 / (2 * a - 1), of_b = 1 / (2 * b - 1);
  const double h = 2 / (of_a + of_b), lambda = (y * y - 3) / 6;
  const double w = y * std::sqrt(h + lambda) / h - (of_b - of_a) * (lambda + 5.0 / 6 - 2 / (3 * h));
  return -2 * w;
}

// Step from μ to where the lower tail is p, with F and log f known there:
// near by, the inverse of Taylor's series; with r = (p − F)/f, q = (log f)′, q′ and q″,
//   r − q r²/2 + (2q² − q′) r³/6 + (7qq′ − q″ − 6q³) r⁴/24                                       (4)
// farther away, Newton's step for log F, which is concave: it converges from anywhere.
struct QuantileStep {
  double step;
  double size;  // in widths of the distribution
};
QuantileStep find_quantile_step(double a, double b, double p, double mu) {
  const Shares at = find_shares(a, b, mu);
  const double log_f = find_beta_log_density(a, b, mu), f = exp(log_f);
  const double ratio = is_low(a, b, at) ? find_tail_ratio(a, b, at)
                                        : (1 - f * find_tail_ratio(b, a, {at.rest, at.x})) / f;
  const double q = a * at.rest - b * at.x;
  const double slope = -(a + b) * at.x * at.rest, bend = slope * (at.rest - at.x);
  const double width = std::max(std::abs(q), std::sqrt(-slope));
  const double r = p / f - ratio;
  if (!(std::abs(r) * width < 0.05)) {
    const double step = (log(p) - log_f - log(ratio)) * ratio;
    return {step, std::max(1.0, std::abs(step) * width)};
  }
  const double fourth = 7 * q * slope - bend - 6 * q * q * q;
  return {r * (1 + r * (-q / 2 + r * ((2 * q * q - slope) / 6 + r * fourth / 24))),  // (4)
          std::abs(r) * width};
}

double find_share(double a, double b, double mu) { return find_shares(a, b, mu).x; }

}  // namespace

double find_log_likelihood_ratio(double a, double b, double mu) {
  return find_log_change(a, b, {a / (a + b), b / (a + b)}, mu);
}

double find_beta_log_density(double a, double b, double mu) {
  constexpr double pi = 3.14159265358979323846;
  return 0.5 * log(a / (2 * pi) * (b / (a + b))) + find_stirling_correction(a + b) -
         find_stirling_correction(a) - find_stirling_correction(b) +
         find_log_likelihood_ratio(a, b, mu);  // (3)
}

BothTails find_beta_tails(double a, double b, double x) {
  if (x <= 0) return {0, 1};
  if (x >= 1) return {1, 0};
  const Shares at = {x, 1 - x};
  const double f = exp(find_beta_log_density(a, b, log(at.x / at.rest * (b / a))));
  if (is_low(a, b, at)) {
    const double lower = f * find_tail_ratio(a, b, at);
    return {lower, 1 - lower};
  }
  const double upper = f * find_tail_ratio(b, a, {at.rest, at.x});
  return {1 - upper, upper};
}

double find_beta_log_odds(double a, double b, double p) {
  if (p > 0.5) return -find_beta_log_odds(b, a, 1 - p);
  double mu = guess_log_odds(a, b, p);
  for (int i = 0; i < 100; ++i) {
    const QuantileStep s = find_quantile_step(a, b, p, mu);
    mu = std::max(mu + s.step, -700.0);  // e^700 is next to the largest double
    if (s.size < 1e-3) break;            // the next would be below its fifth power
  }
  return mu;
}

double find_beta_quantile(double a, double b, double p) {
  return find_share(a, b, find_beta_log_odds(a, b, p));
}

double find_beta_upper_quantile(double a, double b, double p) {
  return find_share(a, b, -find_beta_log_odds(b, a, p));
}

}  // namespace berth

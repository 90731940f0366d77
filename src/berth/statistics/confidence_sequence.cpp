// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/confidence_sequence.h"

#include <algorithm>
#include <cmath>

#include "berth/scalar/elementary.h"
#include "berth/statistics/beta_distribution.h"
#include "berth/statistics/special.h"

namespace berth {

namespace {

constexpr double kLogPi = 1.14472988584940017414;  // log B(½, ½)

// Of all successes, or of all failures: pⁿ = α B(n+½, ½)/B(½, ½).
double find_one_sided_log(double n, double alpha) {
  const double log_beta = 0.5 * kLogPi + find_log_gamma(n + 0.5) - find_log_gamma(n + 1);
  return (log(alpha) + log_beta - kLogPi) / n;
}

// log of the greatest likelihood over the least that (1) admits; s and f are not 0. B(s+½, f+½) is
// written with the density of that distribution at p = s/n, where nothing cancels.
double find_admitted_loss(double s, double f, double alpha) {
  const double mu = log(s / f * ((f + 0.5) / (s + 0.5)));
  return kLogPi - log(alpha) + find_beta_log_density(s + 0.5, f + 0.5, mu) -
         0.5 * log(s / (s + f) * (f / (s + f)));
}

// Where the likelihood has lost this much, on one side (−1 or 1) of s/n; as the log odds ratio to s/n.
// The loss is convex: Newton's method converges from beyond the end, where its first step leads.
double solve_end(double s, double f, double loss, double side) {
  double mu = side * std::sqrt(2 * loss * (1 / s + 1 / f));
  for (int i = 0; i < 100; ++i) {
    const double odds = s / f * exp(mu);
    const double slope = (odds * f - s) / (1 + odds);
    const double step = (-find_log_likelihood_ratio(s, f, mu) - loss) / slope;
    mu -= step;
    if (std::abs(step) <= 1e-9 * std::abs(mu)) break;
  }
  const double odds = s / f * exp(mu);
  return odds / (1 + odds);
}

}  // namespace

Proportion find_lasting_proportion(std::uint64_t successes, std::uint64_t trials,
                                   double confidence) {
  if (trials == 0) return {0, 0, 1};
  const double s = static_cast<double>(successes), n = static_cast<double>(trials), f = n - s;
  const double alpha = 1 - confidence;
  if (successes == 0) return {0, 0, -expm1(find_one_sided_log(n, alpha))};
  if (successes == trials) return {1, exp(find_one_sided_log(n, alpha)), 1};
  const double loss = find_admitted_loss(s, f, alpha);
  return {s / n, solve_end(s, f, loss, -1), solve_end(s, f, loss, 1)};
}

Proportion intersect(const Proportion& earlier, const Proportion& later) {
  const double low = std::max(earlier.low, later.low), high = std::min(earlier.high, later.high);
  return low <= high ? Proportion{later.fraction, low, high} : later;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/proportion.h"

#include "berth/scalar/elementary.h"
#include "berth/statistics/beta_distribution.h"

namespace berth {

namespace {

// (1); with s = n it is P(K = n) = lowⁿ.
double find_lower_end(double s, double n, double tail) {
  if (s == 0) return 0;
  return s == n ? exp(log(tail) / n) : find_beta_quantile(s, n - s + 1, tail);
}

// (2); with s = 0 it is P(K = 0) = (1 − high)ⁿ.
double find_upper_end(double s, double n, double tail) {
  if (s == n) return 1;
  return s == 0 ? -expm1(log(tail) / n) : find_beta_upper_quantile(s + 1, n - s, tail);
}

}  // namespace

Proportion find_proportion(std::uint64_t successes, std::uint64_t trials, double confidence) {
  if (trials == 0) return {0, 0, 1};
  const double s = static_cast<double>(successes), n = static_cast<double>(trials);
  const double tail = (1 - confidence) / 2;
  return {s / n, find_lower_end(s, n, tail), find_upper_end(s, n, tail)};
}

}  // namespace berth

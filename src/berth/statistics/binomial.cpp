// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/binomial.h"

#include <algorithm>
#include <cmath>

#include "berth/sampling/normal_distribution.h"
#include "berth/statistics/special.h"

namespace berth {

namespace {

// Cornish and Fisher: the normal distribution, corrected for skewness.
std::uint64_t guess_quantile(std::uint64_t n, double p, double z) {
  const double count = static_cast<double>(n);
  const double k = count * p + z * std::sqrt(count * p * (1 - p)) + (1 - 2 * p) * (z * z - 1) / 6;
  return static_cast<std::uint64_t>(std::clamp(std::floor(k), 0.0, count));
}

// The least k up to n for which a condition holds that holds at n and, once, for all that follow: from a
// guess in steps that double, then by halves.
template <class Condition>
std::uint64_t find_first(std::uint64_t n, std::uint64_t guess, Condition&& holds) {
  std::uint64_t step = 1, low = guess, high = guess;  // not at low − 1, at high
  if (holds(guess)) {
    for (; low > 0; step *= 2) {
      const std::uint64_t below = low - std::min(step, low);
      if (!holds(below)) {
        low = below + 1;
        break;
      }
      low = high = below;
    }
  } else {
    for (low = high = guess + 1; high < n && !holds(high); step *= 2) {
      low = high + 1;
      high += std::min(step, n - high);
    }
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

BothTails find_binomial_tails(std::uint64_t n, double p, std::uint64_t k) {
  if (k >= n) return {1, 0};
  const BothTails t =
      find_beta_tails(static_cast<double>(k) + 1, static_cast<double>(n - k), p);  // (1)
  return {t.upper, t.lower};
}

std::uint64_t find_binomial_quantile(std::uint64_t n, double p, double lower) {
  return find_first(n, guess_quantile(n, p, find_normal_quantile(lower)),
                    [&](std::uint64_t k) { return find_binomial_tails(n, p, k).lower >= lower; });
}

std::uint64_t find_binomial_upper_quantile(std::uint64_t n, double p, double upper) {
  return find_first(n, guess_quantile(n, p, -find_normal_quantile(upper)),
                    [&](std::uint64_t k) { return find_binomial_tails(n, p, k).upper <= upper; });
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/percentiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "berth/scalar/elementary.h"
#include "berth/statistics/binomial.h"

namespace berth {

Interval find_percentile(std::span<const double> sorted, double share, double confidence) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (sorted.empty()) return {nothing, -infinity, infinity};
  const std::uint64_t n = sorted.size();
  const double tail = (1 - confidence) / 2;
  const double at = std::ceil(share * static_cast<double>(n) * (1 - 1e-15));
  const std::uint64_t rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(at), 1, n);
  // (1): the largest l with P(K < l) ≤ tail, the least u with P(K ≥ u) ≤ tail.
  const std::uint64_t l = find_binomial_quantile(n, share, tail);
  const std::uint64_t u = find_binomial_upper_quantile(n, share, tail) + 1;
  return {sorted[rank - 1], l > 0 ? sorted[l - 1] : -infinity, u <= n ? sorted[u - 1] : infinity};
}

std::uint64_t find_tolerance_rank(std::uint64_t n, double share, double confidence) {
  if (n < find_least_samples(share, confidence)) return 0;
  return std::min(n, find_binomial_upper_quantile(n, share, 1 - confidence) + 1);  // (2)
}

std::optional<double> find_tolerance_bound(std::span<const double> sorted, double share,
                                           double confidence) {
  const std::uint64_t rank = find_tolerance_rank(sorted.size(), share, confidence);
  if (rank == 0) return std::nullopt;
  return sorted[rank - 1];
}

std::uint64_t find_least_samples(double share, double confidence) {
  const double n = log1p(-confidence) / log(share);
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(n * (1 - 1e-14))));
}

}  // namespace berth

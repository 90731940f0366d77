// SPDX-License-Identifier: Apache-2.0
#include "berth/search/rank_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace berth {

namespace {

constexpr double kTheta = 0.2;

// (2)
double find_limit(double rank, std::size_t population) {
  std::vector<double> changes;
  for (std::size_t k = 1; k < 2 * population; ++k)
    changes.push_back(std::abs(static_cast<double>(k) - rank));
  const double at = kTheta / 2 * static_cast<double>(changes.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(at);
  std::nth_element(changes.begin(), changes.begin() + below, changes.end());
  return changes[static_cast<std::size_t>(below)];
}

}  // namespace

RankScore::RankScore(double value_given, double total_violation) {
  if (std::isnan(value_given) || std::isnan(total_violation))
    violation = std::numeric_limits<double>::infinity();
  else if (total_violation > 0)
    violation = total_violation;
  else
    value = value_given;
}

double find_rank_noise(std::span<const RankScore> first, std::span<const RankScore> second) {
  std::vector<RankScore> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  all.insert(all.end(), first.begin() + static_cast<std::ptrdiff_t>(second.size()), first.end());
  std::sort(all.begin(), all.end());
  const auto rank = [&](const RankScore& s) {
    return static_cast<double>(std::lower_bound(all.begin(), all.end(), s) - all.begin() + 1);
  };
  double sum = 0;
  for (std::size_t i = 0; i < second.size(); ++i) {
    const double before = rank(first[i]), after = rank(second[i]);
    const double sign = after > before ? 1 : after < before ? -1 : 0;
    const double change = std::abs(after - before - sign);  // (1)
    sum += 2 * change - find_limit(after - (after > before ? 1 : 0), first.size()) -
           find_limit(before - (before > after ? 1 : 0), first.size());  // (3)
  }
  return second.empty() ? 0 : sum / static_cast<double>(second.size());
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/replicates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "berth/statistics/special.h"

namespace berth {

Interval find_mean_interval(std::span<const double> means, std::span<const double> weights,
                            double confidence) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (means.empty()) return {0, -infinity, infinity};
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1 : weights[i]; };
  // Deviations from one of them: what all have in common is not rounded.
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < means.size(); ++i)
    total += weight(i), sum += weight(i) * (means[i] - means[0]);
  const double mean = means[0] + sum / total;  // (1)
  if (means.size() < 2) return {mean, -infinity, infinity};
  double squares = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double d = weight(i) * (means[i] - mean);
    squares += d * d;
  }
  const double count = static_cast<double>(means.size());
  const double deviation = std::sqrt(count / (count - 1) * squares) / total;               // (2)
  const double half = find_student_quantile(0.5 + confidence / 2, count - 1) * deviation;  // (3)
  return {mean, mean - half, mean + half};
}

Proportion find_replicated_proportion(std::span<const PieceCount> replicates, double confidence) {
  constexpr double enough = 4;  // successes and failures of a randomisation
  std::vector<double> shares, sizes;
  std::uint64_t trials = 0, successes = 0;
  for (const PieceCount& r : replicates) {
    if (r.trials == 0) continue;
    sizes.push_back(static_cast<double>(r.trials));
    shares.push_back(static_cast<double>(r.successes) / sizes.back());
    trials += r.trials, successes += r.successes;
  }
  const Proportion exact = find_proportion(successes, trials, confidence);
  const double rarer = static_cast<double>(std::min(successes, trials - successes));
  const bool is_same =
      std::ranges::adjacent_find(shares, std::ranges::not_equal_to{}) == shares.end();
  if (is_same || rarer < enough * static_cast<double>(shares.size())) return exact;
  const Interval t = find_mean_interval(shares, sizes, confidence);
  return {exact.fraction, std::max(0.0, t.low), std::min(1.0, t.high)};
}

double find_check_confidence(std::uint64_t check, double confidence) {
  const double k = static_cast<double>(check);
  return 1 - (1 - confidence) / (k * (k + 1));
}

}  // namespace berth

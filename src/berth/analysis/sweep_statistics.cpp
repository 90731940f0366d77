// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace berth {

Statistics find_statistics(std::span<const double> column) {
  Statistics s;
  std::vector<double> values;
  values.reserve(column.size());
  double sum = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double x = column[i];
    if (!std::isfinite(x)) continue;
    if (values.empty() || x < s.least) s.least = x, s.least_case = i;
    if (values.empty() || x > s.largest) s.largest = x, s.largest_case = i;
    values.push_back(x);
    sum += x;
  }
  s.count = values.size();
  if (values.empty()) return s;
  const std::size_t half = values.size() / 2;
  std::sort(values.begin(), values.end());
  s.mean = sum / static_cast<double>(values.size());
  s.median = values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
  const auto below = [&](double share) {
    const double at = share * static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::lround(at))];
  };
  s.low = below(0.05), s.high = below(0.95), s.top = below(0.99);
  s.quarter = below(0.25), s.three_quarters = below(0.75);
  return s;
}

//   p ± = (p̂ + z²/2n ± z √(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n)
// Holds its promise near 0 and 1 too, where p̂ ± z √(p̂(1−p̂)/n) has no width.
Proportion find_proportion(std::uint64_t successes, std::uint64_t trials) {
  if (trials == 0) return {0, 0, 1};
  constexpr double z = 1.959963984540054;  // 97.5 % of a normal distribution lie below
  const double n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double middle = p + z * z / (2 * n);
  const double width = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {p, successes == 0 ? 0 : (middle - width) / scale,
          successes == trials ? 1 : (middle + width) / scale};
}

double find_effect(std::span<const PieceCount> pieces) {
  double n = 0, good = 0, inside = 0, k = 0;
  for (const PieceCount& piece : pieces) {
    if (piece.trials == 0) continue;
    const double trials = static_cast<double>(piece.trials);
    const double successes = static_cast<double>(piece.successes);
    n += trials, good += successes, ++k;
    inside += successes * (1 - successes / trials);
  }
  const double all = n > 0 ? good * (1 - good / n) : 0;
  if (!(all > 0) || n <= k) return 0;
  return std::max(0.0, 1 - (n - 1) / (n - k) * inside / all);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/column_statistics.h"

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

}  // namespace berth

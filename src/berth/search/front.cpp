// SPDX-License-Identifier: Apache-2.0
#include "berth/search/front.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth {

bool dominates(const TwoGoals& a, const TwoGoals& b) {
  return a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1]);
}

std::vector<std::size_t> find_front(std::span<const TwoGoals> results) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!std::isnan(results[i][0]) && !std::isnan(results[i][1])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return results[a] < results[b]; });
  // From small to large in the first goal, each one on the front is better in the second than all
  // before it, or equal to the last.
  std::vector<std::size_t> front;
  for (const std::size_t i : order)
    if (front.empty() || results[i][1] < results[front.back()][1] ||
        results[i] == results[front.back()])
      front.push_back(i);
  return front;
}

double find_chebyshev(const TwoGoals& goals, const ChebyshevOptions& o) {
  const double first = (goals[0] - o.ideal[0]) / o.scale[0];
  const double second = (goals[1] - o.ideal[1]) / o.scale[1];
  if (std::isnan(first) || std::isnan(second)) return std::numeric_limits<double>::quiet_NaN();
  return std::max(o.weight * first, (1 - o.weight) * second) + o.augmentation * (first + second);
}

}  // namespace berth

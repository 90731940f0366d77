// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_frames — which of n samples to keep, so that straight lines between them follow all.
//
// The stretch with the largest error is split where the error is largest, again and again, until no error
// is above the limit or as many are kept as may be: points are spent where things change.

#include <algorithm>
#include <cstddef>
#include <queue>
#include <vector>

namespace berth {

// Returns what to keep, ascending. error(a, i, b) ≥ 0 is that of sample i when drawn between a and b;
// `fixed` are kept in any case. `probes` samples of a stretch are measured, at even distances; what they
// miss is seen when the stretch has been split.
template <class Error>
std::vector<std::size_t> choose_frames(std::size_t n, const std::vector<std::size_t>& fixed,
                                       std::size_t most, double limit, Error&& error,
                                       std::size_t probes = 512) {
  if (n == 0) return {};
  std::vector<std::size_t> kept = fixed;
  kept.push_back(0);
  kept.push_back(n - 1);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  while (!kept.empty() && kept.back() >= n) kept.pop_back();

  struct Stretch {
    double error;
    std::size_t from, to, worst;
    bool operator<(const Stretch& other) const { return error < other.error; }
  };
  std::priority_queue<Stretch> stretches;
  const auto add = [&](std::size_t a, std::size_t b) {
    Stretch s{0, a, b, a};
    const std::size_t step = std::max<std::size_t>(1, (b - a) / probes);
    for (std::size_t i = a + 1; i < b; i += step)
      if (const double e = error(a, i, b); e > s.error) s.error = e, s.worst = i;
    if (s.error > limit) stretches.push(s);
  };
  for (std::size_t k = 0; k + 1 < kept.size(); ++k) add(kept[k], kept[k + 1]);
  while (!stretches.empty() && kept.size() < most) {
    const Stretch s = stretches.top();
    stretches.pop();
    kept.push_back(s.worst);
    add(s.from, s.worst);
    add(s.worst, s.to);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace berth

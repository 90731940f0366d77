// SPDX-License-Identifier: Apache-2.0
#pragma once

// SceneFrames — the recorded poses of a run, thinned to as many as a page needs.
//
// A page draws between two frames by interpolation, so a frame is kept where that would be wrong: the
// stretch with the largest error is split where the error is largest, again and again, until all is
// well or the page is full. Errors are lengths against the size of the scene, and angles; spinning
// wheels do not count. Frames at events and some at even distances are kept in any case.

#include <cstddef>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/report/number_block.h"
#include "berth/report/result_file.h"

namespace berth {

struct SceneLimits {
  std::size_t most_frames = 3000;
  std::size_t most_bytes = 700000;
  double error = 2e-4;  // of the scene's size, or [rad]: finer is not seen
};

// The scene of a run as the page wants it; null when none was recorded.
nlohmann::ordered_json build_scene(const ResultFile& file, const SceneLimits& limits,
                                   NumberBlock& block);

// Which of n frames to keep, in order. error(a, i, b) ≥ 0 is that of frame i when drawn between a and
// b; `fixed` are kept in any case. Splitting ends when no error is above the limit.
template <class Error>
std::vector<std::size_t> choose_frames(std::size_t n, const std::vector<std::size_t>& fixed,
                                       std::size_t most, double limit, Error&& error);

}  // namespace berth

#include <algorithm>
#include <queue>

namespace berth {

template <class Error>
std::vector<std::size_t> choose_frames(std::size_t n, const std::vector<std::size_t>& fixed,
                                       std::size_t most, double limit, Error&& error) {
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
    // Of a long stretch some frames suffice; what they miss is found once it has been split.
    const std::size_t step = std::max<std::size_t>(1, (b - a) / 512);
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

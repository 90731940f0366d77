// SPDX-License-Identifier: Apache-2.0
#pragma once

// SceneFrames — the recorded poses of a run, thinned to as many as a page needs.
//
// A page draws between two frames by interpolation, so a frame is kept where that would be wrong
// (choose_frames.h). Errors are lengths against the size of the scene, and angles; spinning wheels do not
// count. Frames at events, those while craft meet and some at even distances are kept in any case.

#include <cstddef>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/report/choose_frames.h"
#include "berth/report/number_block.h"
#include "berth/report/window.h"
#include "berth/simulate/result_file.h"

namespace berth {

struct SceneLimits {
  std::size_t most_frames = 3000;
  std::size_t most_bytes = 700000;
  double error = 2e-4;  // of the scene's size, or [rad]: finer is not seen
  bool origin = false;  // also what positions are measured from, to draw several runs in one place
};

// The scene of a run as the page wants it; null when none was recorded. Every frame of `window` is kept, as
// far as half of them reach.
nlohmann::ordered_json build_scene(const ResultFile& file, const TimeWindow& window,
                                   const SceneLimits& limits, NumberBlock& block);

}  // namespace berth

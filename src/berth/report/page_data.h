// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageData — what a page shows of one or more runs: a head (JSON) that says what there is, and a block
// of numbers it refers to. The page itself (viewer/) draws; nothing is computed there.

#include <filesystem>
#include <string>
#include <vector>

#include "berth/report/number_block.h"
#include "berth/report/scene_frames.h"

namespace berth {

struct PageOptions {
  bool difference = false;    // plots open on what further runs do more than the first
  std::size_t rows = 2000;    // of a channel, at most; fewer where there are many channels
  std::size_t most = 500000;  // numbers in all plots together
  SceneLimits scene = {};
};

struct PageData {
  std::string title, head;
  NumberBlock block;
};

// Throws a RecordError on a file that cannot be read, and on runs that have nothing in common.
PageData build_page_data(const std::vector<std::filesystem::path>& files,
                         const PageOptions& options = {});

// Drawn on a logarithmic axis: violations, drifts, audits and errors.
bool is_log_channel(std::string_view name);

}  // namespace berth

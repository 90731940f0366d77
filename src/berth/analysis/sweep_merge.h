// SPDX-License-Identifier: Apache-2.0
#pragma once

// merge — the parts of a sweep, run anywhere, as the one file that a single machine would have written.
//
//   berth sweep FILE --part 3/64 -o p3.h5        on every node
//   berth merge p*.h5 -o all.h5
//
// Parts must be of one sweep and one version; in any order. While some are missing nothing is written, but
// what is there is summed up, and parts still at work are recognised by their journals beside the others.

#include "berth/analysis/sweep.h"

namespace berth {

struct MergeOptions {
  std::vector<std::filesystem::path> parts;
  std::filesystem::path h5;
  std::filesystem::path csv{};  // empty = none
};

struct MergeResult {
  SweepResult result;                // of the cases that are there
  std::vector<std::string> missing;  // parts, and how far they are
};

// Problems: files that are no parts, damaged, of other sweeps or versions, twice the same part.
MergeResult merge_sweeps(const MergeOptions& options, Problems& problems);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cases of a sweep that are run once more and recorded in full.
//
//   failed            those that are not as expected, a hundred at most
//   failed:20         so many at most
//   worst:10          those with the largest force, or whatever is collected first
//   worst:10:COLUMN   those with the largest value of a column

#include "berth/analysis/sweep.h"

namespace berth {

struct KeptRuns {
  bool failed = true;
  std::uint64_t most = 100;
  std::string column{};
};
// Nothing, and a problem, where it cannot be understood.
std::optional<KeptRuns> read_kept_runs(const std::string& text, Problems& problems);

// Numbers of cases, ascending. A problem when there is no such column.
std::vector<std::uint64_t> choose_kept_runs(const KeptRuns& wanted, const SweepResult& result,
                                            Problems& problems);

// X_case17.h5 beside the sweep X.h5.
std::filesystem::path find_case_file(const std::filesystem::path& sweep, std::uint64_t number);

// Runs a case of the file and records it. Throws a RecordError when that cannot be written.
void record_case(const std::filesystem::path& sweep, std::uint64_t number,
                 const std::function<bool()>& interrupted, Problems& problems);

}  // namespace berth

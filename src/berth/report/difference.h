// SPDX-License-Identifier: Apache-2.0
#pragma once

// Difference of two runs, B − A, from all their rows, at the times of B where A was running too. Where A
// has no row at such a time it is interpolated linearly. Channels that only one has are left out.

#include <memory>
#include <vector>

#include "berth/simulate/result_file.h"

namespace berth {

std::vector<std::unique_ptr<SeriesGroup>> find_differences(const ResultFile& a,
                                                           const ResultFile& b);

// One group against another.
std::unique_ptr<SeriesGroup> find_difference(const SeriesGroup& a, const SeriesGroup& b);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page of a sweep: verdicts with their intervals, columns with quantiles and histograms, maps over
// every two inputs, and the cases themselves as points. All that is statistics is computed here, from
// all cases; the page (viewer/src/sweep/) draws.
//
// Cases are grouped by class: how they ended (verdict, or outcome where there is none) and whether that
// was as expected. Of a sweep with too many cases the points are a part: all that are not as expected,
// the worst by every column, and of the others one drawn from each of equally long stretches of case
// numbers. The page says how many that are.

#include <filesystem>
#include <string_view>

#include "berth/report/page_data.h"

namespace berth {

struct SweepPageLimits {
  std::size_t points = 100'000;        // cases shown one by one
  std::size_t numbers = 2'000'000;     // of all points together
  std::size_t exact = 500'000;         // that many as doubles; more as floats
  std::size_t text_bytes = 1'000'000;  // of the different texts of one column
  std::size_t worst = 10;              // cases listed at either end of a column
  std::size_t maps = 12;               // inputs that are mapped, those with most effect
  std::size_t map_numbers =
      200'000;  // largest outputs in the pieces of all maps; none when they are more
};

// The template the program carries; see viewer/.
std::string_view sweep_template();

// Pages of single cases, X_case17.html, are searched for in the folder `beside`. Throws a RecordError
// on a file that cannot be read.
PageData build_sweep_page_data(const std::filesystem::path& h5, const std::filesystem::path& beside,
                               const SweepPageLimits& limits = {});

// Reads a sweep, writes its page under another name and renames it; its size [byte].
std::size_t write_sweep_page(const std::filesystem::path& h5, const std::filesystem::path& page);

}  // namespace berth

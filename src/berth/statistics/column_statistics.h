// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers that sum up a column of values.

#include <cstdint>
#include <span>

namespace berth {

// Of the finite values of a column; a case is the place of a value in it.
struct Statistics {
  std::uint64_t count = 0;
  double least = 0, median = 0, mean = 0, largest = 0;
  double low = 0, high = 0, top = 0;       // 5, 95 and 99 % lie below
  double quarter = 0, three_quarters = 0;  // 25 and 75 % do
  std::uint64_t least_case = 0, largest_case = 0;
};
Statistics find_statistics(std::span<const double> column);

}  // namespace berth

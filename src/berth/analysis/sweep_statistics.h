// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers that sum up a column of a sweep, or its verdicts.

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

// Successes of a number of trials, with the interval that holds their probability with 95 %
// confidence (Wilson).
struct Proportion {
  double fraction, low, high;
};
Proportion find_proportion(std::uint64_t successes, std::uint64_t trials);

// Trials and successes of one piece of an input's range.
struct PieceCount {
  std::uint64_t trials = 0, successes = 0;
};
// The share of the variance of success that the pieces explain (correlation ratio), less what as many
// pieces of an input without effect would explain on average:
//   ε² = 1 − (n − 1)/(n − k) · Σᵢ nᵢ pᵢ(1 − pᵢ) / (n p(1 − p)),   n trials in k pieces, at least 0
// Zero when all trials ended the same way.
double find_effect(std::span<const PieceCount> pieces);

}  // namespace berth

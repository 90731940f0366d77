// SPDX-License-Identifier: Apache-2.0
#pragma once

// Successes of a number of trials, with the exact interval of their probability (Clopper and Pearson,
// Biometrika 26, 1934): its ends are the probabilities that give as many successes or more, and as many or
// fewer, in half of what the confidence c leaves.
//
//   P(K ≥ s | low)  = (1 − c)/2        low  = lower quantile of B(s, n − s + 1)                  (1)
//   P(K ≤ s | high) = (1 − c)/2        high = upper quantile of B(s + 1, n − s)                  (2)
//
// It holds the probability at least with confidence c, whatever the probability is and however few the
// trials are. For one number of trials that is fixed before; confidence_sequence.h has the one for trials
// that go on until the interval is narrow enough.
//
//   find_proportion(0, 10)   {0, 0, 0.3085}

#include <cstdint>

namespace berth {

struct Proportion {
  double fraction, low, high;
};
// 0 < confidence < 1. Of no trials: fraction 0, from 0 to 1.
Proportion find_proportion(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);

// Trials and successes of one piece of a whole: of an input's range, or one randomisation of a design.
struct PieceCount {
  std::uint64_t trials = 0, successes = 0;
};

}  // namespace berth

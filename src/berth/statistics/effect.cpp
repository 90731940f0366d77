// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/effect.h"

#include <algorithm>

namespace berth {

double find_effect(std::span<const PieceCount> pieces) {
  double n = 0, good = 0, inside = 0, k = 0;
  for (const PieceCount& piece : pieces) {
    if (piece.trials == 0) continue;
    const double trials = static_cast<double>(piece.trials);
    const double successes = static_cast<double>(piece.successes);
    n += trials, good += successes, ++k;
    inside += successes * (1 - successes / trials);
  }
  const double all = n > 0 ? good * (1 - good / n) : 0;
  if (!(all > 0) || n <= k) return 0;
  return std::max(0.0, 1 - (n - 1) / (n - k) * inside / all);
}

}  // namespace berth

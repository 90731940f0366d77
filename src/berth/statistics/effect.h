// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much of the difference between success and failure an input explains, from counts over pieces of its
// range.
//
//   find_effect({{100, 100}, {100, 0}})   1: all trials of one piece succeed, none of the other

#include <span>

#include "berth/statistics/proportion.h"

namespace berth {

// The share of the variance of success that the pieces explain (correlation ratio), less what as many
// pieces of an input without effect would explain on average:
//   ε² = 1 − (n − 1)/(n − k) · Σᵢ nᵢ pᵢ(1 − pᵢ) / (n p(1 − p)),   n trials in k pieces, at least 0
// Zero when all trials ended the same way.
double find_effect(std::span<const PieceCount> pieces);

}  // namespace berth

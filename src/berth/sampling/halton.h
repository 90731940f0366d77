// SPDX-License-Identifier: Apache-2.0
#pragma once

// Halton's sequence with random linear scrambling of its digits.
//
//   n = Σ d_k b^k            digits of n in base b, the prime number of the dimension       (1)
//   u = Σ (a_k d_k + c_k mod b) b^(−k−1),       0 < a_k < b, 0 ≤ c_k < b                    (2)
//
// with a_k, c_k random for every dimension and place (Matoušek, "On the L2-discrepancy for anchored
// boxes", J. Complexity 14, 1998). Any b^m points in sequence that begin at a multiple of b^m have
// one in each of b^m equal intervals. Without scrambling the points of two large bases lie on a few
// lines.

#include <cstdint>

#include "berth/sampling/keyed_hash.h"

namespace berth {

inline constexpr std::uint32_t kHaltonDimensions = 256;

// Inside (0, 1). As many digits as 53 bits hold, `rest` of (0, 1) stands for those behind.
double find_scrambled_halton(std::uint64_t n, std::uint32_t dimension, const KeyedHash& hash,
                             double rest);

// The base of a dimension: 2, 3, 5, …
std::uint32_t find_halton_base(std::uint32_t dimension);

}  // namespace berth

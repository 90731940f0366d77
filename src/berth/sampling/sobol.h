// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sobol's sequence in base 2, and Owen's scrambling of it.
//
//   point n of dimension d     x = ⊕ v_k over the bits k that are set in n                  (1)
//   direction numbers          v_k = v_(k−s) ⊕ v_(k−s) 2^(−s) ⊕ those v_(k−j) with a_j = 1     (2)
//
// for the primitive polynomial xˢ + a₁ xˢ⁻¹ + … + 1 of the dimension, with the initial numbers of
// Joe and Kuo ("Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
// Comput. 30, 2008). The first 2^m points have one in each of 2^m equal intervals of every
// dimension. Points are in natural order; those of the Gray code, in which many programs list them,
// are the same in blocks of 2^m.
//
// Nested uniform scrambling (Owen, 1995) flips every bit or not, by a coin that belongs to all the
// bits above it: a binary tree with a coin at each node. Each point is then uniformly distributed,
// and what (1) has of evenness remains.

#include <cstdint>

#include "berth/sampling/keyed_hash.h"

namespace berth {

inline constexpr std::uint32_t kSobolDimensions = 256;

// Point n (1), the highest bit worth 1/2.
std::uint32_t find_sobol_bits(std::uint32_t n, std::uint32_t dimension);

std::uint32_t find_scrambled_bits(std::uint32_t bits, const KeyedHash& coins);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The binomial distribution: K successes of n trials, each with probability p.
//
//   P(K > k) = I_p(k + 1, n − k)                                                                (1)
//
//   find_binomial_tails(10, 0.5, 4)         {P(K ≤ 4), P(K > 4)} = {386/1024, 638/1024}
//   find_binomial_quantile(10, 0.5, 0.3)    4, the least k with P(K ≤ k) ≥ 0.3

#include <cstdint>

#include "berth/statistics/beta_distribution.h"

namespace berth {

BothTails find_binomial_tails(std::uint64_t n, double p, std::uint64_t k);

// The least k with P(K ≤ k) ≥ lower; and the least with P(K > k) ≤ upper, for small tails above.
// 0 < p < 1, probabilities between 0 and 1, neither of which they reach.
std::uint64_t find_binomial_quantile(std::uint64_t n, double p, double lower);
std::uint64_t find_binomial_upper_quantile(std::uint64_t n, double p, double upper);

}  // namespace berth

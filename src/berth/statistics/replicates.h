// SPDX-License-Identifier: Apache-2.0
#pragma once

// The interval of a mean from R independent randomisations of a design, each of which gives an estimate of
// it. Points of one randomisation are not independent of one another (that is why they estimate so well);
// the randomisations are, so their spread is what says how far the mean may be off.
//
//   m = Σ wᵢ mᵢ / Σ wᵢ                                             wᵢ sizes of the randomisations   (1)
//   s² = R/(R − 1) Σ wᵢ² (mᵢ − m)² / (Σ wᵢ)²                       variance of m                    (2)
//   m ± t s                                                        Student's t, R − 1 degrees       (3)
//
//   find_mean_interval(means)                                     of one sample size, fixed before
//   find_mean_interval(means, {}, find_check_confidence(k))       at the k-th of any number of checks

#include <cstdint>
#include <span>

#include "berth/statistics/interval.h"
#include "berth/statistics/proportion.h"

namespace berth {

// Of means, with weights or (none given) all alike. Without end for less than two.
Interval find_mean_interval(std::span<const double> means, std::span<const double> weights = {},
                            double confidence = 0.95);

// Of a probability, from the counts of every randomisation: between 0 and 1. The exact interval of all
// trials where the spread says little: all randomisations agree, or have less than four successes, or
// failures, each on average. Designs estimate no worse than random draws: it is too wide for them, not too
// narrow.
Proportion find_replicated_proportion(std::span<const PieceCount> replicates,
                                      double confidence = 0.95);

// An interval that is read at check k = 1, 2, … while samples are added, with this confidence at each, holds
// at all of them with the stated one: what they leave, (1 − c)/(k(k + 1)), sums up to 1 − c.
double find_check_confidence(std::uint64_t check, double confidence = 0.95);

}  // namespace berth

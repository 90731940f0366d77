// SPDX-License-Identifier: Apache-2.0
#pragma once

// Percentiles of what a sorted column was drawn from, with intervals that hold whatever its distribution
// is: how many of n values lie below the percentile ξ of share p is binomial.
//
//   P(x₍ₗ₎ ≤ ξ ≤ x₍ᵤ₎) ≥ P(l ≤ K < u)              K of n trials with probability p              (1)
//   P(x₍ᵣ₎ ≥ ξ) ≥ P(K < r)                         a bound above                                 (2)
//
// Values are finite and in ascending order; x₍₁₎ is the first.
//
//   find_percentile(sorted, 0.99)        {99th percentile, low, high}
//   find_tolerance_bound(sorted)         99/95: with 95 % confidence, 99 % of all cases lie below
//   find_least_samples(0.99, 0.95)       299, of which the bound is the largest value

#include <cstdint>
#include <optional>
#include <span>

#include "berth/statistics/interval.h"

namespace berth {

// Its value is the first with at least this share of the column at or below it. Ends are −∞ and ∞ where
// the column is too short for (1). 0 < share < 1.
Interval find_percentile(std::span<const double> sorted, double share, double confidence = 0.95);

// The least r of (2), from 1; 0 where n values are too few.
std::uint64_t find_tolerance_rank(std::uint64_t n, double share = 0.99, double confidence = 0.95);
std::optional<double> find_tolerance_bound(std::span<const double> sorted, double share = 0.99,
                                           double confidence = 0.95);

// The least n with 1 − shareⁿ ≥ confidence.
std::uint64_t find_least_samples(double share = 0.99, double confidence = 0.95);

}  // namespace berth

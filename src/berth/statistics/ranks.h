// SPDX-License-Identifier: Apache-2.0
#pragma once

// Spearman's rank correlation: 1 where an output only rises with an input, −1 where it only falls,
// whatever the curve between them is.
//
//   ρ = correlation of the ranks, those of equal values averaged                                 (1)
//   z = ½ log[(1 + ρ)/(1 − ρ)]                       Fisher's z                                  (2)
//   s² = (1 + ρ²/2)/(n − 3)                          Bonett and Wright, Psychometrika 65, 2000   (3)
//
// The interval is z ± Φ⁻¹ s, back through (2).
//
//   find_rank_correlation({1, 2, 3, 4, 5}, {1, 4, 9, 16, 25}).value   1

#include <span>
#include <vector>

#include "berth/statistics/interval.h"

namespace berth {

// From 1; equal values have the average of the ranks they take. Values are finite.
std::vector<double> find_ranks(std::span<const double> values);

// Pairs with a value that is not finite are left out. {0, −1, 1} where one column is constant; from −1 to 1
// for less than four pairs. Where ρ is ±1 the inner end is that of ranks with two neighbours exchanged,
// because (2) would give an interval without width.
Interval find_rank_correlation(std::span<const double> x, std::span<const double> y,
                               double confidence = 0.95);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The standard normal distribution: mean 0, standard deviation 1.
//
//   density          φ(z) = exp(−z²/2) / √(2π)                                              (1)
//   cumulative       Φ(z) = ∫ φ from −∞ to z                                                (2)
//   complement       1 − Φ(z) = Φ(−z)                                                       (3)
//   quantile         z with Φ(z) = u                                                        (4)
//
// All keep their relative accuracy in the tails (to better than 1e-14): find_normal_complement(10)
// is 7.6e-24, where 1 − find_normal_cumulative(10) is 0. A quantile in the upper tail is found from
// the complement v = 1 − u: z = −find_normal_quantile(v).

namespace berth {

double find_normal_density(double z);
double find_normal_cumulative(double z);
double find_normal_complement(double z);
// −∞ at 0, ∞ at 1, nan outside.
double find_normal_quantile(double u);

}  // namespace berth

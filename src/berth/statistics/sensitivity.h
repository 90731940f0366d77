// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sobol indices: which share of the variance of an output comes from an input, alone (first order) and with
// all others it acts together with (total order).
//
//   layout     row i:  f(A), f(B), f(AB₁) … f(AB_d)       A and B two independent draws of all inputs,
//                                                         AB_k is A with input k of B
//   pairs      r(u, v) = 1 − ½⟨(u − v)²⟩/σ²(u, v)         σ² of both columns together              (1)
//   total      T_k = 1 − r(A, AB_k)                       Jansen, Comp. Phys. Comm. 117, 1999      (2)
//   first      S_k = r(B, AB_k) − r(A, AB_k) r(A, B)                                               (3)
//
// B and AB_k share input k alone, so r(B, AB_k) tends to S_k (Janon et al., ESAIM 18, 2014: the least
// variance of all that use this pair). r(A, B) tends to 0; what it is instead, by chance, AB_k has in
// common with A as far as they are alike: (3) subtracts it, like Saltelli's f(B) (f(AB_k) − f(A)), which
// subtracts all of it. At small indices (3) is as precise as Saltelli's and at large ones as Janon's.
//
// Intervals: row i belongs to group i mod R; the indices of all rows but those of one group give R
// pseudo-values (jackknife), which take the bias of the ratio (1) away and spread as R independent
// estimates would. With the randomisations of a design as groups it holds for designs, with 16 to 32
// groups for random draws.
//
//   T_r = R T − (R − 1) T_(without r)        mean ± t s/√R, R − 1 degrees                         (4)
//
//   find_sobol_indices(values, 3, 16)[0].total    {0.582, 0.547, 0.617}

#include <cstdint>
#include <span>
#include <vector>

#include "berth/statistics/interval.h"

namespace berth {

struct SensitivityIndex {
  Interval first, total;  // as estimated: chance may place them slightly outside of 0 to 1
};

// Of values [n × (inputs + 2)], row by row. Rows with a value that is not finite are left out. {0, 0, 1}
// where the output does not vary; without end where less than two groups have rows.
std::vector<SensitivityIndex> find_sobol_indices(std::span<const double> values, std::size_t inputs,
                                                 std::size_t groups = 16, double confidence = 0.95);

// Rows that find_sobol_indices leaves out.
std::uint64_t count_left_out(std::span<const double> values, std::size_t inputs);

}  // namespace berth

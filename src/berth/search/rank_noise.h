// SPDX-License-Identifier: Apache-2.0
#pragma once

// How far noise disturbs a ranking: some of its members are evaluated twice, and their ranks compared
// (Hansen, Niederberger, Guzzella and Koumoutsakos, "A method for handling uncertainty in evolutionary
// optimization", IEEE Transactions on Evolutionary Computation 13, 2009).
//
//   ranks       among all first and all second values together, 2λ of them
//   change      Δ = rank(second) − rank(first) − sign of that                                        (1)
//   limit(R)    θ/2 quantile of |1−R|, |2−R| … |2λ−1−R|: what random ranks change by, or less        (2)
//   noise       mean of 2|Δ| − limit(second) − limit(first)                                         (3)
//
// Positive: the ranking cannot be trusted.

#include <span>

namespace berth {

// What is ranked: feasible results by value, infeasible ones after them by violation; NaN is last.
struct RankScore {
  RankScore() = default;
  RankScore(double value, double total_violation);
  friend bool operator<(const RankScore& a, const RankScore& b) {
    return a.violation < b.violation || (a.violation == b.violation && a.value < b.value);
  }
  double violation = 0, value = 0;  // value is 0 where there is a violation
};

// (3) of λ first scores and of second ones of the first few of them.
double find_rank_noise(std::span<const RankScore> first, std::span<const RankScore> second);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Special functions that intervals are made of: log Γ, the quantile of the normal distribution and that of
// Student's.
//
//   log Γ(x) = (x − ½) log x − x + ½ log 2π + δ(x)                                               (1)
//   δ(x) = 1/12x − 1/360x³ + 1/1260x⁵ − …              Stirling's series, for x ≥ 10            (2)
//   δ(x) = log Γ(x + k) − log x(x+1)…(x+k−1) − …       below, from a larger argument            (3)
//
// δ stands alone because ratios of Γ of large numbers cancel all of (1) but this.
//
//   find_student_quantile(0.975, 7)  2.365

namespace berth {

double find_log_gamma(double x);            // x > 0; error below 4e-15 (1 + |log Γ|)
double find_stirling_correction(double x);  // δ of (1)
// t that Student's distribution with ν degrees of freedom, ν ≥ 1, stays below with probability p.
double find_student_quantile(double p, double degrees);

}  // namespace berth

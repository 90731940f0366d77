// SPDX-License-Identifier: Apache-2.0
#pragma once

// The beta distribution B(a, b): the regularised incomplete beta function I_x(a, b) and its inverse.
// Binomial probabilities, exact intervals of a proportion and Student's t are made of it.
//
//   I_x(a, b) = ∫₀ˣ tᵃ⁻¹ (1 − t)ᵇ⁻¹ dt / B(a, b)                                               (1)
//
// All is done over the log odds ratio to the mean, μ = log[x/(1−x)] − log[a/b], where the density
//
//   f(μ) = xᵃ (1−x)ᵇ / B(a, b)       d log f/dμ = a − (a + b) x                               (2)
//   log f(μ) = ½ log[ab/2πn] + δ(n) − δ(a) − δ(b) + aμ − n log[1 + (a/n)(e^μ − 1)],  n = a + b   (3)
//
// has one maximum, at 0, and no end. (3) loses no digits where a and b are millions (Loader, 2000).
//
//   find_beta_tails(2, 3, 0.5)         {0.6875, 0.3125}
//   find_beta_quantile(2, 3, 0.6875)   0.5

namespace berth {

struct BothTails {
  double lower, upper;  // probabilities below and above; the smaller has full relative accuracy
};
BothTails find_beta_tails(double a, double b, double x);  // a, b > 0; relative error some 1e-13

// x with the lower, or the upper, tail p; 0 < p < 1.
double find_beta_quantile(double a, double b, double p);
double find_beta_upper_quantile(double a, double b, double p);

// μ with the lower tail p.
double find_beta_log_odds(double a, double b, double p);

// log f(μ) of (3); and its part that depends on μ, which is 0 at μ = 0 and less elsewhere.
double find_beta_log_density(double a, double b, double mu);
double find_log_likelihood_ratio(double a, double b, double mu);

}  // namespace berth

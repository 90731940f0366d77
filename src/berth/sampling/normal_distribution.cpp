// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/normal_distribution.h"

#include <array>
#include <cmath>
#include <limits>

#include "berth/scalar/elementary.h"

namespace berth {

namespace {

constexpr double kRootTwoPi = 2.50662827463100050242;

// (z + 1) Φ(−z)/φ(z) for z ≥ 0 as a Chebyshev series in t = (z − 5)/(z + 5), which is −1 at 0 and 1
// at ∞. Interpolated at 48 Chebyshev points with 40 digits (mpmath); what is left out is below
// 2e-17.
constexpr std::array kMillsSeries = {
    1.1579976221305187,      -0.16334493884513979,    -0.013683136055781576,
    0.03082200019810004,     -0.016220073012046807,   0.0056166910164600935,
    -0.0014133933783549216,  0.00025026254607256607,  -2.468907239728387e-5,
    -1.0107964061837592e-6,  7.4954191797405729e-7,   -7.6002742687283369e-8,
    -1.1574771441328645e-8,  3.3333864725998432e-9,   7.5380396281713483e-11,
    -1.1104247263727493e-10, 3.5092437765510716e-12,  3.6894953861751079e-12,
    -2.3376697776381867e-13, -1.3271797523540207e-13, 9.9217069958999769e-15,
    5.2760049954667794e-15,  -3.3730976940770408e-16, -2.2804338775303545e-16,
    7.4963305762370123e-18};

// Mills' ratio Φ(−z)/φ(z) for z ≥ 0, the series summed by Clenshaw's recurrence.
double find_mills_ratio(double z) {
  const double t = (z - 5) / (z + 5);
  double next = 0, after = 0;
  for (std::size_t k = kMillsSeries.size() - 1; k > 0; --k) {
    const double b = 2 * t * next - after + kMillsSeries[k];
    after = next;
    next = b;
  }
  return (t * next - after + kMillsSeries[0]) / (z + 1);
}

// Φ(−z) for z ≥ 0.
double find_normal_tail(double z) {
  if (z > 40) return 0;  // below the smallest double
  return find_normal_density(z) * find_mills_ratio(z);
}

template <std::size_t n>
double evaluate_polynomial(const std::array<double, n>& coefficients, double x) {
  double sum = 0;
  for (std::size_t k = n; k > 0; --k) sum = sum * x + coefficients[k - 1];
  return sum;
}

// Rational functions of Wichura, "Algorithm AS 241: the percentage points of the normal
// distribution" (Applied Statistics 37, 1988), routine PPND16: the middle, the tails, the far
// tails. Constant term first.
struct RationalFunction {
  std::array<double, 8> above, below;
  double operator()(double x) const {
    return evaluate_polynomial(above, x) / evaluate_polynomial(below, x);
  }
};
constexpr RationalFunction kMiddle = {
    {3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
     45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727},
    {1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867,
     39307.895800092710610, 28729.085735721942674, 5226.4952788528545610}};
constexpr RationalFunction kTail = {
    {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
     1.27045825245236838258, 0.241780725177450611770, 2.27238449892691845833e-2,
     7.74545014278341407640e-4},
    {1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
     0.148103976427480074590, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr RationalFunction kFarTail = {
    {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
     0.296560571828504891230, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 0.599832206555887937690, 0.136929880922735805310, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

}  // namespace

// z² is rounded, and its error of 1 in 2^53 would be one of z²/2 in 2^53 of the result: it is added
// back.
double find_normal_density(double z) {
  if (!(std::abs(z) <= 40)) return std::isnan(z) ? z : 0;
  const elementary::berth_double_number square = elementary::berth_exact_product(z, z);
  return exp(-0.5 * square.high) * (1 - 0.5 * square.low) / kRootTwoPi;  // (1)
}

double find_normal_cumulative(double z) {
  return z > 0 ? 1 - find_normal_tail(z) : find_normal_tail(-z);
}
double find_normal_complement(double z) { return find_normal_cumulative(-z); }  // (3)

double find_normal_quantile(double u) {
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) return q * kMiddle(0.180625 - q * q);
  const double tail = q < 0 ? u : 1 - u;
  if (!(tail >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (tail == 0)
    return q < 0 ? -std::numeric_limits<double>::infinity()
                 : std::numeric_limits<double>::infinity();
  const double r = std::sqrt(-log(tail));
  const double z = r <= 5 ? kTail(r - 1.6) : kFarTail(r - 5);
  return q < 0 ? -z : z;
}

}  // namespace berth

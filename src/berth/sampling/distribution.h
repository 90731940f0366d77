// SPDX-License-Identifier: Apache-2.0
#pragma once

// Distribution — of one input of a study, which a uniform or a normal number is turned into.
//
//   const Distribution mass = Distribution::normal(12, 0.1);
//   mass.quantile(0.5)                           12
//   mass.from_normal(1)                          12.1
//
//   normal(m, s)                  m + s z                                                   (1)
//   truncated_normal(m, s, a, b)  the same, given that it lies between a and b
//   uniform(a, b)                 a (1 − u) + b u                                           (2)
//   lognormal(median, s)          median exp(s z): its logarithm has the deviation s        (3)
//   triangular(a, peak, b)        density rises from a to the peak and falls to b           (4)
//   discrete(weights)             an index 0 … n − 1, in proportion to its weight           (5)
//   table(values, cumulative)     cumulative probability, linear between the pairs          (6)
//
// with u uniform in (0, 1) and z = Φ⁻¹(u). But for rounding quantile(u) does not decrease with u, nor
// from_normal(z) with z, and cumulative(quantile(u)) = u unless it is discrete. What is asked of a
// distribution that has a fault has no meaning.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/sampling/truncated_normal.h"

namespace berth {

enum class DistributionKind {
  normal,
  truncated_normal,
  uniform,
  lognormal,
  triangular,
  discrete,
  table
};

struct Distribution {
  DistributionKind kind = DistributionKind::normal;
  double center = 0;                    // m of (1), median of (3), peak of (4)
  double spread = 0;                    // s
  double low = 0, high = 0;             // ends a and b
  std::vector<double> values{};         // of (6), ascending
  std::vector<double> probabilities{};  // weights of (5); cumulative of (6), from 0 to 1

  static Distribution normal(double mean, double deviation);
  static Distribution truncated_normal(double mean, double deviation, double low, double high);
  static Distribution uniform(double low, double high);
  static Distribution lognormal(double median, double deviation);
  static Distribution triangular(double low, double peak, double high);
  static Distribution discrete(std::vector<double> weights);
  static Distribution table(std::vector<double> values, std::vector<double> cumulative);

  // What is wrong with the parameters, as a sentence without a full stop.
  std::optional<std::string> find_fault() const;

  bool is_discrete() const { return kind == DistributionKind::discrete; }

  double quantile(double u) const;
  // quantile(Φ(z)), without loss of digits in either tail.
  double from_normal(double z) const;
  // Probability of a value up to x.
  double cumulative(double x) const;

  double median() const { return quantile(0.5); }
  double mean() const;
  double deviation() const;

  // Ends of a plot: all values there are, or those within two standard deviations of z.
  std::pair<double, double> display_range() const;

 private:
  double find_quantile(Tails u) const;
  TruncatedNormal standardised() const;
};

}  // namespace berth

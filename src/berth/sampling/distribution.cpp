// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "berth/sampling/normal_distribution.h"
#include "berth/scalar/elementary.h"

namespace berth {

namespace {

double find_total(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// The first index whose weights, summed up to it, exceed u of their total; one of weight 0 is never
// drawn.
double find_discrete_quantile(const std::vector<double>& weights, double u) {
  const double wanted = u * find_total(weights);
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) last = i;
    sum += weights[i];
    if (wanted < sum) break;
  }
  return static_cast<double>(last);
}

double find_discrete_cumulative(const std::vector<double>& weights, double x) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size() && static_cast<double>(i) <= x; ++i) sum += weights[i];
  return sum / find_total(weights);
}

// Both shares of the interval from c_0 to c_1 are differences from the end of 0 … 1 that is near.
double find_table_quantile(const Distribution& d, Tails u) {
  const std::vector<double>&c = d.probabilities, &x = d.values;
  const auto after = std::upper_bound(c.begin() + 1, c.end() - 1, u.below);
  auto k = static_cast<std::size_t>(after - c.begin());
  while (k > 1 && c[k] == c[k - 1]) --k;  // nothing lies between them
  const double c_0 = c[k - 1], c_1 = c[k];
  const double step = c_1 - c_0;
  if (u.below <= 0.5) {
    const double share = std::clamp((u.below - c_0) / step, 0.0, 1.0);
    return x[k - 1] * (1 - share) + x[k] * share;
  }
  const double share = std::clamp((u.above - (1 - c_1)) / step, 0.0, 1.0);
  return x[k - 1] * share + x[k] * (1 - share);
}

double find_table_cumulative(const Distribution& d, double x) {
  if (x <= d.values.front()) return 0;
  if (x >= d.values.back()) return 1;
  const auto after = std::upper_bound(d.values.begin(), d.values.end(), x);
  const auto k = static_cast<std::size_t>(after - d.values.begin());
  const double share = (x - d.values[k - 1]) / (d.values[k] - d.values[k - 1]);
  return d.probabilities[k - 1] * (1 - share) + d.probabilities[k] * share;
}

// The parabola that is 0 at the near end: below the peak from a, above it from b.
double find_triangular_quantile(const Distribution& d, Tails u) {
  const double width = d.high - d.low;
  if (u.below * width < d.center - d.low)
    return d.low + std::sqrt(u.below * width * (d.center - d.low));
  return d.high - std::sqrt(u.above * width * (d.high - d.center));
}

double find_triangular_cumulative(const Distribution& d, double x) {
  if (x <= d.low) return 0;
  if (x >= d.high) return 1;
  const double width = d.high - d.low;
  if (x < d.center) return (x - d.low) * ((x - d.low) / (width * (d.center - d.low)));
  return 1 - (d.high - x) * ((d.high - x) / (width * (d.high - d.center)));
}

// Φ of a standardised number; without spread all lies at 0.
double find_standard_cumulative(double difference, double spread) {
  if (spread == 0) return difference < 0 ? 0 : 1;
  return find_normal_cumulative(difference / spread);
}

}  // namespace

Distribution Distribution::normal(double mean, double deviation) {
  return {.kind = DistributionKind::normal, .center = mean, .spread = deviation};
}
Distribution Distribution::truncated_normal(double mean, double deviation, double low,
                                            double high) {
  return {.kind = DistributionKind::truncated_normal,
          .center = mean,
          .spread = deviation,
          .low = low,
          .high = high};
}
Distribution Distribution::uniform(double low, double high) {
  return {.kind = DistributionKind::uniform, .low = low, .high = high};
}
Distribution Distribution::lognormal(double median, double deviation) {
  return {.kind = DistributionKind::lognormal, .center = median, .spread = deviation};
}
Distribution Distribution::triangular(double low, double peak, double high) {
  return {.kind = DistributionKind::triangular, .center = peak, .low = low, .high = high};
}
Distribution Distribution::discrete(std::vector<double> weights) {
  return {.kind = DistributionKind::discrete, .probabilities = std::move(weights)};
}
Distribution Distribution::table(std::vector<double> values, std::vector<double> cumulative) {
  return {.kind = DistributionKind::table,
          .values = std::move(values),
          .probabilities = std::move(cumulative)};
}

TruncatedNormal Distribution::standardised() const {
  return {(low - center) / spread, (high - center) / spread, (high - low) / spread};
}

double Distribution::quantile(double u) const { return find_quantile({u, 1 - u}); }

double Distribution::from_normal(double z) const {
  if (kind == DistributionKind::normal) return center + spread * z;          // (1)
  if (kind == DistributionKind::lognormal) return center * exp(spread * z);  // (3)
  return find_quantile({find_normal_cumulative(z), find_normal_complement(z)});
}

double Distribution::find_quantile(Tails u) const {
  switch (kind) {
    case DistributionKind::normal:
    case DistributionKind::lognormal: return from_normal(find_normal_quantile(u.below));
    case DistributionKind::truncated_normal:
      return std::clamp(center + spread * standardised().quantile(u), low, high);
    case DistributionKind::uniform: return low * u.above + high * u.below;  // (2)
    case DistributionKind::triangular: return find_triangular_quantile(*this, u);
    case DistributionKind::discrete: return find_discrete_quantile(probabilities, u.below);
    case DistributionKind::table: return find_table_quantile(*this, u);
  }
  return 0;
}

double Distribution::cumulative(double x) const {
  switch (kind) {
    case DistributionKind::normal: return find_standard_cumulative(x - center, spread);
    case DistributionKind::lognormal:
      return x <= 0 ? 0 : find_standard_cumulative(log(x / center), spread);
    case DistributionKind::truncated_normal: {
      if (x <= low) return 0;
      if (x >= high) return 1;
      const TruncatedNormal whole = standardised();
      const TruncatedNormal part = {whole.a, (x - center) / spread, (x - low) / spread};
      return std::min(part.probability() / whole.probability(), 1.0);
    }
    case DistributionKind::uniform: return std::clamp((x - low) / (high - low), 0.0, 1.0);
    case DistributionKind::triangular: return find_triangular_cumulative(*this, x);
    case DistributionKind::discrete: return find_discrete_cumulative(probabilities, x);
    case DistributionKind::table: return find_table_cumulative(*this, x);
  }
  return 0;
}

std::pair<double, double> Distribution::display_range() const {
  switch (kind) {
    case DistributionKind::normal:
    case DistributionKind::lognormal: return {from_normal(-2), from_normal(2)};
    case DistributionKind::discrete: return {0, static_cast<double>(probabilities.size()) - 1};
    case DistributionKind::table: return {values.front(), values.back()};
    default: return {low, high};
  }
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// Mean and standard deviation of distributions.
//
//   lognormal     μ = median exp(s²/2),       σ = μ √(exp(s²) − 1)                          (1)
//   triangular    μ = (a + c + b)/3,          σ² = ((b−a)² + (b−c)² + (c−a)²)/36            (2)
//   discrete      μ = Σ w_i i / Σ w_i,        σ² = Σ w_i (i − μ)² / Σ w_i                   (3)
//   table         μ = Σ p_k x̄_k,              σ² = Σ p_k ((x̄_k − μ)² + Δ_k²/12)             (4)
//
// with c the peak; p_k the probability of an interval of the table, x̄_k its middle and Δ_k its
// width.

#include <cmath>

#include "berth/sampling/distribution.h"
#include "berth/scalar/elementary.h"

namespace berth {

namespace {

struct Moments {
  double mean, deviation;
};

Moments find_discrete_moments(const std::vector<double>& weights) {
  double total = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    total += weights[i];
    sum += weights[i] * static_cast<double>(i);
  }
  const double mean = sum / total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double off = static_cast<double>(i) - mean;
    squares += weights[i] * off * off;
  }
  return {mean, std::sqrt(squares / total)};  // (3)
}

Moments find_table_moments(const Distribution& d) {
  const std::vector<double>&x = d.values, &c = d.probabilities;
  double mean = 0, variance = 0;
  for (std::size_t k = 1; k < x.size(); ++k) mean += (c[k] - c[k - 1]) * (x[k - 1] / 2 + x[k] / 2);
  for (std::size_t k = 1; k < x.size(); ++k) {
    const double off = x[k - 1] / 2 + x[k] / 2 - mean, width = x[k] - x[k - 1];
    variance += (c[k] - c[k - 1]) * (off * off + width * width / 12);
  }
  return {mean, std::sqrt(variance)};  // (4)
}

}  // namespace

double Distribution::mean() const {
  switch (kind) {
    case DistributionKind::normal: return center;
    case DistributionKind::truncated_normal: return center + spread * standardised().mean();
    case DistributionKind::uniform: return low / 2 + high / 2;
    case DistributionKind::lognormal: return center * exp(spread * spread / 2);  // (1)
    case DistributionKind::triangular: return low / 3 + center / 3 + high / 3;   // (2)
    case DistributionKind::discrete: return find_discrete_moments(probabilities).mean;
    case DistributionKind::table: return find_table_moments(*this).mean;
  }
  return 0;
}

double Distribution::deviation() const {
  switch (kind) {
    case DistributionKind::normal: return spread;
    case DistributionKind::truncated_normal: return spread * standardised().deviation();
    case DistributionKind::uniform: return (high - low) / std::sqrt(12.0);
    case DistributionKind::lognormal: return mean() * std::sqrt(expm1(spread * spread));
    case DistributionKind::triangular: {
      const double width = high - low, rise = center - low, fall = high - center;
      return std::sqrt(width * width + rise * rise + fall * fall) / 6;
    }
    case DistributionKind::discrete: return find_discrete_moments(probabilities).deviation;
    case DistributionKind::table: return find_table_moments(*this).deviation;
  }
  return 0;
}

}  // namespace berth

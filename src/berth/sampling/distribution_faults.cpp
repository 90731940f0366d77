// SPDX-License-Identifier: Apache-2.0

// What can be wrong with the parameters of a distribution.

#include <cmath>

#include <fmt/format.h>

#include "berth/sampling/distribution.h"

namespace berth {

namespace {

using Fault = std::optional<std::string>;

// Draws are found to 1e-15 of the whole distribution: less than this would be a coarse grid.
constexpr double kLeastProbability = 1e-12;

Fault find_order_fault(double low, double high) {
  if (low < high) return std::nullopt;
  return fmt::format("{} does not lie below {}: write the lower end first", low, high);
}

Fault find_spread_fault(double spread) {
  if (spread >= 0) return std::nullopt;
  return fmt::format("a standard deviation of {} is negative", spread);
}

Fault find_truncation_fault(const Distribution& d, double probability) {
  if (probability >= kLeastProbability) return std::nullopt;
  return fmt::format("a probability of {:.3g} lies between {} and {}; at least {} is needed",
                     probability, d.low, d.high, kLeastProbability);
}

Fault find_weights_fault(const std::vector<double>& weights) {
  double total = 0;
  for (const double w : weights) {
    if (w < 0) return fmt::format("a weight of {} is negative", w);
    total += w;
  }
  if (weights.empty()) return "there are no weights";
  if (total == 0) return "all weights are zero";
  if (!std::isfinite(total)) return "the sum of the weights is not finite";
  return std::nullopt;
}

Fault find_table_fault(const std::vector<double>& x, const std::vector<double>& c) {
  if (x.size() != c.size())
    return fmt::format("{} values have {} cumulative probabilities", x.size(), c.size());
  if (x.size() < 2) return "a table needs two values at least";
  for (std::size_t k = 1; k < x.size(); ++k) {
    if (!(x[k - 1] < x[k])) return fmt::format("values must ascend: {} follows {}", x[k], x[k - 1]);
    if (c[k] < c[k - 1])
      return fmt::format("cumulative probabilities must not fall: {} follows {}", c[k], c[k - 1]);
  }
  if (c.front() != 0)
    return fmt::format("cumulative probabilities begin at 0, not at {}", c.front());
  if (c.back() != 1) return fmt::format("cumulative probabilities end at 1, not at {}", c.back());
  return std::nullopt;
}

Fault find_infinite(const Distribution& d) {
  for (const double x : {d.center, d.spread, d.low, d.high})
    if (!std::isfinite(x)) return fmt::format("{} is not a finite number", x);
  for (const std::vector<double>* list : {&d.values, &d.probabilities})
    for (const double x : *list)
      if (!std::isfinite(x)) return fmt::format("{} is not a finite number", x);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Distribution::find_fault() const {
  if (Fault fault = find_infinite(*this)) return fault;
  switch (kind) {
    case DistributionKind::normal: return find_spread_fault(spread);
    case DistributionKind::truncated_normal:
      if (Fault fault = find_spread_fault(spread)) return fault;
      if (spread == 0) return "a truncated normal distribution needs a standard deviation above 0";
      if (Fault fault = find_order_fault(low, high)) return fault;
      return find_truncation_fault(*this, standardised().probability());
    case DistributionKind::uniform: return find_order_fault(low, high);
    case DistributionKind::lognormal:
      if (!(center > 0)) return fmt::format("a median of {} is not above 0", center);
      return find_spread_fault(spread);
    case DistributionKind::triangular:
      if (Fault fault = find_order_fault(low, high)) return fault;
      if (low <= center && center <= high) return std::nullopt;
      return fmt::format("the peak {} does not lie between {} and {}", center, low, high);
    case DistributionKind::discrete: return find_weights_fault(probabilities);
    case DistributionKind::table: return find_table_fault(values, probabilities);
  }
  return std::nullopt;
}

}  // namespace berth

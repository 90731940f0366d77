// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "berth/sampling/normal_distribution.h"
#include "berth/scalar/elementary.h"
#include "berth/statistics/special.h"

namespace berth {

namespace {

// Of ranks, whose mean is known: all deviations are halves of integers, so that ±1 comes out exactly.
double correlate_ranks(std::span<const double> a, std::span<const double> b) {
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double u = a[i] - mean, v = b[i] - mean;
    ab += u * v, aa += u * u, bb += v * v;
  }
  if (!(aa > 0 && bb > 0)) return 0;
  return aa == bb ? ab / aa : std::clamp(ab / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
}

// The interval of a correlation ρ of n pairs, n > 3.
Interval find_fisher_interval(double rho, double n, double confidence) {
  const double most = 1 - std::max(12 / (n * (n * n - 1)), 1e-15);  // two neighbours exchanged
  const double inner = std::clamp(rho, -most, most);
  const double z = 0.5 * (log1p(inner) - log1p(-inner));          // (2)
  const double s = std::sqrt((1 + inner * inner / 2) / (n - 3));  // (3)
  const double half = find_normal_quantile(0.5 + confidence / 2) * s;
  return {rho, rho == -1 ? -1 : std::min(rho, tanh(z - half)),
          rho == 1 ? 1 : std::max(rho, tanh(z + half))};
}

}  // namespace

std::vector<double> find_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    const double average = (static_cast<double>(from + to) + 1) / 2;
    for (; from < to; ++from) ranks[order[from]] = average;
  }
  return ranks;
}

Interval find_rank_correlation(std::span<const double> x, std::span<const double> y,
                               double confidence) {
  if (x.size() != y.size()) throw std::invalid_argument("rank correlation: columns of one length");
  std::vector<double> a, b;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(x[i]) && std::isfinite(y[i])) a.push_back(x[i]), b.push_back(y[i]);
  const std::vector<double> of_a = find_ranks(a), of_b = find_ranks(b);
  const auto is_constant = [](const std::vector<double>& v) {
    return std::ranges::adjacent_find(v, std::ranges::not_equal_to{}) == v.end();
  };
  if (is_constant(of_a) || is_constant(of_b)) return {0, -1, 1};
  const double rho = correlate_ranks(of_a, of_b);
  if (a.size() < 4) return {rho, -1, 1};
  return find_fisher_interval(rho, static_cast<double>(a.size()), confidence);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/statistics/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "berth/statistics/replicates.h"

namespace berth {

namespace {

// Sums over rows of two columns u and v.
struct PairSums {
  double sum = 0, squares = 0, differences = 0;  // Σ (u + v), Σ (u² + v²), Σ (u − v)²

  void add(double u, double v) {
    sum += u + v, squares += u * u + v * v, differences += (u - v) * (u - v);
  }
  void add(const PairSums& other, double sign) {
    sum += sign * other.sum, squares += sign * other.squares;
    differences += sign * other.differences;
  }
  // 1 − r of (1), of n rows.
  double distance(double n) const {
    const double mean = sum / (2 * n), variance = squares / (2 * n) - mean * mean;
    return variance > 0 ? 0.5 * differences / n / variance : 1;
  }
};

// A with B, and every AB_k with A and with B.
struct LayoutSums {
  explicit LayoutSums(std::size_t inputs) : with_a(inputs), with_b(inputs) {}

  void add(std::span<const double> row, double centre) {
    const double a = row[0] - centre, b = row[1] - centre;
    ++n, both.add(a, b);
    for (std::size_t k = 0; k < with_a.size(); ++k) {
      with_a[k].add(a, row[k + 2] - centre);
      with_b[k].add(b, row[k + 2] - centre);
    }
  }
  void add(const LayoutSums& other, double sign) {
    n += sign * other.n, both.add(other.both, sign);
    for (std::size_t k = 0; k < with_a.size(); ++k) {
      with_a[k].add(other.with_a[k], sign);
      with_b[k].add(other.with_b[k], sign);
    }
  }
  double total(std::size_t k) const { return with_a[k].distance(n); }  // (2)
  double first(std::size_t k) const {                                  // (3)
    return 1 - with_b[k].distance(n) - (1 - total(k)) * (1 - both.distance(n));
  }

  double n = 0;
  PairSums both;
  std::vector<PairSums> with_a, with_b;
};

bool is_complete(std::span<const double> row) {
  return std::ranges::all_of(row, [](double v) { return std::isfinite(v); });
}

std::size_t find_width(std::span<const double> values, std::size_t inputs) {
  if (values.size() % (inputs + 2) != 0)
    throw std::invalid_argument("sensitivity: rows are the values of A, B and of every input");
  return inputs + 2;
}

// Mean of what is finite. Sums of squares are taken about it, which does not change (1) but its rounding.
double find_centre(std::span<const double> values) {
  double sum = 0, count = 0;
  for (const double v : values)
    if (std::isfinite(v)) sum += v, ++count;
  return count > 0 ? sum / count : 0;
}

// Sums of every group that has rows.
std::vector<LayoutSums> sum_groups(std::span<const double> values, std::size_t inputs,
                                   std::size_t groups) {
  const std::size_t width = find_width(values, inputs);
  const double centre = find_centre(values);
  std::vector<LayoutSums> sums(groups, LayoutSums(inputs));
  for (std::size_t i = 0; i * width < values.size(); ++i) {
    const std::span<const double> row = values.subspan(i * width, width);
    if (is_complete(row)) sums[i % groups].add(row, centre);
  }
  std::erase_if(sums, [](const LayoutSums& s) { return s.n == 0; });
  return sums;
}

// (4), from the estimate of all and those without one group.
Interval find_jackknife(double of_all, std::span<const double> without, double confidence) {
  const double count = static_cast<double>(without.size());
  std::vector<double> pseudo;
  for (const double w : without) pseudo.push_back(count * of_all - (count - 1) * w);
  return without.size() < 2 ? find_mean_interval({&of_all, 1})
                            : find_mean_interval(pseudo, {}, confidence);
}

}  // namespace

std::vector<SensitivityIndex> find_sobol_indices(std::span<const double> values, std::size_t inputs,
                                                 std::size_t groups, double confidence) {
  if (groups == 0) throw std::invalid_argument("sensitivity: at least one group is needed");
  const std::vector<LayoutSums> parts = sum_groups(values, inputs, groups);
  LayoutSums all(inputs);
  for (const LayoutSums& part : parts) all.add(part, 1);
  std::vector<LayoutSums> without;
  for (const LayoutSums& part : parts) without.emplace_back(all).add(part, -1);

  std::vector<SensitivityIndex> indices(inputs, {{0, 0, 1}, {0, 0, 1}});
  const bool varies = all.n > 0 && all.both.differences > 0;
  for (std::size_t k = 0; varies && k < inputs; ++k) {
    std::vector<double> first, total;
    for (const LayoutSums& w : without) first.push_back(w.first(k)), total.push_back(w.total(k));
    indices[k] = {find_jackknife(all.first(k), first, confidence),
                  find_jackknife(all.total(k), total, confidence)};
  }
  return indices;
}

std::uint64_t count_left_out(std::span<const double> values, std::size_t inputs) {
  const std::size_t width = find_width(values, inputs);
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < values.size(); at += width)
    count += !is_complete(values.subspan(at, width));
  return count;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/search/subset_simulation.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "berth/scalar/elementary.h"
#include "berth/statistics/special.h"

namespace berth {

namespace {

void check_options(const SubsetOptions& o) {
  const auto require = [](bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(std::string("subset simulation: ") + rule);
  };
  require(o.inputs >= 1, "at least one input");
  require(o.replicates >= 2, "at least two replicates");
  require(o.level_probability > 0 && o.level_probability <= 0.5, "level_probability in (0, 0.5]");
  require(o.level_probability * o.samples >= 1, "level_probability · samples not below 1");
  require(o.most_levels >= 1, "at least one level");
  require(o.confidence > 0 && o.confidence < 1, "confidence between 0 and 1");
  require(std::isfinite(o.threshold), "a finite threshold");
}

double find_median_threshold(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
}

}  // namespace

SubsetSimulation::SubsetSimulation(const SubsetOptions& options) : options_(options) {
  check_options(options);
  for (std::uint32_t r = 0; r < options.replicates; ++r) replicates_.emplace_back(options, r);
}

std::vector<SearchPoint> SubsetSimulation::ask() const {
  std::vector<SearchPoint> all;
  for (const SubsetReplicate& r : replicates_)
    all.insert(all.end(), r.ask().begin(), r.ask().end());
  return all;
}

void SubsetSimulation::record(std::span<const double> values) {
  std::size_t asked = 0;
  for (const SubsetReplicate& r : replicates_) asked += r.ask().size();
  if (values.size() != asked)
    throw std::invalid_argument("subset simulation: " + std::to_string(values.size()) +
                                " values for " + std::to_string(asked) + " points");
  for (SubsetReplicate& r : replicates_) {
    if (r.is_done()) continue;
    const std::size_t count = r.ask().size();
    r.record(values.first(count));
    values = values.subspan(count);
  }
}

bool SubsetSimulation::is_done() const {
  return std::all_of(replicates_.begin(), replicates_.end(),
                     [](const SubsetReplicate& r) { return r.is_done(); });
}

SubsetResult SubsetSimulation::result() const {
  SubsetResult result;
  std::size_t deepest = 0;
  for (const SubsetReplicate& r : replicates_) {
    result.evaluations += r.evaluations();
    result.refused += r.refused();
    result.failures.insert(result.failures.end(), r.failures().begin(), r.failures().end());
    deepest = std::max(deepest, r.thresholds().size());
  }
  result.levels = static_cast<std::uint32_t>(deepest + 1);
  for (std::size_t level = 0; level < deepest; ++level) {
    std::vector<double> reached;
    for (const SubsetReplicate& r : replicates_)
      if (level < r.thresholds().size()) reached.push_back(r.thresholds()[level]);
    result.thresholds.push_back(find_median_threshold(reached));
  }
  if (is_done()) add_interval(result);
  return result;
}

void SubsetSimulation::add_interval(SubsetResult& result) const {
  const double count = static_cast<double>(replicates_.size());
  double mean = 0, least_variance = 0;
  std::vector<double> logs;
  for (const SubsetReplicate& r : replicates_) {
    result.estimates.push_back(r.estimate());
    result.probability += r.estimate() / count;
    if (!(r.estimate() > 0)) ++result.without_failure;
    logs.push_back(log(r.estimate() > 0 ? r.estimate() : r.bound()));
    mean += logs.back() / count;
    least_variance += log1p(r.least_variation()) / count;
  }
  double variance = 0;
  for (const double y : logs) variance += (y - mean) * (y - mean) / (count - 1);
  variance = std::max(variance, least_variance);

  const double t =
      find_student_quantile(0.5 + options_.confidence / 2, static_cast<double>(count - 1));
  const double half =
      t * std::sqrt(variance / count + variance * variance / (2 * (count - 1)));  // (1)
  const double middle = mean + variance / 2;
  result.low = result.without_failure > 0 ? 0 : std::min(exp(middle - half), result.probability);
  result.high = std::min(1.0, std::max(exp(middle + half), result.probability));
}

}  // namespace berth

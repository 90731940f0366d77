// SPDX-License-Identifier: Apache-2.0
#include "berth/search/subset_replicate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "berth/math/philox.h"

namespace berth {

namespace {

constexpr double kWantedAcceptance = 0.44;
constexpr double kLeastScale = 1e-3;

}  // namespace

SubsetReplicate::SubsetReplicate(const SubsetOptions& options, std::uint32_t number)
    : options_(options), number_(number) {
  propose();
}

double SubsetReplicate::draw(std::uint32_t input) const {
  return find_normal(options_.seed, std::uint64_t{number_} << 40 | drawn_, input);
}

// Independent points at the first level, one step of every chain at the others; the last step of a
// level is made by as many chains as samples are missing.
void SubsetReplicate::propose() {
  const std::size_t missing = options_.samples - samples_.size();
  const std::size_t count = chains_.empty() ? missing : std::min(missing, chains_.size());
  const double rho = std::sqrt(1 - scale_ * scale_);
  proposals_.assign(count, SearchPoint(options_.inputs));
  for (std::size_t i = 0; i < count; ++i, ++drawn_)
    for (std::uint32_t k = 0; k < options_.inputs; ++k)
      proposals_[i][k] =
          chains_.empty() ? draw(k) : rho * samples_[chains_[i]].z[k] + scale_ * draw(k);  // (2)
}

void SubsetReplicate::record(std::span<const double> values) {
  const double least = -std::numeric_limits<double>::infinity();
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = std::isnan(values[i]) ? least : values[i];
    ++evaluations_;
    refused_ += std::isnan(values[i]);
    if (value > options_.threshold) failures_.push_back(proposals_[i]);
    if (chains_.empty() || value >= thresholds_.back()) {
      samples_.push_back({std::move(proposals_[i]), value});
      ++accepted;
    } else {
      const Sample again = samples_[chains_[i]];
      samples_.push_back(again);
    }
    if (!chains_.empty()) chains_[i] = samples_.size() - 1;
  }
  if (!chains_.empty()) adapt(static_cast<double>(accepted) / static_cast<double>(values.size()));
  if (samples_.size() < options_.samples)
    propose();
  else
    close_level();
}

void SubsetReplicate::adapt(double accepted_share) {
  ++step_;
  scale_ *=
      exp((accepted_share - kWantedAcceptance) / std::sqrt(static_cast<double>(step_)));  // (3)
  scale_ = std::clamp(scale_, kLeastScale, 1.0);
}

// Whether those at b are one point of one chain, counted again for every step that was not accepted.
// Then b is as good as a quantile of continuous values, and p₀ N samples reach it: to count the
// repetitions on this side of the limit and never on the other would be a bias. Other points of the
// same value are a plateau, all of which belongs to the event.
bool SubsetReplicate::is_one_state(std::span<const Sample> heads, double b) {
  const SearchPoint* first = nullptr;
  for (const Sample& s : heads) {
    if (s.value != b) continue;
    if (first && *first != s.z) return false;
    first = &s.z;
  }
  return true;
}

void SubsetReplicate::close_level() {
  std::vector<double> values;
  for (const Sample& s : samples_) values.push_back(s.value);
  std::sort(values.begin(), values.end());
  const auto above = [&](double x) {
    return static_cast<std::size_t>(values.end() -
                                    std::upper_bound(values.begin(), values.end(), x));
  };
  const std::size_t count = values.size();
  const auto wanted = static_cast<std::size_t>(
      std::lround(options_.level_probability * static_cast<double>(count)));
  const std::size_t heads_wanted = std::max<std::size_t>(1, wanted);
  const std::size_t failing = above(options_.threshold);
  if (failing >= heads_wanted || thresholds_.size() + 1 >= options_.most_levels)
    return finish(failing);

  double b = values[count - heads_wanted];  // (1)
  const bool is_plateau = b == values.front();
  if (is_plateau) {
    const std::size_t higher = above(b);
    if (higher == 0) return finish(failing);  // all alike: no direction to go
    b = values[count - higher];
  }
  if (b > options_.threshold) return finish(failing);

  std::vector<Sample> heads;
  for (Sample& s : samples_)
    if (s.value >= b) heads.push_back(std::move(s));
  const bool is_quantile = !is_plateau && is_one_state(heads, b);
  const std::size_t passed = is_quantile ? heads_wanted : heads.size();
  // Of ties, as many as there are chains: the first of a random order.
  for (std::size_t i = 0; heads.size() > heads_wanted && i < heads_wanted; ++i, ++drawn_) {
    const double u =
        find_uniform(options_.seed, std::uint64_t{number_} << 40 | drawn_, options_.inputs);
    const double rest = static_cast<double>(heads.size() - i);
    std::swap(heads[i], heads[i + static_cast<std::size_t>(u * rest)]);
  }
  if (heads.size() > heads_wanted) heads.resize(heads_wanted);
  thresholds_.push_back(b);
  begin_level(std::move(heads), static_cast<double>(passed) / static_cast<double>(count));
}

void SubsetReplicate::begin_level(std::vector<Sample> heads, double passed_share) {
  bound_ *= passed_share;
  least_variation_ += (1 - passed_share) / (passed_share * static_cast<double>(options_.samples));
  samples_ = std::move(heads);
  chains_.resize(samples_.size());
  for (std::size_t i = 0; i < chains_.size(); ++i) chains_[i] = i;
  step_ = 0;
  propose();
}

void SubsetReplicate::finish(std::size_t failing) {
  const double count = static_cast<double>(options_.samples);
  const double share = static_cast<double>(failing) / count;
  estimate_ = bound_ * share;
  if (failing > 0) least_variation_ += (1 - share) / (share * count);
  proposals_.clear();
  samples_.clear();
}

}  // namespace berth

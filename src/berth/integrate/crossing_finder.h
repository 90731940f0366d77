// SPDX-License-Identifier: Apache-2.0
#pragma once

// CrossingFinder — many functions watched together, for the price of one interpolation per sample.
//
//   g(t, values)     writes every function at t: interpolate the state once, evaluate all triggers
//   find             the time of the earliest crossing in (t_0, t_1], if there is one; with as many
//                    samples inside as the options say, or as the call does
//   fired            every function that has crossed by then
//
// Two that cross in the same instant are both listed: continuing from that instant (which lies on
// the far side of both, see crossing.h) neither would be seen again.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "berth/integrate/crossing.h"

namespace berth {

class CrossingFinder {
 public:
  explicit CrossingFinder(std::vector<Way> ways, const CrossingOptions& options = {})
      : ways_(std::move(ways)),
        options_(options),
        values_(ways_.size() * detail::kMaxSamples),
        one_(ways_.size()),
        roots_(ways_.size()) {
    fired_.reserve(ways_.size());
  }

  template <class G>
  std::optional<double> find(G&& g, double t_0, double t_1) {
    return find(g, t_0, t_1, options_.samples);
  }
  template <class G>
  std::optional<double> find(G&& g, double t_0, double t_1, int samples) {
    fired_.clear();
    if (ways_.empty()) return std::nullopt;
    const std::size_t n = detail::set_sample_times(times_, t_0, t_1, samples);
    for (std::size_t i = 0; i < n; ++i) {
      g(times_[i], std::span<double>(one_));
      for (std::size_t k = 0; k < one_.size(); ++k) row(k)[i] = one_[k];
    }
    // Each function in turn, up to the earliest crossing so far.
    double earliest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < one_.size(); ++k) {
      const auto g_k = [&](double t) {
        g(t, std::span<double>(one_));
        return one_[k];
      };
      roots_[k] = detail::scan(g_k, std::span(times_).first(n), row(k).first(n), ways_[k],
                               options_.tolerance, earliest);
      if (roots_[k]) earliest = std::min(earliest, roots_[k]->after);
    }
    if (!std::isfinite(earliest)) return std::nullopt;
    // Who has crossed by then: brackets that end there, or are open there and already across.
    g(earliest, std::span<double>(one_));
    for (std::size_t k = 0; k < one_.size(); ++k) {
      if (!roots_[k] || roots_[k]->before >= earliest) continue;
      if (roots_[k]->after <= earliest || crosses(roots_[k]->g_before, one_[k], ways_[k])) {
        fired_.push_back(k);
      }
    }
    return earliest;
  }

  // Indices of the functions that crossed at the time `find` returned.
  std::span<const std::size_t> fired() const { return fired_; }

 private:
  std::span<double> row(std::size_t k) {
    return std::span(values_).subspan(k * detail::kMaxSamples, detail::kMaxSamples);
  }

  std::vector<Way> ways_;
  CrossingOptions options_;
  std::array<double, detail::kMaxSamples> times_{};
  std::vector<double> values_, one_;
  std::vector<std::optional<Root>> roots_;
  std::vector<std::size_t> fired_;
};

}  // namespace berth

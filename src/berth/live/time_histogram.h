// SPDX-License-Identifier: Apache-2.0
#pragma once

// TimeHistogram — how often durations fell into bins that grow by √2, from 1 µs on; without allocation.
//
//   bin 0        below 1 µs
//   bin i ≥ 1    2^((i−1)/2) µs … 2^(i/2) µs

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace berth {

class TimeHistogram {
 public:
  static constexpr std::size_t kBins = 48;  // the last holds all beyond 8 s

  void add(std::int64_t ns) {
    const double us = 1e-3 * static_cast<double>(ns);
    std::size_t bin = 0;
    while (bin + 1 < kBins && us >= kUpper[bin]) ++bin;
    ++counts_[bin];
    ++total_;
    sum_ns_ += ns;
    largest_ns_ = std::max(largest_ns_, ns);
    smallest_ns_ = total_ == 1 ? ns : std::min(smallest_ns_, ns);
  }

  // [µs] Upper end of a bin.
  static double upper(std::size_t bin) { return kUpper[bin]; }
  std::uint64_t count(std::size_t bin) const { return counts_[bin]; }
  std::uint64_t total() const { return total_; }
  double largest() const { return 1e-9 * static_cast<double>(largest_ns_); }    // [s]
  double smallest() const { return 1e-9 * static_cast<double>(smallest_ns_); }  // [s]
  double mean() const {                                                         // [s]
    return total_ > 0 ? 1e-9 * static_cast<double>(sum_ns_) / static_cast<double>(total_) : 0;
  }
  // [s] Upper end of the bin in which this part of all lies, or the largest where that is less.
  double quantile(double part) const {
    const double wanted = part * static_cast<double>(total_);
    double seen = 0;
    for (std::size_t i = 0; i < kBins; ++i)
      if ((seen += static_cast<double>(counts_[i])) >= wanted && seen > 0)
        return std::min(1e-6 * kUpper[i], largest());
    return largest();
  }

 private:
  static constexpr std::array<double, kBins> kUpper = [] {
    std::array<double, kBins> out{};
    double even = 1, odd = 1.4142135623730951;
    for (std::size_t i = 0; i < kBins; ++i) {
      out[i] = i % 2 == 0 ? even : odd;
      (i % 2 == 0 ? even : odd) *= 2;
    }
    return out;
  }();
  std::array<std::uint64_t, kBins> counts_{};
  std::uint64_t total_ = 0;
  std::int64_t sum_ns_ = 0, largest_ns_ = 0, smallest_ns_ = 0;
};

}  // namespace berth

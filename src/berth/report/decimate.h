// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decimation — a long series as few points that appear the same on a screen.
//
// Rows are put into buckets of even count; of each bucket the smallest and the largest value stay, in
// the order they came, at the times of its first and its last row. All channels of a group share
// those times. Short series stay as they are.

#include <cstdint>
#include <vector>

#include "berth/report/result_file.h"

namespace berth {

class Decimation {
 public:
  Decimation(std::uint64_t rows, std::size_t buckets);

  std::size_t point_count() const;
  bool keeps_all() const { return keeps_all_; }

  std::vector<double> find_times(const SeriesGroup& group) const;

  struct Part {
    std::vector<double> values;
    std::uint64_t missing = 0;  // samples that are no numbers
  };
  // One for each number of the channel.
  std::vector<Part> find_points(const SeriesGroup& group, std::size_t channel) const;

 private:
  std::uint64_t begin_of(std::size_t bucket) const;

  std::uint64_t rows_;
  std::size_t buckets_;
  bool keeps_all_;
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decimation — a long series as few rows that appear the same on a screen.
//
// Every point is a row of the file, with its own time and all its numbers. Kept are the ends, the rows
// around instants at which something happens, those of a window, and as many more as straight lines
// between them need to follow the rest (choose_frames.h); of a very long series the smallest and the
// largest values of even stretches are considered. Short series stay as they are.

#include <cstdint>
#include <span>
#include <vector>

#include "berth/report/window.h"
#include "berth/simulate/result_file.h"

namespace berth {

class Decimation {
 public:
  // Of one group; `instants` are times of events, `most` rows are kept of each channel.
  Decimation(const SeriesGroup& group, std::span<const double> instants, const TimeWindow& window,
             std::size_t most);

  struct Points {
    std::vector<std::uint64_t> rows;         // ascending
    std::vector<std::vector<double>> parts;  // one for each number of the channel, as long as rows
    std::vector<std::uint64_t>
        missing;  // of each part: samples of the whole series that are no numbers
  };
  // On a logarithmic axis (`log`) small values count as much as large ones.
  Points find_points(std::size_t channel, bool log = false) const;

  std::vector<double> find_times(const std::vector<std::uint64_t>& rows) const;

 private:
  struct Table;

  void find_fixed(std::span<const double> instants, const TimeWindow& window);
  Table read_all(std::size_t channel, Points& points) const;
  Table read_extremes(std::size_t channel, Points& points) const;

  const SeriesGroup& group_;
  std::size_t most_;
  std::vector<std::uint64_t> fixed_;  // rows that every channel keeps
};

}  // namespace berth

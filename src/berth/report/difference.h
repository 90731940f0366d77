// SPDX-License-Identifier: Apache-2.0
#pragma once

// Difference of two runs, B − A, from all their rows, at the times of B where A was running too. Where A has
// no row at such a time it is interpolated linearly between the rows around it. Of several rows at one time
// (before and after an event) the first stands against the first, the last against the last. Channels
// that only one has, or has in other units, are left out.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "berth/simulate/result_file.h"

namespace berth {

// One group of B against that of A. Both must outlive it.
class DifferenceGroup : public SeriesGroup {
 public:
  DifferenceGroup(const SeriesGroup& a, const SeriesGroup& b);

  std::vector<double> read_times(std::uint64_t first, std::uint64_t count) const override;
  std::vector<double> read(std::size_t channel, std::uint64_t first,
                           std::uint64_t count) const override;

  // Rows of B at whose time A has none.
  std::uint64_t count_interpolated() const;

 private:
  struct Pair {
    std::size_t of_a, of_b;
  };
  struct Rows {
    std::uint64_t begin, end;
  };

  Rows find_rows_of_a(std::span<const double> t) const;
  std::vector<double> interpolate(std::size_t channel, Rows rows, std::uint64_t first,
                                  std::span<const double> at) const;

  const SeriesGroup &a_, &b_;
  std::vector<Pair> pairs_;
  std::uint64_t first_ = 0;  // row of B where A has begun
  bool alike_ = false;       // both have the same rows: nothing is to be interpolated
};

std::vector<std::unique_ptr<DifferenceGroup>> find_differences(const ResultFile& a,
                                                               const ResultFile& b);

// How far two runs differ in one number: max |B − A|, when, and the root of the time mean of (B − A)²,
//
//   rms² = 1/T ∫ d² dt,   d straight between rows,
//
// over the stretches between rows that are both numbers. Not a number where there is none.
struct Deviation {
  double largest, t, rms;
};
std::vector<Deviation> find_deviations(const SeriesGroup& difference, std::size_t channel);

// Do two runs have a channel of the same name, unit and width that belongs to something a scenario names?
// The system and its orbit are part of every run.
bool are_related(const ResultFile& a, const ResultFile& b);

}  // namespace berth

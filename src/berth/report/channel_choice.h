// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers of a recorded run by name: "servicer.rate", "servicer.omega_BN_B.x" (one number of a
// vector), "servicer.omega_BN_B" (all of them), with * for any letters: "joint.violation_*".

#include <string>
#include <vector>

#include "berth/simulate/result_file.h"

namespace berth {

struct ChosenNumber {
  const SeriesGroup* group;
  std::size_t channel, part;
  std::string label;  // "servicer.omega_BN_B.x"
  std::string unit;
};

// Those that a name fits, in the order of the file; a channel of several groups is taken where it was
// recorded most often. When none does, `problem` says so, with the nearest name.
std::vector<ChosenNumber> choose_numbers(const ResultFile& file, const std::string& name,
                                         std::string& problem);

// * stands for any letters, also for none.
bool fits_pattern(std::string_view pattern, std::string_view name);

// The times and values of one number between two times, decimated to at most so many rows.
struct Series {
  std::vector<double> t, y;
};
Series read_series(const ChosenNumber& number, double from, double to, std::size_t most);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Condition — a statement about channels, and by how much it holds.
//
//   "servicer.rate < 0.001 and servicer.panel.angle > 0.1 or system.energy_lost > 5"
//
//   comparison   margin = right − left for <,  left − right for >                               (1)
//   and          the smallest margin       or   the largest;  `and` binds before `or`           (2)
//
// True while the margin is not negative; it becomes true where the margin crosses zero upward, which
// is what the event engine locates. Parentheses group.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "berth/system/channels.h"

namespace berth {

// A condition that cannot be read: where in its text, what is wrong, what may be meant.
struct ConditionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Condition {
 public:
  // Throws ConditionError.
  Condition(std::string_view text, const Channels& channels);

  double margin(std::span<const double> row) const;

 private:
  // Reverse Polish: comparisons push a margin, and/or join the last two.
  struct Step {
    enum { compare_less, compare_greater, join_and, join_or } kind;
    int place = 0;     // of the channel's number in a row
    double value = 0;  // compared with
  };
  std::vector<Step> steps_;
  mutable std::vector<double> stack_;

  class Reader;
};

}  // namespace berth

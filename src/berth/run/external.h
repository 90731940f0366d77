// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who takes part from outside, and what a run knows of it between two of its answers.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace berth {

// Asked at t with the numbers of all that is measured, one after the other. Gives the numbers of all
// commands (external.h), NaN for those that stay as they are; nothing: no answer. What it throws ends the
// run.
using ExternalSource =
    std::function<std::optional<std::vector<double>>(double t, std::span<const double> measured)>;

struct ExternalState {
  double last = 0;     // [s] when the last command acts or acted, or it was switched on
  double judged = -1;  // [s] that `last` after which its rule acts
  bool frozen = false;
  std::uint64_t turns = 0;  // times it was switched
};

}  // namespace berth

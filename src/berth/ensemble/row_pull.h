// SPDX-License-Identifier: Apache-2.0
#pragma once

// What leads a state back onto the rows of a mode, as project() does (docks.h): recorded, where the rows are
// plain, and carried out. What is decided by value is decided after the program has run, by what it found:
//
//   S, its lower triangle by rows | ψ | speeds, pulled | coordinates and speeds after one Newton step

#include <span>
#include <vector>

#include "berth/scalar/trace.h"
#include "berth/system/system.h"

namespace berth {

struct PullSize {
  int rows = 0, coordinates = 0, speeds = 0;  // no rows: there is no program
  int count() const { return rows * (rows + 1) / 2 + rows + speeds + coordinates + speeds; }
};
PullSize find_pull_size(const System<double>& system, const Mode<double>& mode);

std::vector<Trace> record_pull(const System<Trace>& system, const Mode<Trace>& mode, const Trace& t,
                               std::vector<Trace> x);

// False where project() would leave rows out or take more than one Newton step; x is then as it was.
bool apply_pull(const System<double>& system, const PullSize& size, std::span<const double> found,
                Mode<double>& mode, std::span<double> x);

}  // namespace berth

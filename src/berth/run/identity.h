// SPDX-License-Identifier: Apache-2.0
#pragma once

// Identity — what the bytes of a saved run belong to: everything a scenario fixes, as digests.
//
// One topic each for program, integrator, bodies, …: where two runs differ can then be said in words.

#include <cstdint>
#include <string>
#include <vector>

#include "berth/run/event.h"
#include "berth/run/options.h"
#include "berth/system/system.h"

namespace berth {

struct Topic {
  std::string name;          // "docks"
  std::string brief;         // "probe (rigid, fused)"
  std::uint64_t digest = 0;  // of everything about it
};
using Identity = std::vector<Topic>;

// Of a system no event has changed yet. Budgets, which end a run and do not bend it, are left out.
Identity find_identity(const System<double>& system, const RunOptions& options);
Topic find_identity(const std::vector<Event>& events);

// In words; empty when both are the same.
std::string find_difference(const Identity& saved, const Identity& here);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenarios with random damage, each made from its number alone.

#include <cstdint>
#include <string>
#include <vector>

namespace berth::test {

// The scenarios that are damaged: one with every kind of part and of event, those we ship, and all of
// them with their defaults written out.
const std::vector<std::string>& corpus();

// Any damage.
std::string damaged_scenario(std::uint64_t number);
// To numbers alone: most files stay good ones, of scenarios that no one would call sane.
std::string damaged_numbers(std::uint64_t number);

}  // namespace berth::test

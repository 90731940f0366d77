// SPDX-License-Identifier: Apache-2.0
#pragma once

// What settings change of a scenario that has been read already, where all they do is to put a number in
// the place of another: cases of a sweep differ by little else. Each number is read as that of a file
// is (part_reader.h); everything else stays as it is.

#include <string>
#include <vector>

#include <toml++/toml.h>

#include "berth/scenario/scenario.h"

namespace berth {

// `scenario` was read from `root` without problems. False when a setting does anything else, or when its
// number is refused: the tables must then be read as a whole, for the result or for what is wrong.
// The scenario is then of no use.
bool read_numbers(const toml::table& root, const std::vector<std::string>& settings,
                  Scenario& scenario);

}  // namespace berth

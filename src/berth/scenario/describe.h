// SPDX-License-Identifier: Apache-2.0
#pragma once

// The schema in words: every table and part, its inputs with units, ranges, defaults and meaning,
// and an example, all from the fields() tables and the examples on the pages.

#include <optional>
#include <string>
#include <vector>

namespace berth {

// All tables and parts, a line each.
std::string describe_all();

// One table or part; nothing when there is none of that name.
std::optional<std::string> describe_one(const std::string& name);

// Names describe_one() knows.
std::vector<std::string> describable();

// A text built into the program: "components/hinged_panel" (the example on its page) or
// "scenarios/slew" (the file).
std::optional<std::string> find_built_in(const std::string& name);
std::vector<std::string> built_in_scenarios();

}  // namespace berth

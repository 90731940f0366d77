// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "berth/scenario/problem.h"

namespace berth {

// Where the table of a study goes: not where something is read from, nor where something else lies.
void check_table_file(const std::filesystem::path& h5, const std::filesystem::path& csv,
                      const std::vector<std::string>& inputs, Problems& problems);

}  // namespace berth

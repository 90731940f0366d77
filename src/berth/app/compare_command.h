// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth compare FILE — every formulation on one scenario.

#include <string>
#include <vector>

#include "berth/app/command.h"

namespace berth {

struct CompareCommand {
  FileOptions file;
  std::vector<std::string> over{"enforce"};
  bool steppers = false, json = false, quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

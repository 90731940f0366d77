// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth check FILE — what a scenario describes, and what is wrong with it.

#include "berth/app/command.h"

namespace berth {

struct CheckCommand {
  FileOptions file;
  bool json = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

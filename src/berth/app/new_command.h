// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth new NAME — a commented scenario to start from.

#include <string>

#include "berth/app/command.h"

namespace berth {

struct NewCommand {
  std::string name, from = "docking";
  bool list = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

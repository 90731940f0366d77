// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth stability FILE — how late the force of a contact may come back.

#include <string>
#include <vector>

#include "berth/app/command.h"

namespace berth {

struct StabilityCommand {
  FileOptions file;
  std::vector<std::string> map;
  std::string by = "closed", csv;
  bool json = false, quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();

 private:
  int run_map();
};

}  // namespace berth

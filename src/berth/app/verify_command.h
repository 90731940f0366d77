// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth verify — whether result files are what was written.

#include <string>
#include <vector>

#include "berth/app/command.h"

namespace berth {

struct VerifyCommand {
  std::vector<std::string> files;
  bool quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();

 private:
  int verify(const std::string& file) const;
};

}  // namespace berth

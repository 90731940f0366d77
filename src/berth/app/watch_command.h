// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth watch FILE — runs a scenario whenever it is saved, and shows its page in a browser.

#include <string>

#include "berth/app/command.h"

namespace berth {

struct WatchCommand {
  FileOptions file;
  std::string out;
  bool no_browser = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth facility FILE — the laboratory of a scenario, emulated behind a socket: the other side of berth live.

#include <string>

#include "berth/app/command.h"

namespace berth {

struct FacilityCommand {
  FileOptions file;
  std::string listen = "127.0.0.1:0", out, key;
  double wait = 60, timeout = 5;
  bool keep = false, no_out = false, json = false, quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth run FILE — a scenario, or one case of a sweep, recorded.

#include <optional>
#include <string>
#include <vector>

#include "berth/app/command.h"

namespace berth {

struct RunCommand {
  FileOptions file;
  std::string out;
  std::vector<double> at;
  Computing computing = Computing::automatic;
  bool json = false, quiet = false, with_csv = false, no_out = false, no_html = false, open = false;
  std::optional<std::int64_t> number;  // of a case

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

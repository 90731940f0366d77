// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth describe — the inputs of every table and part; the channels of a scenario.

#include <string>
#include <vector>

#include "berth/app/command.h"

namespace berth {

struct DescribeCommand {
  std::string what, file;
  std::vector<std::string> overrides;

  CLI::App& add_to(CLI::App& app);
  int run();

 private:
  int show_channels();
};

}  // namespace berth

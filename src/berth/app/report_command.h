// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth report and berth plot: pages and pictures of recorded runs.

#include <optional>
#include <string>
#include <vector>

#include "berth/app/command.h"

namespace berth {

struct ReportCommand {
  std::vector<std::string> files;
  std::string out;
  bool difference = false, quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

struct PlotCommand {
  std::string file, out, title;
  std::vector<std::string> channels;
  std::optional<double> from, to;
  int width = 720;
  std::optional<int> height;
  bool log = false, events = true, quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth linearise FILE — a linear model of a scenario on its way, for the design of controllers.
// berth modes FILE     — its frequencies, their damping, and which parts move.

#include <string>
#include <vector>

#include "berth/analysis/linear_study.h"
#include "berth/app/command.h"

namespace berth {

// What both have.
struct LinearCommand {
  FileOptions file;
  LinearOptions options;
  std::string out;  // empty: nothing is written
  bool json = false;

  void add_options_to(CLI::App& command);
  // Complains, and sets the exit code, when there is none.
  std::optional<LinearModel> find_model(int& code);
};

struct LineariseCommand : LinearCommand {
  double period = 0;  // [s]; 0 = continuous
  bool list = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

struct ModesCommand : LinearCommand {
  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth film RESULT — the scene of a recorded run as a film.

#include <optional>
#include <string>

#include "berth/app/command.h"

namespace berth {

struct FilmCommand {
  std::string file, out, view = "chase";
  std::optional<double> from, to;
  double speed = 1;
  int width = 1280, height = 720, rate = 30;
  bool quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

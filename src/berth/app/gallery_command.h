// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth gallery: the figures of the papers.

#include <string>

#include "berth/app/command.h"

namespace berth {

struct GalleryCommand {
  std::string out = "gallery", only;
  bool quiet = false;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

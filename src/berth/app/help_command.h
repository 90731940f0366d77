// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth completion SHELL and berth man — what --help says, for shells and for man.

#include <string>

#include "berth/app/command.h"

namespace berth {

struct CompletionCommand {
  std::string shell;
  const CLI::App* program = nullptr;

  CLI::App& add_to(CLI::App& app);
  int run();
};

struct ManCommand {
  const CLI::App* program = nullptr;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth optimise FILE — the best design under the dispersions of a scenario, or the worst case.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/app/command.h"
#include "berth/app/study_output.h"

namespace berth {

struct OptimiseCommand {
  FileOptions file;
  std::vector<std::string> inputs, constraints;
  std::string maximise, minimise, worst, out;
  std::uint64_t samples = 0, budget = 0, confirm = 0;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  Computing computing = Computing::automatic;
  bool fresh = false;
  StudyOutput output;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth sweep FILE --vary KEY=… — many cases of one scenario.
// berth merge PART … -o FILE — parts of a sweep as one.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/app/command.h"
#include "berth/app/study_output.h"

namespace berth {

struct SweepCommand {
  FileOptions file;
  std::vector<std::string> vary, collect, map, bands, boundary;
  std::uint64_t samples = 0;
  std::optional<std::uint64_t> seed;
  std::string out, design, part, until, rare, keep_runs;
  int threads = 0;
  Computing computing = Computing::automatic;
  bool indices = false, with_csv = false, fresh = false;
  StudyOutput output;

  CLI::App& add_to(CLI::App& app);
  int run();
};

struct MergeCommand {
  std::vector<std::string> parts;
  std::string out;
  bool with_csv = false;
  StudyOutput output;

  CLI::App& add_to(CLI::App& app);
  int run();
};

}  // namespace berth

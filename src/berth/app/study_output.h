// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the commands share that run many cases of a scenario: sweep, merge, optimise.

#include <filesystem>
#include <string>
#include <vector>

#include "berth/analysis/sweep.h"

namespace CLI {
class App;
}

namespace berth {

struct StudyOutput {
  bool no_html = false, json = false, quiet = false;

  void add_to(CLI::App& command);
  // The summary: as JSON, in these words, or not at all.
  void print_summary(const SweepResult& result, const std::string& description) const;
  // Last: whatever becomes of the page, the table is there and has been summed up.
  void write_page(const SweepResult& result) const;
};

// What a study writes: none of it is something that was read, nor two of it one file.
struct StudyFiles {
  std::filesystem::path h5, csv{};
  std::string role = "result";
  bool has_page = false, has_journal = false, keeps_runs = false;

  void check(Problems& problems) const;
};

// Runs a study; progress and notes go to stderr unless `quiet`.
SweepResult run_study(const Sweep& sweep, SweepOptions options, bool quiet, Problems& problems);

// The exit code; says where what is finished is kept when it was interrupted.
int end_study(const SweepResult& result);

}  // namespace berth

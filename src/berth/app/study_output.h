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

// Where the table of a study goes: not where something is read from, nor where something else lies.
void check_table_file(const std::filesystem::path& h5, const std::filesystem::path& csv,
                      const std::vector<std::string>& inputs, Problems& problems);

// Runs a study; progress and notes go to stderr unless `quiet`.
SweepResult run_study(const Sweep& sweep, SweepOptions options, bool quiet, Problems& problems);

// The exit code; says where what is finished is kept when it was interrupted.
int end_study(const SweepResult& result);

}  // namespace berth

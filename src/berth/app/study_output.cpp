// SPDX-License-Identifier: Apache-2.0
#include "berth/app/study_output.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "berth/analysis/sweep_journal.h"
#include "berth/app/command.h"
#include "berth/app/progress.h"
#include "berth/compile/instructions.h"
#include "berth/program/output_list.h"
#include "berth/program/process.h"
#include "berth/report/page.h"
#include "berth/report/sweep_page.h"

namespace berth {

void StudyOutput::add_to(CLI::App& command) {
  command.add_flag("--no-html", no_html, "write no page");
  command.add_flag("--json", json, "print the summary as one JSON object");
  command.add_flag("--quiet", quiet, "no progress, no summary");
}

void StudyOutput::print_summary(const SweepResult& result, const std::string& description) const {
  if (json) {
    print(to_json(result) + "\n");
  } else if (!quiet) {
    print(description);
  }
}

void StudyOutput::write_page(const SweepResult& result) const {
  if (result.h5.empty() || no_html) return;
  const std::filesystem::path page = find_page_of(result.h5);
  write_sweep_page(result.h5, page);
  if (!quiet && !json) print(fmt::format("  page in {}\n", page.string()));
}

void StudyFiles::check(Problems& problems) const {
  namespace fs = std::filesystem;
  std::error_code not_there;
  const fs::file_status there = fs::status(h5, not_there);
  if (fs::exists(there) && !fs::is_regular_file(there))
    problems.add(Place{0, 0, "--out"}, "", fmt::format("{} is not an ordinary file", h5.string()));
  OutputList outputs;
  outputs.add("--out", role, h5);
  if (has_journal) outputs.add("--out", "journal", find_journal_of(h5));
  if (has_page) outputs.add("--out", "page", find_page_of(h5));
  outputs.add("--csv", "table", csv);
  if (keeps_runs) outputs.add_kept_runs(h5);
  outputs.check(problems);
}

SweepResult run_study(const Sweep& sweep, SweepOptions options, bool quiet, Problems& problems) {
  if (options.computing != Computing::interpret) {
    try {
      choose_instructions();
    } catch (const std::invalid_argument& e) {
      problems.add(Place{0, 0, "BERTH_INSTRUCTIONS"}, "", e.what());
      return {};
    }
  }
  CaseProgress progress(!quiet);
  options.interrupted = is_asked_to_end;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.show(done, total); };
  SweepResult result = run_sweep(sweep, options, problems);
  progress.end();
  if (problems.empty() && !quiet && !result.note.empty()) complain("note: {}\n", result.note);
  return result;
}

int end_study(const SweepResult& result) {
  if (result.complete()) return kDone;
  complain(
      "Interrupted: {} of {} cases are done{}\n", result.finished, result.range.size(),
      result.journal.empty()
          ? ""
          : fmt::format(" and kept in {}; the same command goes on from there", result.journal));
  return kStopped;
}

}  // namespace berth

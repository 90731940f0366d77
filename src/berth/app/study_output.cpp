// SPDX-License-Identifier: Apache-2.0
#include "berth/app/study_output.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "berth/app/command.h"
#include "berth/app/progress.h"
#include "berth/compile/instructions.h"
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

void check_table_file(const std::filesystem::path& h5, const std::filesystem::path& csv,
                      const std::vector<std::string>& inputs, Problems& problems) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    problems.add(Place{0, 0, "--out"}, "", fmt::format("{} {}", h5.string(), why));
  };
  std::error_code not_there;
  for (const std::string& input : inputs)
    if (fs::equivalent(h5, input, not_there))
      refuse(inputs.size() == 1 ? "is the scenario itself" : "is one of the parts");
  if (csv == h5) refuse("is the name of the table too");
  const fs::file_status there = fs::status(h5, not_there);
  if (fs::exists(there) && !fs::is_regular_file(there)) refuse("is not an ordinary file");
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
  options.interrupted = [] { return g_signal != 0; };
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

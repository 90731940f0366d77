// SPDX-License-Identifier: Apache-2.0
#include "berth/app/sweep_command.h"

#include <CLI/CLI.hpp>

#include "berth/analysis/sweep.h"
#include "berth/app/progress.h"
#include "berth/report/page.h"
#include "berth/report/sweep_page.h"

namespace berth {

CLI::App& SweepCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("sweep", "run many cases of a scenario, on all cores");
  file.add_to(c);
  c.add_option("--vary", vary,
               "KEY=log(a,b,n) | lin(a,b,n) | [v1,v2,…] | normal(mean,deviation) | uniform(a,b); "
               "several make a grid")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  c.add_option("--samples", samples, "how often random keys are drawn")
      ->check(CLI::Range(std::uint64_t{1}, kMostCases));
  c.add_option("--seed", seed, "of what is random; default 1, or what [sweep] says");
  c.add_option("--collect", collect,
               "summary values to keep: audit.energy,final.* …; default steps.*,audit.*,docks.*")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_option("--map", map, "KEY,KEY: share of cases as expected over two keys")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_option("-o,--out", out, "result file; default: NAME_sweep.h5 here");
  c.add_flag("--csv", with_csv, "write the table as CSV too");
  c.add_flag("--no-html", no_html, "write no page");
  c.add_option("--threads", threads, "default: all cores")->check(CLI::Range(1, 1024));
  add_computing(c, computing);
  c.add_flag("--fresh", fresh, "start over: discard what an unfinished sweep left");
  c.add_flag("--json", json, "print the summary as one JSON object");
  c.add_flag("--quiet", quiet, "no progress, no summary");
  return c;
}

int SweepCommand::run() {
  namespace fs = std::filesystem;
  SweepOptions options;
  options.h5 = out.empty() ? fs::path(file.file).stem().string() + "_sweep.h5" : out;
  if (with_csv) options.csv = fs::path(options.h5).replace_extension(".csv");
  options.threads = threads;
  options.computing = computing;
  options.fresh = fresh;
  options.interrupted = [] { return g_signal != 0; };

  // All that is wrong with the command and the scenario, before anything runs.
  Problems problems{file.file, {}};
  const auto refuse_out = [&](const std::string& why) {
    problems.add(Place{0, 0, "--out"}, "", fmt::format("{} {}", options.h5.string(), why));
  };
  std::error_code not_there;
  if (fs::equivalent(options.h5, file.file, not_there)) refuse_out("is the scenario itself");
  if (options.csv == options.h5) refuse_out("is the name of the table too");
  const fs::file_status there = fs::status(options.h5, not_there);
  if (fs::exists(there) && !fs::is_regular_file(there)) refuse_out("is not an ordinary file");
  const Sweep sweep = build_sweep(file.file,
                                  {.vary = vary,
                                   .settings = file.overrides,
                                   .samples = samples,
                                   .seed = seed,
                                   .collect = collect,
                                   .map = map},
                                  problems);
  if (!problems.empty()) return refuse(problems);

  if (computing != Computing::interpret) {
    try {
      choose_instructions();
    } catch (const std::invalid_argument& e) {
      problems.add(Place{0, 0, "BERTH_INSTRUCTIONS"}, "", e.what());
      return refuse(problems);
    }
  }

  CaseProgress progress(!quiet);
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.show(done, total); };
  const SweepResult result = run_sweep(sweep, options, problems);
  progress.end();
  if (!problems.empty()) return refuse(problems);
  if (!quiet && !result.note.empty()) complain("note: {}\n", result.note);
  if (json) {
    print(to_json(sweep, result) + "\n");
  } else if (!quiet) {
    print(describe(sweep, result));
  }
  // Last, and reported last: whatever becomes of the page, the table is there and has been summed up.
  if (!result.h5.empty() && !no_html) {
    const fs::path page = find_page_of(result.h5);
    write_sweep_page(result.h5, page);
    if (!quiet && !json) print(fmt::format("  page in {}\n", page.string()));
  }
  if (result.complete()) return kDone;
  complain(
      "Interrupted: {} of {} cases are done{}\n", result.finished, result.results.size(),
      result.journal.empty()
          ? ""
          : fmt::format(" and kept in {}; the same command goes on from there", result.journal));
  return kStopped;
}

}  // namespace berth

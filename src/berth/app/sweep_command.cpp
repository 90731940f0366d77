// SPDX-License-Identifier: Apache-2.0
#include "berth/app/sweep_command.h"

#include <charconv>
#include <mutex>

#include <CLI/CLI.hpp>

#include "berth/analysis/kept_runs.h"
#include "berth/analysis/sweep_merge.h"
#include "berth/ensemble/threads.h"
#include "berth/program/process.h"
#include "berth/record/input_file.h"
#include "berth/report/page.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

// "3/64"
std::optional<SweepPart> read_part(const std::string& text, Problems& problems) {
  SweepPart part;
  const std::size_t slash = text.find('/');
  const auto read = [&](std::size_t from, std::size_t to, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, number);
    return error == std::errc{} && end == text.data() + to;
  };
  if (slash == std::string::npos || !read(0, slash, part.k) ||
      !read(slash + 1, text.size(), part.n) || part.k < 1 || part.k > part.n ||
      part.n > kMostCases) {
    problems.add(Place{0, 0, "--part"}, "",
                 fmt::format("\"{}\": write it as 3/64, from 1/64 to 64/64", text));
    return std::nullopt;
  }
  return part;
}

// Records cases in full; how many there were.
std::size_t keep_cases(const KeptRuns& wanted, const SweepResult& result, bool with_pages,
                       Problems& problems) {
  const std::vector<std::uint64_t> cases = choose_kept_runs(wanted, result, problems);
  std::mutex mutex;
  for_each_in_threads(cases.size(), 0, [&](std::size_t i) {
    if (is_asked_to_end()) return;
    Problems own;
    record_case(result.h5, cases[i], is_asked_to_end, own);
    const fs::path file = find_case_file(result.h5, cases[i]);
    if (own.empty() && with_pages && fs::exists(file)) write_page({file}, find_page_of(file));
    const std::scoped_lock lock(mutex);
    problems.list.insert(problems.list.end(), own.list.begin(), own.list.end());
  });
  return cases.size();
}

}  // namespace

CLI::App& SweepCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("sweep", "run many cases of a scenario, on all cores");
  file.add_to(c);
  c.add_option("--vary", vary,
               "KEY=log(a,b,n) | lin(a,b,n) | [v1,v2,…] | normal(mean,deviation) | uniform(a,b) | "
               "truncated_normal | lognormal | triangular | discrete | table; several make a grid")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  c.add_option("--samples", samples, "how often random keys are drawn")
      ->check(CLI::Range(std::uint64_t{1}, kMostCases));
  c.add_option("--seed", seed, "of what is random; default 1, or what [sweep] says");
  c.add_option("--design", design, "how they are drawn: random | lhs | sobol | halton");
  c.add_flag("--indices", indices,
             "Sobol's indices of every random key: samples × (keys + 2) cases");
  c.add_option("--until", until,
               "stop when sure: 'captured ±0.5 % at 95 %'; --samples is the most then");
  c.add_option(
      "--rare", rare,
      "probability of what hardly happens: 'contacts.tip.force_peak > 400'; --samples a level");
  c.add_option("--boundary", boundary,
               "KEY,KEY: contours of 50, 95 and 99 % as expected; --samples at each node")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_option(
       "--collect", collect,
       "summary values to keep: audit.energy,final.* …; default steps, audits, docks, contacts")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_option("--bands", bands, "channels to keep over time, for percentile bands")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_option("--map", map, "KEY,KEY: share of cases as expected over two keys")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_option("--part", part, "K/N: this part of the cases alone; berth merge joins them");
  c.add_option("--keep-runs", keep_runs,
               "failed | worst:10 | worst:10:COLUMN: record these cases in full, with their pages");
  c.add_option("-o,--out", out, "result file; default: NAME_sweep.h5 here");
  c.add_flag("--csv", with_csv, "write the table as CSV too");
  c.add_option("--threads", threads, "default: all cores")->check(CLI::Range(1, 1024));
  add_computing(c, computing);
  c.add_flag("--fresh", fresh, "start over: discard what an unfinished sweep left");
  output.add_to(c);
  return c;
}

int SweepCommand::run() {
  SweepOptions options;
  options.threads = threads;
  options.computing = computing;
  options.fresh = fresh;

  // All that is wrong with the command and the scenario, before anything runs.
  Problems problems{file.file, {}};
  SweepRequest request{.vary = vary,
                       .settings = file.overrides,
                       .samples = samples,
                       .seed = seed,
                       .collect = collect,
                       .map = map,
                       .finds_indices = indices,
                       .bands = bands,
                       .until = until,
                       .rare = rare,
                       .boundary = boundary};
  if (!part.empty()) request.part = read_part(part, problems).value_or(SweepPart{});
  if (!design.empty()) {
    request.design = find_design(design);
    if (!request.design)
      problems.add(Place{0, 0, "--design"}, "",
                   fmt::format("no design {}: there is random, lhs, sobol and halton", design));
  }
  std::optional<KeptRuns> kept;
  if (!keep_runs.empty()) kept = read_kept_runs(keep_runs, problems);
  const std::string stem = fs::path(file.file).stem().string() + "_sweep";
  options.h5 = !out.empty()              ? out
               : request.part.is_whole() ? stem + ".h5"
                                         : fmt::format("{}_part{}.h5", stem, request.part.k);
  if (with_csv) options.csv = fs::path(options.h5).replace_extension(".csv");
  const Sweep sweep = build_sweep(file.file, request, problems);
  StudyFiles{.h5 = options.h5,
             .csv = options.csv,
             .has_page = !output.no_html,
             .has_journal = true,
             .keeps_runs = kept.has_value()}
      .check(problems);
  if (!problems.empty()) return refuse(problems);

  const SweepResult result = run_study(sweep, options, output.quiet, problems);
  if (!problems.empty()) return refuse(problems);
  output.print_summary(result, describe(result));
  if (kept && result.complete()) {
    const std::size_t count = keep_cases(*kept, result, !output.no_html, problems);
    if (!problems.empty()) return refuse(problems);
    if (!output.quiet && !output.json)
      print(fmt::format("  {} cases recorded in full, as {}_caseN.h5\n", count,
                        fs::path(result.h5).replace_extension().string()));
  }
  output.write_page(result);
  return end_study(result);
}

CLI::App& MergeCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("merge", "join the parts of a sweep");
  c.add_option("PARTS", parts, "files of berth sweep --part, in any order")->required();
  c.add_option("-o,--out", out, "result file")->required();
  c.add_flag("--csv", with_csv, "write the table as CSV too");
  output.add_to(c);
  return c;
}

int MergeCommand::run() {
  MergeOptions options{.parts = {parts.begin(), parts.end()}, .h5 = out};
  if (with_csv) options.csv = fs::path(options.h5).replace_extension(".csv");
  Problems problems;
  for (const std::string& part : parts) note_input("part", part);
  StudyFiles{.h5 = options.h5, .csv = options.csv, .has_page = !output.no_html}.check(problems);
  if (!problems.empty()) return refuse(problems);
  const MergeResult merged = merge_sweeps(options, problems);
  if (!problems.empty()) return refuse(problems);
  output.print_summary(merged.result, describe(merged.result));
  for (const std::string& part : merged.missing) complain("missing: {}\n", part);
  if (!merged.missing.empty()) {
    complain("Nothing was written: {} not there yet\n",
             merged.missing.size() == 1 ? "one part is"
                                        : fmt::format("{} parts are", merged.missing.size()));
    return kStopped;
  }
  output.write_page(merged.result);
  return kDone;
}

}  // namespace berth

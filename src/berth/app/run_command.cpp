// SPDX-License-Identifier: Apache-2.0
#include "berth/app/run_command.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "berth/analysis/check.h"
#include "berth/app/browser.h"
#include "berth/app/progress.h"
#include "berth/ensemble/solo_server.h"
#include "berth/program/output_list.h"
#include "berth/program/process.h"
#include "berth/record/csv_writer.h"
#include "berth/report/page.h"
#include "berth/simulate.h"
#include "berth/simulate/input_log.h"
#include "berth/simulate/participants.h"

namespace berth {
CLI::App& RunCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("run", "run a scenario, or a result once more, and record it");
  file.add_to(c);
  c.add_option("-o,--out", out, "result file; default: NAME.h5 here");
  c.add_flag("--no-out", no_out, "write no result file and no page");
  c.add_flag("--no-html", no_html, "write no page");
  c.add_flag("--open", open, "show the page in a browser");
  c.add_flag("--csv", with_csv, "write a table too: NAME.csv");
  c.add_flag("--json", json, "print the summary as one JSON object");
  c.add_option("--at", at, "sample every channel at these times [s]")->delimiter(',');
  add_computing(c, computing);
  c.add_flag("--quiet", quiet, "no progress, no summary");
  c.add_option("--case", number, "run this case of a sweep: FILE is its result, SWEEP.h5");
  return c;
}

int RunCommand::run() {
  if (open && (no_out || no_html)) {
    complain("--open  there is no page with {}\n", no_out ? "--no-out" : "--no-html");
    return kBadInput;
  }
  const bool is_result = !number && std::filesystem::path(file.file).extension() == ".h5";
  std::shared_ptr<RecordedInputs> recorded;
  const std::optional<Loaded> loaded = number      ? load_case(file, *number)
                                       : is_result ? load_result(file, recorded)
                                                   : load(file);
  if (!loaded) return kBadInput;
  for (double t : at)
    if (!(t >= 0 && t <= loaded->scenario.time.stop)) {
      complain("--at  {} is not between 0 and the end of the run ({} s)\n", t,
               loaded->scenario.time.stop);
      return kBadInput;
    }
  std::filesystem::path name = std::filesystem::path(file.file).stem();
  if (number) name += fmt::format("_case{}", *number);
  if (is_result) name += "_again";
  SimulateOptions options;
  if (!no_out) options.h5 = out.empty() ? name.string() + ".h5" : out;
  if (with_csv)
    options.csv = (out.empty() ? name : std::filesystem::path(out)).replace_extension(".csv");
  const std::filesystem::path page =
      no_out || no_html ? std::filesystem::path() : find_page_of(options.h5);
  OutputList outputs;
  outputs.add("--out", "result", options.h5);
  outputs.add("--out", "page", page);
  outputs.add("--csv", "table", options.csv);
  if (with_csv)
    for (const RecordGroupSpec& group : loaded->scenario.record.group)
      outputs.add("--csv", "table", find_group_table(options.csv, group.name));
  Problems problems{file.file, {}};
  outputs.check(problems);
  if (!problems.empty()) return refuse(problems);
  options.at = at;
  std::optional<InputLog> inputs;
  if (recorded) {
    // Who took part from outside is in the file.
    const LiveSpec live = loaded->scenario.live.value_or(LiveSpec{});
    const auto externals = list_externals(
        loaded->built.system, HybridRun(loaded->built.system, loaded->built.options).channels());
    std::size_t served = 0;
    for (std::size_t k = 0; k < externals.size(); ++k)
      if (externals[k].name == live.external) served = k;
    inputs.emplace(externals.at(served).commands);
    recorded->log_to(&*inputs, live.apply == Apply::arrival);
    options.inputs = &*inputs;
    options.sources.resize(served + 1);
    options.sources[served] = recorded;
  }
  options.interrupted = is_asked_to_end;
  // What seems unwise is said before the work, not after it.
  std::vector<std::string> reported;
  if (!quiet) reported = check(loaded->scenario, loaded->built).warnings;
  for (const std::string& w : reported) complain("warning: {}\n", w);
  Progress progress(loaded->scenario.time.stop, !quiet);
  options.progress = [&](double t) { progress.show(t); };
  SoloServer server(computing);
  options.server = &server;
  if (computing == Computing::compile && !server.note().empty())
    complain("warning: {}\n", server.note());
  Summary summary = simulate(loaded->scenario, loaded->built, options);
  progress.end();
  if (json) {
    print(to_json(summary, true) + "\n");
  } else if (!quiet) {
    std::erase_if(summary.warnings, [&](const std::string& w) {
      return std::find(reported.begin(), reported.end(), w) != reported.end();
    });
    print_painted(describe(summary));
    if (!summary.samples.empty()) print("\n" + describe_samples(summary));
  }
  // Last, and reported last: whatever becomes of the page, the result is there and has been summed
  // up.
  if (!page.empty()) write_page({options.h5}, page);
  if (!page.empty() && !quiet && !json) print(fmt::format("  page in {}\n", page.string()));
  if (open) open_in_browser(std::filesystem::absolute(page).string());
  return summary.as_expected() ? kDone : kStopped;
}

}  // namespace berth

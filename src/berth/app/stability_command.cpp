// SPDX-License-Identifier: Apache-2.0
#include "berth/app/stability_command.h"

#include <CLI/CLI.hpp>

#include "berth/analysis/closed_loop.h"
#include "berth/analysis/stability.h"
#include "berth/analysis/stability_map.h"
#include "berth/program/output_list.h"
#include "berth/program/process.h"
#include "berth/record/part_file.h"

namespace berth {

CLI::App& StabilityCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("stability", "how late the force of a contact may come back");
  file.add_to(c);
  c.add_option("--map", map, "two inputs: KEY=lin(a,b,n), log(a,b,n) or [v1,v2,…] each")
      ->expected(2);
  c.add_option("--by", by, "of a map: closed (default) | roots | simulation");
  c.add_option("--csv", csv, "write the map as a table");
  c.add_flag("--json", json, "print JSON");
  c.add_flag("--quiet", quiet, "no progress");
  return c;
}

int StabilityCommand::run() {
  if (!map.empty()) return run_map();
  if (by != "closed" || !csv.empty()) {
    complain("berth: --by and --csv belong to --map\n");
    return kBadInput;
  }
  std::optional<Loaded> loaded = load(file);
  if (!loaded) return kBadInput;
  Problems problems{file.file, {}};
  const std::string given = find_given_contact_name(loaded->scenario);
  const std::string& wanted = loaded->scenario.stability.contact.name;
  if (!given.empty() && (wanted.empty() || wanted == given)) {
    const LoopBlock loop = *find_loop_block(loaded->scenario, given);
    loaded->scenario = close_loop(loaded->scenario, given, loop);
    loaded->built = build_scenario(loaded->scenario, problems);
    if (!problems.empty()) return refuse(problems);
    if (!json && !quiet)
      print(fmt::format(
          "The force of {} is given from outside: taken as that of its law, {:.6g} ms late, "
          "every {:.6g} ms.\n",
          given, 1e3 * loop.delay, 1e3 * loop.sample_time));
  }
  StabilityOptions options;
  options.interrupted = is_asked_to_end;
  const StabilityResult result = find_stability(loaded->scenario, loaded->built, options, problems);
  if (!problems.empty()) return refuse(problems);
  if (is_asked_to_end()) return kStopped;
  print(json ? to_json(result) + "\n" : describe(result));
  return kDone;
}

int StabilityCommand::run_map() {
  MapOptions options;
  options.by = by;
  options.interrupted = is_asked_to_end;
  StatusLine line(!quiet);
  if (line.is_shown())
    options.progress = [&](std::uint64_t done, std::uint64_t all) {
      if (done % 32 == 0 || done == all) line.show(fmt::format("{} of {} points", done, all));
    };
  Problems problems;
  // Read for what it includes: the table is none of that.
  if (!csv.empty()) {
    problems = read_scenario(file.file, file.overrides).problems;
    OutputList outputs;
    outputs.add("--csv", "table", csv);
    outputs.check(problems);
    if (!problems.empty()) return refuse(problems);
  }
  const StabilityMap result = find_stability_map(file.file, file.overrides, map, options, problems);
  line.clear();
  if (!problems.empty()) return refuse(problems);
  if (!csv.empty() && result.complete) {
    PartFile table(csv);
    table.write(to_csv(result));
    table.keep();
  }
  print(json ? to_json(result) + "\n" : describe(result));
  return is_asked_to_end() ? kStopped : kDone;
}

}  // namespace berth

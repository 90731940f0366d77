// SPDX-License-Identifier: Apache-2.0
#include "berth/app/compare_command.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "berth/analysis/compare.h"

namespace berth {

CLI::App& CompareCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("compare", "run every formulation of a scenario side by side");
  file.add_to(c);
  c.add_option("--over", over, "what is varied: enforce, integrator, or both; default enforce")
      ->delimiter(',')
      ->allow_extra_args(false);
  c.add_flag("--steppers", steppers,
             "methods that step differently too: order, energy and momentum against time");
  c.add_flag("--json", json, "print JSON");
  c.add_flag("--quiet", quiet, "no progress");
  return c;
}

int CompareCommand::run() {
  CompareOptions options;
  options.over = over;
  options.steppers = steppers;
  options.interrupted = [] { return g_signal != 0; };
  const bool shows = !quiet && isatty(STDERR_FILENO) != 0;
  if (shows)
    options.progress = [](const std::string& what) { complain("\r\033[Krunning {} …", what); };
  const Comparison result = compare(file.file, file.overrides, options);
  if (shows) complain("\r\033[K");
  if (!result.problems.empty()) {
    refuse(result.problems);
    return kBadInput;
  }
  print(json ? to_json(result) + "\n" : describe(result));
  return g_signal != 0 ? kStopped : kDone;
}

}  // namespace berth

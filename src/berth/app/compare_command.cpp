// SPDX-License-Identifier: Apache-2.0
#include "berth/app/compare_command.h"

#include <CLI/CLI.hpp>

#include "berth/analysis/compare.h"
#include "berth/program/process.h"

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
  options.interrupted = is_asked_to_end;
  StatusLine line(!quiet);
  options.progress = [&](const std::string& what) { line.show(fmt::format("running {} …", what)); };
  const Comparison result = compare(file.file, file.overrides, options);
  line.clear();
  if (!result.problems.empty()) {
    refuse(result.problems);
    return kBadInput;
  }
  print(json ? to_json(result) + "\n" : describe(result));
  return is_asked_to_end() ? kStopped : kDone;
}

}  // namespace berth

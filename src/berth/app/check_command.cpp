// SPDX-License-Identifier: Apache-2.0
#include "berth/app/check_command.h"

#include <CLI/CLI.hpp>

#include "berth/analysis/check.h"

namespace berth {

CLI::App& CheckCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("check", "validate a scenario and show what it describes");
  file.add_to(c);
  c.add_flag("--json", json, "print JSON");
  return c;
}

int CheckCommand::run() {
  const std::optional<Loaded> loaded = load(file);
  if (!loaded) return kBadInput;
  const CheckResult result = check(loaded->scenario, loaded->built);
  print(json ? to_json(result) + "\n" : describe(result));
  return kDone;
}

}  // namespace berth

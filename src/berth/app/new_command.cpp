// SPDX-License-Identifier: Apache-2.0
#include "berth/app/new_command.h"

#include <CLI/CLI.hpp>

#include "berth/record/part_file.h"
#include "berth/scenario/describe.h"

namespace berth {
namespace {

// One line for each scenario there is to start from.
std::string list_scenarios() {
  std::string out;
  for (const std::string& name : built_in_scenarios()) {
    const ReadScenario read =
        read_scenario_text(find_built_in("scenarios/" + name).value_or(""), name);
    out += fmt::format("{:<34} {}\n", name, read.scenario.title);
  }
  return out;
}

}  // namespace

CLI::App& NewCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("new", "write a commented scenario to start from");
  c.add_option("NAME", name, "of the new file, without .toml");
  c.add_option("--from", from, "scenario to start from; default: docking. --list shows them");
  c.add_flag("--list", list, "show the scenarios to start from, a line each");
  return c;
}

int NewCommand::run() {
  if (list) {
    print(list_scenarios());
    return kDone;
  }
  const auto text = find_built_in("scenarios/" + from);
  if (!text) {
    const std::vector<std::string> names = built_in_scenarios();
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view near = find_nearest(from, views);
    complain("no scenario {}; {}\n", from,
             near.empty() ? "berth new --list shows those there are"
                          : fmt::format("did you mean {}?", near));
    return kBadInput;
  }
  if (name.empty()) {
    complain("NAME of the new file is missing; berth new --list shows what to start from\n");
    return kBadInput;
  }
  const std::filesystem::path path =
      name.ends_with(".toml") ? std::filesystem::path(name) : std::filesystem::path(name + ".toml");
  if (std::filesystem::exists(path)) {
    complain("{} is there already; it is not overwritten\n", path.string());
    return kBadInput;
  }
  PartFile file(path);
  file.write(*text);
  file.keep();
  print(fmt::format("Wrote {}. Next: berth check {}, berth run {}\n", path.string(), path.string(),
                    path.string()));
  return kDone;
}

}  // namespace berth

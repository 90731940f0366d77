// SPDX-License-Identifier: Apache-2.0
#include "berth/app/describe_command.h"

#include <CLI/CLI.hpp>

#include "berth/interruption.h"
#include "berth/run/run.h"
#include "berth/scenario/describe.h"

namespace berth {

CLI::App& DescribeCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("describe", "the inputs of every part; the channels of a file");
  c.add_option("PART", what, "a table or part, or `channels`");
  c.add_option("FILE", file, "with channels: the scenario");
  c.add_option("--set", overrides, "change an input: table.name.key=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  return c;
}

int DescribeCommand::run() {
  if (what.empty()) {
    print(describe_all());
    return kDone;
  }
  if (what == "channels") return show_channels();
  if (const auto text = describe_one(what)) {
    print(*text);
    return kDone;
  }
  const std::vector<std::string> names = describable();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = find_nearest(what, views);
  complain("there is no table or part named {}{}\n", what,
           near.empty() ? "; berth describe lists them" : fmt::format("; did you mean {}?", near));
  return kBadInput;
}

int DescribeCommand::show_channels() {
  if (file.empty()) {
    complain("berth describe channels FILE: which file?\n");
    return kBadInput;
  }
  const std::optional<Loaded> loaded = load({file, overrides});
  if (!loaded) return kBadInput;
  const HybridRun any(loaded->built.system, loaded->built.options);
  for (const Channel& c : any.channels().list()) {
    stop_if_interrupted();
    print(fmt::format("{:<40} {:<10} {:<3} {}\n", c.name, "[" + c.unit + "]", c.frame,
                      c.description));
  }
  return kDone;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// The program `berth`. Exit codes: 0 done and expectations met; 1 the run stopped early, an
// expectation failed or a file could not be written; 2 bad input.

#include <algorithm>
#include <new>
#include <tuple>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "berth/app/check_command.h"
#include "berth/app/compare_command.h"
#include "berth/app/describe_command.h"
#include "berth/app/export_command.h"
#include "berth/app/facility_command.h"
#include "berth/app/film_command.h"
#include "berth/app/help_command.h"
#include "berth/app/linearise_command.h"
#include "berth/app/live_command.h"
#include "berth/app/new_command.h"
#include "berth/app/optimise_command.h"
#include "berth/app/report_command.h"
#include "berth/app/run_command.h"
#include "berth/app/stability_command.h"
#include "berth/app/sweep_command.h"
#include "berth/app/verify_command.h"
#include "berth/app/watch_command.h"
#include "berth/interruption.h"
#include "berth/program/console.h"
#include "berth/program/last_resort.h"
#include "berth/program/process.h"
#include "berth/record/record_error.h"
#include "berth/scenario/describe.h"
#include "berth/version.h"

namespace berth {
namespace {

// In the order of --help.
using Commands = std::tuple<RunCommand, WatchCommand, LiveCommand, FacilityCommand, CheckCommand,
                            DescribeCommand, NewCommand, CompareCommand, SweepCommand, MergeCommand,
                            OptimiseCommand, StabilityCommand, LineariseCommand, ModesCommand,
                            ExportCommand, ReportCommand, PlotCommand, FilmCommand, VerifyCommand,
                            CompletionCommand, ManCommand>;

// A first word that is no command, with the nearest that is.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const bool is_option = argc < 2 || argv[1][0] == '-';
  if (is_option || std::find(names.begin(), names.end(), argv[1]) != names.end())
    return std::nullopt;
  if (std::string_view(argv[1]) == "gallery")
    return "no command gallery; the figures of the papers are drawn by berth_gallery";
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = find_nearest(argv[1], views);
  return fmt::format("no command {}; {}", argv[1],
                     near.empty() ? fmt::format("there is {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean {}?", near));
}

int run_arguments(int argc, char** argv) {
  CLI::App app("berth simulates spacecraft docking from first touch to servicing.", "berth");
  app.set_version_flag("--version", std::string("berth ") + version);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  int code = kDone;
  Commands commands;
  const auto add = [&](auto& command) {
    command.add_to(app).callback([&] { code = command.run(); });
  };
  std::apply([&](auto&... all) { (add(all), ...); }, commands);
  try {
    app.parse(argc, argv);
    return code;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    complain("berth: {}\n", unknown_command(app, argc, argv).value_or(e.what()));
    complain("berth --help shows what it can do\n");
    return kBadInput;
  } catch (const Interrupted&) {
    complain("berth: interrupted\n");
    return kStopped;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    complain("berth: {}\n", e.what());
    return kStopped;
  }
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  try {
    berth::prepare_process();
    return berth::end_output(berth::run_arguments(argc, argv));
  } catch (const std::bad_alloc&) {
    return berth::end_without_memory();
  }
}

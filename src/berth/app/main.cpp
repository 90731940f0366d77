// SPDX-License-Identifier: Apache-2.0

// The program `berth`. Exit codes: 0 done and expectations met; 1 the run stopped early, an
// expectation failed or a file could not be written; 2 bad input.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "berth/analysis/check.h"
#include "berth/app/command.h"
#include "berth/app/compare_command.h"
#include "berth/app/gallery_command.h"
#include "berth/app/progress.h"
#include "berth/app/report_command.h"
#include "berth/app/stability_command.h"
#include "berth/app/sweep_command.h"
#include "berth/record/part_file.h"
#include "berth/record/record_error.h"
#include "berth/report/page.h"
#include "berth/scenario/describe.h"
#include "berth/simulate.h"
#include "berth/version.h"

namespace berth {
namespace {

struct RunCommand {
  FileOptions file;
  std::string out, csv;
  std::vector<double> at;
  bool json = false, quiet = false, with_csv = false, no_out = false, no_html = false;
  std::optional<std::int64_t> number;  // of a case

  void add_to(CLI::App& app) {
    CLI::App& c = *app.add_subcommand("run", "run a scenario and record it");
    file.add_to(c);
    c.add_option("--out", out, "result file; default: NAME.h5 here");
    c.add_flag("--no-out", no_out, "write no result file and no page");
    c.add_flag("--no-html", no_html, "write no page");
    c.add_flag("--csv", with_csv, "write a table too: NAME.csv");
    c.add_flag("--json", json, "print the summary as one JSON object");
    c.add_option("--at", at, "sample every channel at these times [s]")->delimiter(',');
    c.add_flag("--quiet", quiet, "no progress, no summary");
    c.add_option("--case", number, "run this case of a sweep: FILE is its result, SWEEP.h5");
  }

  int run() {
    const std::optional<Loaded> loaded = number ? load_case(file, *number) : load(file);
    if (!loaded) return kBadInput;
    for (double t : at)
      if (!(t >= 0 && t <= loaded->scenario.time.stop)) {
        complain("--at  {} is not between 0 and the end of the run ({} s)\n", t,
                 loaded->scenario.time.stop);
        return kBadInput;
      }
    std::filesystem::path name = std::filesystem::path(file.file).stem();
    if (number) name += fmt::format("_case{}", *number);
    SimulateOptions options;
    if (!no_out) options.h5 = out.empty() ? name.string() + ".h5" : out;
    std::error_code not_there;
    if (!no_out && std::filesystem::equivalent(options.h5, file.file, not_there)) {
      complain("--out  {} is the {} itself\n", options.h5.string(), number ? "sweep" : "scenario");
      return kBadInput;
    }
    if (with_csv) {
      options.csv = out.empty() ? name : std::filesystem::path(out);
      options.csv.replace_extension(".csv");
      if (options.csv == options.h5) {
        complain("--out  {} is the name of the table too\n", out);
        return kBadInput;
      }
    }
    options.at = at;
    options.interrupted = [] { return g_signal != 0; };
    // What looks unwise is said before the work, not after it.
    std::vector<std::string> told;
    if (!quiet) told = check(loaded->scenario, loaded->story).warnings;
    for (const std::string& w : told) complain("warning: {}\n", w);
    Progress progress(loaded->scenario.time.stop, !quiet);
    options.progress = [&](double t) { progress.show(t); };
    Summary summary = simulate(loaded->scenario, loaded->story, options);
    progress.end();
    if (json) {
      print(to_json(summary, true) + "\n");
    } else if (!quiet) {
      std::erase_if(summary.warnings, [&](const std::string& w) {
        return std::find(told.begin(), told.end(), w) != told.end();
      });
      print(describe(summary));
      if (!summary.samples.empty()) print("\n" + describe_samples(summary));
    }
    // Last, and told last: whatever becomes of the page, the result is there and has been summed up.
    const std::filesystem::path page = write_page_of(options);
    if (!page.empty() && !quiet && !json) print(fmt::format("  page in {}\n", page.string()));
    return summary.as_expected() ? kDone : kStopped;
  }

  // Beside the result; nothing when none is wanted.
  std::filesystem::path write_page_of(const SimulateOptions& options) const {
    if (options.h5.empty() || no_html) return {};
    std::filesystem::path page = options.h5;
    page.replace_extension(".html");
    if (page == options.h5) page += ".html";
    write_page({options.h5}, page);
    return page;
  }
};

struct CheckCommand {
  FileOptions file;
  bool json = false;

  void add_to(CLI::App& app) {
    CLI::App& c = *app.add_subcommand("check", "validate a scenario and show what it describes");
    file.add_to(c);
    c.add_flag("--json", json, "print JSON");
  }
  int run() {
    const std::optional<Loaded> loaded = load(file);
    if (!loaded) return kBadInput;
    const CheckResult result = check(loaded->scenario, loaded->story);
    print(json ? to_json(result) + "\n" : describe(result));
    return kDone;
  }
};

struct DescribeCommand {
  std::string what, file;
  std::vector<std::string> overrides;

  void add_to(CLI::App& app) {
    CLI::App& c =
        *app.add_subcommand("describe", "the inputs of every part; the channels of a file");
    c.add_option("PART", what, "a table or part, or the word channels");
    c.add_option("FILE", file, "with channels: the scenario");
    c.add_option("--set", overrides, "change an input: table.name.key=VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
  }
  int run() {
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
    fmt::print(
        stderr, "there is no table or part named {}{}\n", what,
        near.empty() ? "; berth describe lists them" : fmt::format("; did you mean {}?", near));
    return kBadInput;
  }
  int show_channels() {
    if (file.empty()) {
      complain("berth describe channels FILE: which file?\n");
      return kBadInput;
    }
    const std::optional<Loaded> loaded = load({file, overrides});
    if (!loaded) return kBadInput;
    const HybridRun driver(loaded->story.system, loaded->story.options);
    for (const Channel& c : driver.channels().list())
      print(fmt::format("{:<40} {:<10} {:<3} {}\n", c.name, "[" + c.unit + "]", c.frame,
                        c.description));
    return kDone;
  }
};

struct NewCommand {
  std::string name, from = "slew";

  void add_to(CLI::App& app) {
    CLI::App& c = *app.add_subcommand("new", "write a commented starter scenario");
    c.add_option("NAME", name, "of the new file, without .toml")->required();
    c.add_option(
        "--from", from,
        "story to start from: " + fmt::format("{}", fmt::join(built_in_scenarios(), ", ")));
  }
  int run() {
    const auto text = find_built_in("scenarios/" + from);
    if (!text) {
      const std::vector<std::string> names = built_in_scenarios();
      const std::vector<std::string_view> views(names.begin(), names.end());
      const std::string_view near = find_nearest(from, views);
      complain("no story {}; {}\n", from,
               near.empty() ? fmt::format("there is {}", fmt::join(names, ", "))
                            : fmt::format("did you mean {}?", near));
      return kBadInput;
    }
    if (name.empty()) {
      complain("NAME is empty\n");
      return kBadInput;
    }
    const std::filesystem::path path = name.ends_with(".toml")
                                           ? std::filesystem::path(name)
                                           : std::filesystem::path(name + ".toml");
    if (std::filesystem::exists(path)) {
      complain("{} is there already; it is not overwritten\n", path.string());
      return kBadInput;
    }
    PartFile file(path);
    file.write(*text);
    file.keep();
    print(fmt::format("Wrote {}. Next: berth check {}, berth run {}\n", path.string(),
                      path.string(), path.string()));
    return kDone;
  }
};

// A first word that is no command, with the nearest that is.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const bool is_option = argc < 2 || argv[1][0] == '-';
  if (is_option || std::find(names.begin(), names.end(), argv[1]) != names.end())
    return std::nullopt;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = find_nearest(argv[1], views);
  return fmt::format("no command {}; {}", argv[1],
                     near.empty() ? fmt::format("there is {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean {}?", near));
}

int run_program(int argc, char** argv) {
  CLI::App app("berth simulates spacecraft docking from first touch to servicing.", "berth");
  app.set_version_flag("--version", std::string("berth ") + version);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  RunCommand run;
  CheckCommand check_it;
  DescribeCommand describe_it;
  NewCommand start;
  CompareCommand compare_them;
  SweepCommand sweep_it;
  run.add_to(app);
  check_it.add_to(app);
  describe_it.add_to(app);
  start.add_to(app);
  compare_them.add_to(app);
  sweep_it.add_to(app);
  StabilityCommand stability;
  stability.add_to(app);
  ReportCommand report;
  report.add_to(app);
  PlotCommand plot;
  plot.add_to(app);
  GalleryCommand gallery;
  gallery.add_to(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    complain("berth: {}\n", unknown_command(app, argc, argv).value_or(e.what()));
    complain("berth --help shows what it can do\n");
    return kBadInput;
  }
  try {
    if (app.got_subcommand("run")) return run.run();
    if (app.got_subcommand("check")) return check_it.run();
    if (app.got_subcommand("describe")) return describe_it.run();
    if (app.got_subcommand("compare")) return compare_them.run();
    if (app.got_subcommand("sweep")) return sweep_it.run();
    if (app.got_subcommand("stability")) return stability.run();
    if (app.got_subcommand("report")) return report.run();
    if (app.got_subcommand("plot")) return plot.run();
    if (app.got_subcommand("gallery")) return gallery.run();
    return start.run();
  } catch (const RecordError& e) {
    complain("berth: {}\n", e.what());
    return kStopped;
  } catch (const std::exception& e) {
    complain("berth: {}\n", e.what());
    return kStopped;
  }
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  // The first signal lets the step in hand finish and the file be closed; a second one kills.
  struct sigaction action = {};
  action.sa_handler = [](int s) { berth::g_signal = s; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file limit or a closed pipe is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  const int code = berth::run_program(argc, argv);
  // A full disk behind stdout must not pass for success.
  if (std::fflush(stdout) != 0 && berth::g_output_error == 0) berth::g_output_error = errno;
  if (berth::g_output_error == 0) return code;
  berth::complain("berth: standard output: {}\n", std::strerror(berth::g_output_error));
  return code == berth::kDone ? berth::kStopped : code;
}

// SPDX-License-Identifier: Apache-2.0
#include "berth/app/watch_command.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include <CLI/CLI.hpp>

#include "berth/app/browser.h"
#include "berth/app/page_server.h"
#include "berth/app/progress.h"
#include "berth/program/output_list.h"
#include "berth/program/process.h"
#include "berth/record/input_file.h"
#include "berth/report/page.h"
#include "berth/simulate.h"

namespace berth {
namespace {

constexpr auto kPause = std::chrono::milliseconds(200);
constexpr std::size_t kMostPage = std::size_t{1} << 30;  // [bytes]

// The scenario with the craft it takes from other files; nothing while a file cannot be read, as
// when an editor is about to replace it.
std::optional<std::string> read_all(const FileOptions& options) {
  Problems problems{options.file, {}};
  const std::optional<std::string> text = read_scenario_file(options.file, problems);
  if (!text) return std::nullopt;
  const std::filesystem::path folder = std::filesystem::path(options.file).parent_path();
  return *text + expand_scenario(*text, options.file, {}, folder, problems);
}

std::string describe_all(const Problems& problems) {
  std::string text;
  for (const Problem& p : problems.list) text += describe(p) + "\n";
  return text;
}

}  // namespace

CLI::App& WatchCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("watch", "run a scenario whenever it is saved; show its page");
  file.add_to(c);
  c.add_option("-o,--out", out, "result file; default: NAME.h5 here, its page beside it");
  c.add_flag("--no-browser", no_browser, "only print the address of the page");
  return c;
}

int WatchCommand::run() {
  SimulateOptions options;
  options.h5 = out.empty() ? std::filesystem::path(file.file).stem().string() + ".h5" : out;
  const std::filesystem::path page = find_page_of(options.h5);
  std::optional<std::string> seen = read_all(file);
  if (!seen) return refuse(read_scenario(file.file, file.overrides).problems);
  OutputList outputs;
  outputs.add("--out", "result", options.h5);
  outputs.add("--out", "page", page);
  Problems problems{file.file, {}};
  outputs.check(problems);
  if (!problems.empty()) return refuse(problems);
  PageServer server;
  print(fmt::format("{}\nThe page follows {} as it is saved; Ctrl-C ends.\n", server.address(),
                    file.file));
  std::fflush(stdout);
  if (!no_browser) open_in_browser(server.address());

  auto checked = std::chrono::steady_clock::now();
  bool stale = true;
  // At most once in a while: a run asks after every step.
  const auto has_changed = [&] {
    if (std::chrono::steady_clock::now() - checked < kPause) return stale;
    checked = std::chrono::steady_clock::now();
    const std::optional<std::string> now = read_all(file);
    if (now && now != seen) seen = now, stale = true;
    return stale;
  };
  while (!is_asked_to_end()) {
    if (!has_changed()) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    stale = false;
    ReadScenario read = read_scenario(file.file, file.overrides);
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    // Each time: what it takes from other files may be others now.
    outputs.check(read.problems);
    if (!read.problems.empty()) {
      refuse(read.problems);
      server.show_problems(describe_all(read.problems));
      continue;
    }
    try {
      Progress progress(read.scenario.time.stop, true);
      options.progress = [&](double t) { progress.show(t); };
      options.interrupted = [&] { return is_asked_to_end() || has_changed(); };
      const Summary summary = simulate(read.scenario, built, options);
      progress.end();
      if (is_asked_to_end() || stale) continue;  // saved again: the next run is what is wanted
      print_painted(describe(summary));
      std::fflush(stdout);
      write_page({options.h5}, page);
      server.show(InputFile(page, "").read(kMostPage));
    } catch (const std::exception& e) {  // a full disk: the next time it is saved may do better
      complain("berth: {}\n", e.what());
      server.show_problems(e.what());
    }
  }
  return kDone;
}

}  // namespace berth

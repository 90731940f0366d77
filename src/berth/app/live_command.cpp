// SPDX-License-Identifier: Apache-2.0
#include "berth/app/live_command.h"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "berth/app/allocations.h"
#include "berth/app/browser.h"
#include "berth/app/live_view.h"
#include "berth/app/progress.h"
#include "berth/app/study_output.h"
#include "berth/ensemble/solo_server.h"
#include "berth/live/hmac.h"
#include "berth/live/identification.h"
#include "berth/live/live_source.h"
#include "berth/live/real_time.h"
#include "berth/program/process.h"
#include "berth/record/part_file.h"
#include "berth/report/page.h"
#include "berth/simulate.h"

namespace berth {
namespace {

// By a rule, or by the other side.
bool was_ended(const Summary& summary) {
  for (const EventRecord& e : summary.events)
    if (e.kind == "external_stop") return true;
  return summary.verdict == "silent";
}

}  // namespace

CLI::App& LiveCommand::add_to(CLI::App& app) {
  CLI::App& c =
      *app.add_subcommand("live", "run a scenario with hardware in the loop, by the clock");
  file.add_to(c);
  c.add_option("--udp", udp, "where the other side listens: HOST:PORT, or PORT of this machine")
      ->required();
  c.add_option("--rate", rate, "ticks a second [Hz]; default: the external's sample_time")
      ->check(CLI::Range(0.001, 100000.0));
  c.add_option("--factor", factor, "simulated seconds in one of the clock; 0.1: slow motion")
      ->check(CLI::Range(1e-6, 1e6));
  c.add_flag("--lockstep", lockstep, "as fast as the other side answers: tick time is its clock");
  c.add_flag("--identify", identify,
             "measure delay and lag of the other side; write the scenario with them as its loop");
  c.add_option("--key", key, "file with a key that both sides share: datagrams are authenticated");
  c.add_option("--wait", wait, "for the other side to be ready [s]")->check(CLI::Range(0.01, 1e6));
  c.add_option("--timeout", timeout, "that an answer may take in lockstep [s]")
      ->check(CLI::Range(0.001, 1e6));
  c.add_option("-o,--out", out, "result file; default: NAME_live.h5 here");
  c.add_flag("--no-out", no_out, "write no result file and no page");
  c.add_flag("--no-html", no_html, "write no page");
  c.add_flag("--page", page,
             "show the run in a browser while it goes on, at an address of this machine");
  c.add_flag("--no-browser", no_browser, "only print the address of that page");
  add_computing(c, computing);
  c.add_flag("--json", json, "print summary and statistics as one JSON object");
  c.add_flag("--quiet", quiet, "no progress, no summary");
  return c;
}

int LiveCommand::run() {
  ReadScenario read = read_scenario(file.file, file.overrides);
  std::optional<LiveSetup> setup;
  if (read.problems.empty())
    setup = build_live(read.scenario, {rate, lockstep || identify}, read.problems);
  if (!setup) return refuse(read.problems);
  LiveOptions options;
  options.lockstep = lockstep;
  options.factor = factor;
  options.wait = wait;
  options.timeout = timeout;
  options.interrupted = is_asked_to_end;
  options.count_allocations = &count_allocations;
  UdpAddress peer;
  try {
    peer = UdpAddress::find(udp);
  } catch (const std::invalid_argument& e) {
    complain("--udp  {}\n", e.what());
    return kBadInput;
  }
  try {
    if (!key.empty()) options.key = read_key(key);
  } catch (const std::runtime_error& e) {
    complain("--key  {}\n", e.what());
    return kBadInput;
  }
  const std::string stem = std::filesystem::path(file.file).stem().string();

  if (identify) {
    LiveSource source(*setup, peer, options, nullptr);
    return run_identification(*setup, source);
  }

  std::shared_ptr<LiveView> view;
  if (page) {
    view = std::make_shared<LiveView>(*setup, options, std::move(read.scenario));
    options.watch = [&view](double t, std::span<const double> acted, const LiveStatistics& s) {
      view->show_tick(t, acted, s);
    };
    complain("page of the run at {}\n", view->address());
    if (!no_browser) open_in_browser(view->address());
  }
  InputLog inputs(setup->layout.commands);
  const auto source = std::make_shared<LiveSource>(*setup, peer, options, &inputs);
  SimulateOptions how;
  if (!no_out) how.h5 = out.empty() ? stem + "_live.h5" : out;
  Problems problems{file.file, {}};
  if (!no_out) StudyFiles{.h5 = how.h5, .has_page = !no_html}.check(problems);
  if (!problems.empty()) return refuse(problems);
  how.queued = !lockstep;
  how.inputs = &inputs;
  how.memory = view;
  how.sources.resize(setup->external + 1);
  how.sources[setup->external] = source;
  Progress progress(setup->scenario.time.stop, !quiet);
  how.progress = [&](double t) { progress.show(t); };
  SoloServer server(computing);
  how.server = &server;
  if (!quiet)
    complain("waiting for {}: {} numbers a tick, {} an answer of external {}\n", peer.text(),
             setup->layout.measure_count(), setup->layout.command_count(), setup->layout.external);
  source->arm();
  if (!lockstep)
    for (const std::string& note : prepare_real_time())
      if (!quiet) complain("note: {}\n", note);
  if (view) view->start();
  source->start();
  const Summary summary = simulate(setup->scenario, setup->built, how);
  source->stop();
  // Ended by a rule: what was measured is there, and it is not what was wanted.
  const bool has_ended = was_ended(summary), as_wanted = summary.as_expected() && !has_ended;
  if (view)
    view->stop(summary.verdict, as_wanted   ? LiveLevel::good
                                : has_ended ? LiveLevel::bad
                                            : LiveLevel::warn);
  progress.end();
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::parse(to_json(summary, true));
    all["live"] = nlohmann::ordered_json::parse(to_json(source->statistics()));
    print(all.dump(2) + "\n");
  } else if (!quiet) {
    print_painted(describe(summary));
    print(describe(source->statistics(), setup->served().sample_time));
  }
  if (!no_out && !no_html) {
    const std::filesystem::path written = find_page_of(how.h5);
    write_page({how.h5}, written);
    if (!quiet && !json) print(fmt::format("  page in {}\n", written.string()));
  }
  return as_wanted ? kDone : kStopped;
}

int LiveCommand::run_identification(const LiveSetup& setup, LiveSource& source) {
  const std::filesystem::path to =
      out.empty() ? std::filesystem::path(file.file).stem().string() + "_loop.toml" : out;
  Problems problems{file.file, {}};
  StudyFiles{.h5 = to, .role = "scenario"}.check(problems);
  if (!problems.empty()) return refuse(problems);
  source.arm();
  source.start();
  std::optional<Progress> progress;
  IdentifiedLoop loop;
  try {
    loop = identify_facility(
        setup, source,
        [&](double t, double end) {
          if (!progress) progress.emplace(end, !quiet);
          progress->show(t);
        },
        problems);
  } catch (const ExternalStop& e) {
    source.stop();
    complain("berth: {}: {}\n", e.verdict, e.what());
    return kStopped;
  }
  source.stop();
  if (progress) progress->end();
  if (!problems.empty()) return refuse(problems);
  if (!quiet) print(describe(loop));
  if (!loop.found.found()) return kStopped;
  PartFile written(to);
  written.write(fmt::format("# The facility as it was identified, in the loop of contact {}.\n\n{}",
                            loop.contact,
                            write_scenario(close_loop(setup.scenario, loop.contact, loop.block))));
  written.keep();
  if (!quiet)
    print(fmt::format("  scenario with this loop in {}: berth stability {} gives its margin\n",
                      to.string(), to.string()));
  return kDone;
}

}  // namespace berth

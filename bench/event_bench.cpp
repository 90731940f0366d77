// SPDX-License-Identifier: Apache-2.0
//
// What it costs to watch: conditions that never come true, and peaks between accepted states. The same
// scenario with and without, in one run.
#include <filesystem>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/gates.h"
#include "berth/run/run.h"
#include "berth/scenario/scenario.h"
#include "tests/support/scenario_files.h"

namespace berth::bench {
namespace {

// A shipped scenario with more events at its end.
BuiltScenario build(const std::string& name, const std::string& events, bool follow_peaks = true,
                    const std::vector<std::string>& settings = {}) {
  const std::filesystem::path file = test::find_scenario_file(name);
  Problems problems{file.string(), {}};
  const std::string text = read_scenario_file(file, problems).value_or("");
  ReadScenario read = read_scenario_text(text + events, name, settings, file.parent_path());
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  if (!read.problems.empty()) throw std::runtime_error(describe(read.problems.list.front()));
  built.options.follow_peaks = follow_peaks;
  return built;
}

void simulate(benchmark::State& timer, const BuiltScenario& built, double seconds) {
  StepCounters counters;
  for (auto _ : timer) {
    HybridRun run(built.system, built.options);
    run.set_events(built.events);
    benchmark::DoNotOptimize(run.advance(seconds));
    counters = run.counters();
  }
  timer.counters["rhs"] = static_cast<double>(counters.rhs);
}

std::string event(const std::string& when) {
  static int number = 0;
  return fmt::format(
      "\n[[event]]\nname = \"never_{}\"\nwhen = \"{}\"\ndo = [{{ stop = \"never\" }}]\n", ++number,
      when);
}
const std::string kMotion = event("target.rate > 100"), kLoad = event("joint.force > 1e6");
std::string ten() {
  std::string all;
  for (int i = 1; i <= 5; ++i)
    all += event(fmt::format("servicer.rate > {}", 100 * i)) +
           event(fmt::format("joint.torque > {}", 1e6 * i));
  return all;
}

void watched(benchmark::State& timer, const std::string& name, const std::string& events,
             double seconds) {
  simulate(timer, build(name, events), seconds);
}
void peaks(benchmark::State& timer, const std::string& name, bool follow, double seconds) {
  simulate(timer, build(name, "", follow), seconds);
}

constexpr auto kUnit = benchmark::kMillisecond;

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const char* name, auto&&... what) {
    benchmark::RegisterBenchmark(name, what...)->Unit(kUnit);
  };
  // Docked craft, whose loads are followed anyway, and craft of which nothing else is asked.
  const std::string docked = "docked_tumble", slew = "slew", tumble = "servicer_tumble", none;
  const std::string free = event("servicer.rate > 100");
  add("watch/none", watched, docked, none, 1200.0);
  add("watch/motion", watched, docked, kMotion, 1200.0);
  add("watch/load", watched, docked, kLoad, 1200.0);
  add("watch/ten", watched, docked, ten(), 1200.0);
  add("watch/slew/none", watched, slew, none, 60.0);
  add("watch/slew/motion", watched, slew, free, 60.0);
  add("watch/tumble/none", watched, tumble, none, 60.0);
  add("watch/tumble/motion", watched, tumble, free, 60.0);
  for (const auto& [name, seconds] : {std::pair<const char*, double>{"docked_tumble", 1200},
                                      {"docked_light", 60},
                                      {"docked_panels", 300},
                                      {"capture_envelope", 90},
                                      {"four_bar", 10}}) {
    for (const bool follow : {false, true})
      add(fmt::format("peaks/{}/{}", name, follow ? "followed" : "ignored").c_str(), peaks,
          std::string(name), follow, seconds);
    gate({fmt::format("{}: peaks followed / ignored", name),
          fmt::format("peaks/{}/followed", name),
          fmt::format("peaks/{}/ignored", name),
          {},
          1.10});
  }
  gate({"a motion condition that never comes true / none", "watch/motion", "watch/none", {}, 1.05});
  gate({"the same, slew", "watch/slew/motion", "watch/slew/none", {}, 1.05});
  gate({"the same, tumble", "watch/tumble/motion", "watch/tumble/none", {}, 1.05});
  gate({"a load condition that never comes true / none", "watch/load", "watch/none", {}, 1.10});
  gate({"ten conditions that never come true / none", "watch/ten", "watch/none", {}, 1.15});
  return true;
}();

}  // namespace
}  // namespace berth::bench

// SPDX-License-Identifier: Apache-2.0
//
// Whole runs by compiled programs: one alone, and many abreast on one core, against the same runs
// interpreted. Programs are compiled, and recorded, before anything is timed.
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "bench/docked_model.h"
#include "bench/gates.h"
#include "berth/analysis/sweep.h"
#include "berth/ensemble/case_server.h"
#include "berth/ensemble/computing.h"
#include "berth/ensemble/ensemble.h"
#include "berth/ensemble/lane_server.h"
#include "berth/run/run.h"
#include "tests/support/scenario_files.h"

namespace berth::bench {
namespace {

RunPrograms& open(std::string_view instructions, int cases_first) {
  static std::vector<OpenedPrograms> all;
  all.push_back(
      open_programs(Computing::compile, {.cases_first = cases_first, .waits = true}, instructions));
  if (!all.back().programs) throw std::runtime_error(all.back().note);
  return *all.back().programs;
}

// --- the docked stack ----------------------------------------------------------------------------

constexpr double kSeconds = 1200, kTolerance = 1e-8;

void run_stack(const System<double>& system, StepServer* server) {
  RunOptions options;
  options.integrator.tolerance = kTolerance;
  HybridRun run(system, options);
  run.serve(server);
  if (!run.advance(kSeconds).completed()) throw std::runtime_error("the stack does not run");
}

template <Enforce enforce>
void stack_alone(benchmark::State& timer) {
  static RunPrograms& programs = open("scalar", 1);
  static LaneServer lane(1);
  const System<double> system = docked_stack(enforce);
  const auto run = [&] {
    CaseServer server(
        programs, [](std::span<LaneRequest> requests) { lane.serve(requests); }, 0);
    run_stack(system, &server);
  };
  run();
  for (auto _ : timer) run();
}
BENCHMARK(stack_alone<Enforce::exact>)
    ->Name("compiled/stack_exact_LEO_1200_s")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(stack_alone<Enforce::fused>)
    ->Name("compiled/stack_fused_LEO_1200_s")
    ->Unit(benchmark::kMillisecond);

constexpr std::size_t kStacks = 32;

template <Enforce enforce>
void stacks_abreast(benchmark::State& timer) {
  static RunPrograms& programs = open({}, 1);
  const System<double> system = docked_stack(enforce);
  const auto run = [&] {
    for_each_abreast(kStacks, 1, &programs,
                     [&](std::size_t, StepServer* server) { run_stack(system, server); });
  };
  run();
  for (auto _ : timer) run();
}
BENCHMARK(stacks_abreast<Enforce::exact>)
    ->Name("abreast/stack_exact_LEO_1200_s")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(7);
BENCHMARK(stacks_abreast<Enforce::fused>)
    ->Name("abreast/stack_fused_LEO_1200_s")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(7);

// --- cases of a sweep ----------------------------------------------------------------------------

struct Cases {
  Sweep sweep;
  ParsedScenario source;

  static Sweep build(const std::string& scenario, const SweepRequest& request) {
    Problems problems;
    Sweep sweep = build_sweep(test::find_scenario_file(scenario), request, problems);
    if (!problems.empty()) throw std::runtime_error(describe(problems.list.front()));
    return sweep;
  }
  Cases(const std::string& scenario, const SweepRequest& request)
      : sweep(build(scenario, request)), source(sweep.source, sweep.file) {}

  void run(RunPrograms* programs) const {
    for_each_abreast(sweep.plan.cases(), 1, programs, [&](std::size_t i, StepServer* server) {
      if (!run_case(sweep, source, sweep.plan.settings(i), server).summary)
        throw std::runtime_error("a case does not run");
    });
  }
};

SweepRequest draw(std::uint64_t samples) {
  SweepRequest request;
  request.samples = samples;
  return request;
}
SweepRequest vary(const std::string& what) {
  SweepRequest request;
  request.vary = {what};
  return request;
}
Cases build_captures() { return {"capture_envelope", draw(512)}; }
Cases build_dockings() { return {"docking", vary("sensor.navigation.seed=lin(1,64,64)")}; }
Cases build_docking() { return {"docking", vary("sensor.navigation.seed=[1]")}; }

template <Cases (*build)()>
void interpreted(benchmark::State& timer) {
  static const Cases cases = build();
  for (auto _ : timer) cases.run(nullptr);
}
template <Cases (*build)()>
void abreast(benchmark::State& timer) {
  static const Cases cases = build();
  static RunPrograms& programs = open({}, 2);
  static const bool is_warm = (cases.run(&programs), true);
  benchmark::DoNotOptimize(is_warm);
  for (auto _ : timer) cases.run(&programs);
}
void docking_alone(benchmark::State& timer) {
  static const Cases cases = build_docking();
  static RunPrograms& programs = open("scalar", 1);
  static LaneServer lane(1);
  const auto run = [] {
    CaseServer server(
        programs, [](std::span<LaneRequest> requests) { lane.serve(requests); }, 0);
    if (!run_case(cases.sweep, cases.source, cases.sweep.plan.settings(0), &server).summary)
      throw std::runtime_error("the docking does not run");
  };
  static const bool is_warm = (run(), true);
  benchmark::DoNotOptimize(is_warm);
  for (auto _ : timer) run();
}
BENCHMARK(interpreted<build_captures>)
    ->Name("interpreted/captures_512")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5);
BENCHMARK(abreast<build_captures>)
    ->Name("abreast/captures_512")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5);
BENCHMARK(interpreted<build_dockings>)
    ->Name("interpreted/dockings_64")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(2);
BENCHMARK(abreast<build_dockings>)
    ->Name("abreast/dockings_64")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(2);
BENCHMARK(interpreted<build_docking>)
    ->Name("interpreted/docking")
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5);
BENCHMARK(docking_alone)->Name("compiled/docking")->Unit(benchmark::kMillisecond)->Repetitions(5);

[[maybe_unused]] const bool promised =
    gate({.name = "docked stack, 1200 s in LEO: Simbody weld / berth exact, compiled",
          .numerator = "simbody/weld_stack_LEO_1200_s",
          .denominator = "compiled/stack_exact_LEO_1200_s",
          .at_least = 20}) &&
    gate({.name = "docked stack, 1200 s in LEO: interpreted / abreast, exact, for each simulation",
          .numerator = "simulation/stack_exact_LEO_1200_s",
          .denominator = "abreast/stack_exact_LEO_1200_s",
          .denominator_count = static_cast<double>(kStacks)}) &&
    gate({.name = "docked stack, 1200 s in LEO: interpreted / abreast, fused, for each simulation",
          .numerator = "simulation/stack_fused_LEO_1200_s",
          .denominator = "abreast/stack_fused_LEO_1200_s",
          .at_least = 6,
          .denominator_count = static_cast<double>(kStacks)}) &&
    gate({.name = "512 cases of capture_envelope: interpreted / abreast",
          .numerator = "interpreted/captures_512",
          .denominator = "abreast/captures_512",
          .at_least = 4}) &&
    gate({.name = "docking over 64 seeds: interpreted / abreast",
          .numerator = "interpreted/dockings_64",
          .denominator = "abreast/dockings_64",
          .at_least = 4}) &&
    gate({.name = "docking, one run: interpreted / compiled",
          .numerator = "interpreted/docking",
          .denominator = "compiled/docking",
          .at_least = 1.6});

}  // namespace
}  // namespace berth::bench

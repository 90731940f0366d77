// SPDX-License-Identifier: Apache-2.0
//
// Variational steps: cost against the number of bodies, a whole run through impacts, and one impact.
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/gates.h"
#include "bench/stack_model.h"
#include "berth/scenario/scenario.h"
#include "berth/system/discrete/moser_veselov.h"
#include "berth/system/impacts.h"

namespace berth::bench {
namespace {

constexpr int kStepsAtATime = 100;

BuiltScenario read_arm() {
  ReadScenario read = read_scenario(BERTH_SOURCE_DIR "/papers/impacts/iss_arm.toml",
                                    {"integrator.method=variational2", "integrator.step=0.01"});
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) throw std::runtime_error(describe(p));
  return built;
}

// --- one step, of chains -------------------------------------------------------------------------

void chain_steps(benchmark::State& timer) {
  const auto links = static_cast<std::size_t>(timer.range(0));
  const System<double> system = build_chain<double>(links);
  MoserVeselov mechanics(system);
  const Mode<double> mode = idle_mode(Workspace<double>(system));
  const std::vector<double> start = find_initial_state(system);
  constexpr double h = 1e-3;  // [s]
  for (auto _ : timer) {
    std::vector<double> x = start;
    mechanics.set_momenta(system, x);
    for (int k = 0; k < kStepsAtATime; ++k)
      if (!mechanics.advance(system, mode, h * k, h, x)) timer.SkipWithError("no solution");
    benchmark::DoNotOptimize(x.data());
  }
  timer.counters["ns_per_body"] = benchmark::Counter(
      static_cast<double>(timer.iterations()) * kStepsAtATime * static_cast<double>(links) * 1e-9,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  timer.counters["evaluations_per_step"] =
      static_cast<double>(mechanics.evaluations()) /
      (static_cast<double>(timer.iterations()) * kStepsAtATime);
}
BENCHMARK(chain_steps)->Name("variational/chain")->Arg(2)->Arg(10)->Arg(50)->Arg(200);

// --- whole runs ----------------------------------------------------------------------------------

void station_arm(benchmark::State& timer) {
  const BuiltScenario built = read_arm();
  StepCounters counters;
  for (auto _ : timer) {
    HybridRun run(built.system, built.options);
    if (run.advance(40).ending != Ending::reached_end) timer.SkipWithError("did not finish");
    counters = run.counters();
  }
  timer.counters["rhs"] = static_cast<double>(counters.rhs);
}
BENCHMARK(station_arm)->Name("variational/iss_arm_4000_steps")->Unit(benchmark::kMillisecond);

// --- one impact ----------------------------------------------------------------------------------

void impact(benchmark::State& timer) {
  const System<double> system = read_arm().system;
  Workspace<double> w(system);
  const Mode<double> mode = idle_mode(w);
  const std::vector<double> x = find_initial_state(system);
  motion_stage<double>(system, 0.0, x, mode, w);
  const Contact<double>& c = system.contacts.at(1);
  const ContactMotion<double>& m = w.contacts.at(1);
  const std::vector<ImpactPoint> points{
      {c.port_1.body, c.port_2.body, m.lever_1, m.lever_2, -m.n_N, 0.5, 0.3}};
  for (auto _ : timer) {
    const ImpactResult r = find_impact(system, mode, w, points, false);
    benchmark::DoNotOptimize(r.v.data());
  }
}
BENCHMARK(impact)->Name("variational/one_impact");

[[maybe_unused]] const bool promised =
    gate({.name = "a variational step per body, chain of 200 / chain of 10",
          .numerator = "variational/chain/200",
          .denominator = "variational/chain/10",
          .at_most = 2,
          .numerator_count = 200,
          .denominator_count = 10});

}  // namespace
}  // namespace berth::bench

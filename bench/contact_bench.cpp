// SPDX-License-Identifier: Apache-2.0
//
// Contact of a probe in a cone: one evaluation, whole simulations with and without delay, and the
// closed form behind maps of the delay margin.
#include <numbers>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/gates.h"
#include "berth/math/critical_delay.h"
#include "berth/run/run.h"

namespace berth::bench {
namespace {

// Tables 1 to 3 of the contact study: two craft of 3 t, the probe about to touch.
System<double> build_pair(double delay) {
  System<double> system;
  BodySpec<double> hub;
  hub.name = "target";
  hub.mass = 3000;
  hub.I_C_B = Sym3<double>::diagonal(500, 500, 500);
  const int target = system.model.add_body(hub);
  hub.name = "chaser";
  hub.q = {3.533, 0, 0.25, 0, 0, 0, 1};
  hub.v = {-0.02, 0.005, 0, 0, 0, 0};
  const int chaser = system.model.add_body(hub);
  Contact<double> c;
  c.name = "probe";
  c.port_1 = {chaser, {2, 0, 0}};
  c.port_2 = {target, {1, 0, 0}};
  Cone<double> cone;
  cone.half_angle = std::numbers::pi / 6;
  cone.length = 2;
  c.surface = cone;
  SpringDashpot<double> law;
  law.stiffness = 1000;
  law.damping = 200;
  c.law = law;
  c.delay = delay;
  system.add_contact(c);
  return system;
}

void derivative(benchmark::State& timer) {
  const System<double> system = build_pair(0);
  Workspace<double> w(system);
  const std::vector<double> x = find_initial_state(system);
  std::vector<double> x_dot(x.size());
  Mode<double> mode = idle_mode(w);
  mode.contacts[0].now.touching = true;
  for (auto _ : timer) {
    find_derivative<double>(system, 0.0, x, mode, w, x_dot);
    benchmark::DoNotOptimize(x_dot.data());
  }
}
BENCHMARK(derivative)->Name("contact/derivative");

template <int microseconds>
void bounce(benchmark::State& timer) {
  const System<double> system = build_pair(1e-6 * microseconds);
  RunOptions options;
  options.integrator.tolerance = 1e-8;
  StepCounters counters;
  for (auto _ : timer) {
    HybridRun run(system, options);
    if (run.advance(10).ending != Ending::reached_end) timer.SkipWithError("did not finish");
    counters = run.counters();
  }
  timer.counters["simulations_per_second"] =
      benchmark::Counter(static_cast<double>(timer.iterations()), benchmark::Counter::kIsRate);
  timer.counters["rhs"] = static_cast<double>(counters.rhs);
}
BENCHMARK(bounce<0>)->Name("contact/10_s_at_once")->Unit(benchmark::kMicrosecond);
BENCHMARK(bounce<1000>)->Name("contact/10_s_1_ms_late")->Unit(benchmark::kMicrosecond);
BENCHMARK(bounce<4000>)->Name("contact/10_s_4_ms_late")->Unit(benchmark::kMicrosecond);
BENCHMARK(bounce<16000>)->Name("contact/10_s_16_ms_late")->Unit(benchmark::kMicrosecond);
BENCHMARK(bounce<200000>)->Name("contact/10_s_200_ms_late")->Unit(benchmark::kMicrosecond);

void closed_form_map(benchmark::State& timer) {
  for (auto _ : timer) {
    double sum = 0;
    for (int i = 1; i <= 200; ++i)
      for (int j = 1; j <= 200; ++j) sum += find_critical_delay(0.06 * i, 0.01 * j).delay;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(closed_form_map)->Name("contact/closed_form_map_200x200")->Unit(benchmark::kMillisecond);

[[maybe_unused]] const bool promised = [] {
  for (const char* late : {"1", "4", "16", "200"})
    gate({.name = fmt::format("contact {} ms late / at once, 10 s", late),
          .numerator = fmt::format("contact/10_s_{}_ms_late", late),
          .denominator = "contact/10_s_at_once",
          .at_most = 4});
  return true;
}();

}  // namespace
}  // namespace berth::bench

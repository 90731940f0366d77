// SPDX-License-Identifier: Apache-2.0
//
// Whole simulations: how many per second.
#include <benchmark/benchmark.h>

#include "bench/gates.h"
#include "bench/stack_model.h"
#include "berth/integrate/methods.h"
#include "berth/run/driver.h"

namespace berth::bench {
namespace {

// Low Earth orbit of the post-docking studies.
template <Scalar T>
void put_in_orbit(System<T>& system) {
  system.set_orbit(OrbitalGravity<T>{},
                   {-5.7874158943712397e6, 1.3157053000720485e6, 3.2735193517710271e6},
                   {-2.2216239079130748e3, -7.2728926431384180e3, -9.8869130869506983e2});
}

StackState resting() {
  StackState s = nominal_state(stack_numbers());
  for (CraftState& c : s.craft) {
    c.x = {};
    c.xd = {};
  }
  return s;
}

void simulate(benchmark::State& timer, const System<double>& system, double seconds,
              double tolerance) {
  RunOptions options;
  options.integrator.tolerance = tolerance;
  StepCounters counters;
  for (auto _ : timer) {
    Driver driver(system, options);
    if (driver.run(seconds).ending != Ending::reached_end) timer.SkipWithError("did not finish");
    counters = driver.counters();
  }
  timer.counters["simulations_per_second"] =
      benchmark::Counter(static_cast<double>(timer.iterations()), benchmark::Counter::kIsRate);
  timer.counters["rhs"] = static_cast<double>(counters.rhs);
}

// Two hubs bolted together, nothing else: the rigid pair.
void rigid_pair(benchmark::State& timer) {
  System<double> system;
  BodySpec<double> hub;
  hub.name = "servicer";
  hub.mass = kHubMass;
  hub.I_C_B = diagonal_of<double>(kHubInertia);
  hub.v = {0, 0, 0, 0, 0, 1.1314e-3};
  hub.q = {-1.05, 0, 0, 1, 0, 0, 0};
  const int first = system.model.add_body(hub);
  hub.name = "target";
  hub.parent = first;
  hub.joint = JointType::fixed;
  hub.r_FP_P = vector_of<double>(dock_offset(stack_numbers()));
  hub.q.clear();
  hub.v.clear();
  system.model.add_body(hub);
  put_in_orbit(system);
  simulate(timer, system, 1200, 1e-9);
}
BENCHMARK(rigid_pair)->Name("simulation/rigid_pair_LEO_1200_s")->Unit(benchmark::kMicrosecond);

void one_tree(benchmark::State& timer) {
  System<double> system = build_stack<double>(resting(), Docking::one_tree);
  put_in_orbit(system);
  simulate(timer, system, 1200, 1e-9);
}
BENCHMARK(one_tree)->Name("simulation/stack_one_tree_LEO_1200_s")->Unit(benchmark::kMillisecond);

// The steppers alone, on a derivative that costs next to nothing.
template <const Tableau& method>
void stepper(benchmark::State& timer) {
  const std::size_t n = 52;
  std::vector<double> x(n, 1.0);
  IntegratorOptions options;
  options.step = 0.01;
  Adaptive<double> a(method, n, {{0, n, 1.0}}, options);
  const auto f = [](double, std::span<const double> y, std::span<double> y_dot) {
    for (std::size_t i = 0; i < y.size(); ++i) y_dot[i] = -0.1 * y[i];
  };
  a.start(0.0, x);
  for (auto _ : timer) {
    if (a.t() > 100) a.start(0.0, x);
    benchmark::DoNotOptimize(a.step(f, a.t() + 1e9));
  }
}
BENCHMARK(stepper<kDop853>)->Name("kernel/step_dop853_52_states");
BENCHMARK(stepper<kDopri5>)->Name("kernel/step_dopri5_52_states");
BENCHMARK(stepper<kRkf45>)->Name("kernel/step_rkf45_52_states");
BENCHMARK(stepper<kRk4>)->Name("kernel/step_rk4_52_states");

}  // namespace
}  // namespace berth::bench

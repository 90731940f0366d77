// SPDX-License-Identifier: Apache-2.0
//
// Whole simulations: how many per second.
#include <array>
#include <cmath>
#include <cstdio>

#include <benchmark/benchmark.h>

#include "bench/docked_model.h"
#include "bench/gates.h"
#include "bench/peers/mujoco_peer.h"
#include "bench/peers/simbody_peer.h"
#include "bench/stack_model.h"
#include "bench/tide.h"
#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "berth/run/run.h"

namespace berth::bench {
namespace {

void simulate(benchmark::State& timer, const System<double>& system, double seconds,
              double tolerance) {
  RunOptions options;
  options.integrator.tolerance = tolerance;
  StepCounters counters;
  for (auto _ : timer) {
    HybridRun driver(system, options);
    if (driver.advance(seconds).ending != Ending::reached_end)
      timer.SkipWithError("did not finish");
    counters = driver.counters();
  }
  timer.counters["simulations_per_second"] =
      benchmark::Counter(static_cast<double>(timer.iterations()), benchmark::Counter::kIsRate);
  timer.counters["rhs"] = static_cast<double>(counters.rhs);
}

constexpr double kSeconds = 1200, kTolerance = 1e-8;

template <System<double> (*build)(Enforce), Enforce enforce>
void docked(benchmark::State& timer) {
  simulate(timer, build(enforce), kSeconds, kTolerance);
}
BENCHMARK(docked<docked_pair, Enforce::exact>)
    ->Name("simulation/pair_exact_LEO_1200_s")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(docked<docked_pair, Enforce::fused>)
    ->Name("simulation/pair_fused_LEO_1200_s")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(docked<docked_stack, Enforce::exact>)
    ->Name("simulation/stack_exact_LEO_1200_s")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(docked<docked_stack, Enforce::fused>)
    ->Name("simulation/stack_fused_LEO_1200_s")
    ->Unit(benchmark::kMillisecond);

// --------------------------------------------------------------------------------- peers, same work

constexpr double kSimbodyAccuracy = 1e-11;  // relative; ends about as near the truth as berth
constexpr double kMujocoStep = 0.01;        // [s]

template <StackState (*start)(const StackNumbers&), Outfit outfit>
StackState simbody_run() {
  SimbodyStack stack(stack_numbers(), Docking::weld, outfit, true);
  stack.set_state(start(stack_numbers()));
  stack.run(kSeconds, kSimbodyAccuracy);
  return stack.state();
}
StackState mujoco_run() {
  MujocoStack stack(stack_numbers(), Docking::weld, Outfit::bare);
  stack.set_in_orbit();
  stack.set_state(nadir_state(stack_numbers()));
  stack.run(kSeconds, kMujocoStep);
  return stack.state();
}
template <StackState (*run)()>
void peer(benchmark::State& timer) {
  for (auto _ : timer) benchmark::DoNotOptimize(run());
}
constexpr auto simbody_pair = simbody_run<nadir_state, Outfit::bare>;
constexpr auto simbody_stack = simbody_run<resting_state, Outfit::complete>;
BENCHMARK(peer<simbody_pair>)
    ->Name("simbody/weld_pair_LEO_1200_s")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(3);
BENCHMARK(peer<simbody_stack>)
    ->Name("simbody/weld_stack_LEO_1200_s")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(2);
BENCHMARK(peer<mujoco_run>)
    ->Name("mujoco/weld_pair_LEO_1200_s")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(2);

// Where both hubs are at the end [m].
std::array<Vec, 2> hubs_of(const StackState& s) { return {s.craft[0].r, s.craft[1].r}; }
std::array<Vec, 2> berth_hubs(const System<double>& system, double tolerance) {
  RunOptions options;
  options.integrator.tolerance = tolerance;
  HybridRun driver(system, options);
  driver.advance(kSeconds);
  const Workspace<double>& w = driver.observe();
  const auto at = [&](const char* name) {
    const Vec3<double>& r = w.motion.body(system.model.find_body(name)).r_BN_N;
    return Vec{r.x, r.y, r.z};
  };
  return {at("servicer"), at("target")};
}
double apart(const std::array<Vec, 2>& a, const std::array<Vec, 2>& b) {
  double most = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const Vec d = a[c] + -1.0 * b[c];
    most = std::max(most, std::sqrt(dot(d, d)));
  }
  return most;
}
// Error of berth over error of a peer, both against the fused tree at a tolerance of 1e-13.
double error_ratio(System<double> (*build)(Enforce), StackState (*peer_run)()) {
  const auto truth = berth_hubs(build(Enforce::fused), 1e-13);
  const double ours = apart(berth_hubs(build(Enforce::exact), kTolerance), truth);
  const double theirs = apart(hubs_of(peer_run()), truth);
  std::printf("        after 1200 s: berth %.1e m off, peer %.1e m off\n", ours, theirs);
  return theirs < 1 ? ours / theirs : NAN;  // a peer that is lost is no peer
}

[[maybe_unused]] const bool promised =
    check({"docked pair: error of berth / of Simbody's weld",
           [] { return error_ratio(docked_pair, simbody_pair); }, 1}) &&
    check({"docked pair: error of berth / of MuJoCo's weld",
           [] { return error_ratio(docked_pair, mujoco_run); }, 1}) &&
    check({"docked stack: error of berth / of Simbody's weld",
           [] { return error_ratio(docked_stack, simbody_stack); }, 1}) &&
    gate({"docked pair, 1200 s in LEO: Simbody weld / berth exact", "simbody/weld_pair_LEO_1200_s",
          "simulation/pair_exact_LEO_1200_s", 100}) &&
    gate({"docked pair, 1200 s in LEO: MuJoCo weld RK4 / berth exact",
          "mujoco/weld_pair_LEO_1200_s", "simulation/pair_exact_LEO_1200_s", 500}) &&
    gate({"docked stack, 1200 s in LEO: Simbody weld / berth exact",
          "simbody/weld_stack_LEO_1200_s", "simulation/stack_exact_LEO_1200_s", 20}) &&
    gate({"docked stack: exact / fused", "simulation/stack_exact_LEO_1200_s",
          "simulation/stack_fused_LEO_1200_s"});

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

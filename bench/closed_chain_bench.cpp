// SPDX-License-Identifier: Apache-2.0
//
// Closed chains: constrained forward dynamics of a servicer whose two arms hold one load, against
// Simbody, and a whole run of such a servicer.
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/gates.h"
#include "bench/peers/agree.h"
#include "bench/peers/simbody_peer.h"
#include "berth/scenario/scenario.h"
#include "berth/system/docks.h"
#include "tests/support/scenario_files.h"

namespace berth::bench {
namespace {

BuiltScenario build_named(const std::string& name, const std::vector<std::string>& settings = {}) {
  ReadScenario read = read_scenario(test::find_scenario_file(name), settings);
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) throw std::runtime_error(describe(p));
  return built;
}

// --------------------------------------------------------------------------- forward dynamics

// At its start, rows and independent speeds chosen, ready to be evaluated again and again.
struct DualArm {
  explicit DualArm(Enforce enforce) : system(build_named("dual_arm_free").system), work(system) {
    system.docks.at(0).enforce = enforce;
    x = find_initial_state(system);
    mode = idle_mode(work);
    choose_rows(system, 0.0, x, mode, work);
  }
  // The loads of the weld are left out where they cost extra, as between two steps.
  void forward() {
    motion_stage<double>(system, 0.0, x, mode, work);
    command_stage<double>(system, x, mode, work);
    effort_stage<double>(system, work);
    acceleration_stage<double>(system, mode, work, work.v_dot, false);
  }

  System<double> system;
  Workspace<double> work;
  Mode<double> mode;
  std::vector<double> x;
};

template <Enforce enforce>
void berth_forward(benchmark::State& timer) {
  DualArm arm(enforce);
  for (auto _ : timer) {
    arm.forward();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(berth_forward<Enforce::exact>)->Name("berth/dual_arm_exact");
BENCHMARK(berth_forward<Enforce::reduced>)->Name("berth/dual_arm_reduced");

void simbody_forward(benchmark::State& timer) {
  SimbodyDualArm arm;
  for (auto _ : timer) arm.forward();
}
BENCHMARK(simbody_forward)->Name("simbody/dual_arm");

// -------------------------------------------------------------------------------- whole runs

void despin(benchmark::State& timer) {
  const BuiltScenario built = build_named("servicer_despin", {"integrator.tolerance=1e-6"});
  StepCounters counters;
  for (auto _ : timer) {
    HybridRun run(built.system, built.options);
    run.set_events(built.events);
    if (run.advance(600).ending != Ending::reached_end) timer.SkipWithError("did not finish");
    counters = run.counters();
  }
  timer.counters["simulations_per_second"] =
      benchmark::Counter(static_cast<double>(timer.iterations()), benchmark::Counter::kIsRate);
  timer.counters["rhs"] = static_cast<double>(counters.rhs);
}
BENCHMARK(despin)->Name("berth/servicer_despin")->Unit(benchmark::kMillisecond);

// -------------------------------------------------------------------------------- promises

DualArmAcceleration berth_accelerations(Enforce enforce) {
  DualArm arm(enforce);
  arm.forward();
  const Model<double>& model = arm.system.model;
  const auto at = [&](const std::string& body, int k) {
    return arm.work.v_dot[static_cast<std::size_t>(model.body(model.find_body(body)).v + k)];
  };
  DualArmAcceleration a{};
  for (int k = 0; k < 3; ++k) {
    a.v[static_cast<std::size_t>(k)] = at("servicer", k);
    a.omega[static_cast<std::size_t>(k)] = at("servicer", 3 + k);
  }
  for (std::size_t j = 0; j < kArmJoints; ++j) {
    const std::string link = ".link" + std::to_string(j + 1);
    a.xdd[kLeft][j] = at("servicer.left" + link, 0);
    a.xdd[kRight][j] = at("servicer.right" + link, 0);
  }
  return a;
}

double apart_from_simbody(Enforce enforce) {
  SimbodyDualArm peer;
  peer.forward();
  if (peer.velocities() != 18 || peer.constraint_rows() != 6)
    throw std::runtime_error("not 18 velocities and 6 rows");
  return largest_disagreement(berth_accelerations(enforce), peer.accelerations());
}

[[maybe_unused]] const bool promised =
    check({.name = "dual arm: berth exact and Simbody's weld",
           .find = [] { return apart_from_simbody(Enforce::exact); },
           .limit = 1e-9}) &&
    check({.name = "dual arm: berth reduced and Simbody's weld",
           .find = [] { return apart_from_simbody(Enforce::reduced); },
           .limit = 1e-9}) &&
    check({.name = "dual arm: berth exact and reduced",
           .find =
               [] {
                 return largest_disagreement(berth_accelerations(Enforce::exact),
                                             berth_accelerations(Enforce::reduced));
               },
           .limit = 1e-12}) &&
    gate({.name = "Simbody weld / berth exact, dual arm of 18 dof and 6 rows",
          .numerator = "simbody/dual_arm",
          .denominator = "berth/dual_arm_exact",
          .at_least = 8}) &&
    gate({.name = "Simbody weld / berth reduced, dual arm of 18 dof and 6 rows",
          .numerator = "simbody/dual_arm",
          .denominator = "berth/dual_arm_reduced",
          .at_least = 8});

}  // namespace
}  // namespace berth::bench

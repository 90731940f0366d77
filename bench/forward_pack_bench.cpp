// SPDX-License-Identifier: Apache-2.0
//
// Four stacks abreast: the cost of one of them against one alone.
#include <benchmark/benchmark.h>

#include "bench/gates.h"
#include "bench/stack_model.h"
#include "berth/scalar/pack.h"

namespace berth::bench {
namespace {

void pack_forward(benchmark::State& timer) {
  if (!packs_supported()) {
    timer.SkipWithError("this processor has no AVX2");
    return;
  }
  const System<Pack> system = build_stack<Pack>(nominal_state(stack_numbers()));
  Workspace<Pack> work(system);
  const Mode<Pack> mode;
  const std::vector<Pack> x = find_initial_state(system);
  for (auto _ : timer) {
    forward_dynamics<Pack>(system, x, mode, work);
    benchmark::ClobberMemory();
  }
  timer.counters["ns_per_simulation"] =
      benchmark::Counter(static_cast<double>(timer.iterations()) * kLanes * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(pack_forward)->Name("berth/free_26_pack");

[[maybe_unused]] const bool promised = gate({.name = "one lane of a Pack / double, 26 dof",
                                             .numerator = "berth/free_26_pack",
                                             .denominator = "berth/free_26",
                                             .at_most = 0.35,
                                             .numerator_count = 4.0});

}  // namespace
}  // namespace berth::bench

// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics in MuJoCo and Simbody: the stack of stack.h free, as one tree and closed by a
// weld, and chains of growing length. The libraries are Debian's builds: no vector extensions beyond
// SSE2, assertions left in.
#include <cstddef>
#include <map>

#include <benchmark/benchmark.h>

#include "gates.h"
#include "peers/agree.h"
#include "peers/mujoco_peer.h"
#include "peers/simbody_peer.h"

namespace berth::bench {
namespace {

// ---------------------------------------------------------------------------------- timings

template <class Stack, Docking docking>
void stack_forward(benchmark::State& timer) {
  Stack stack(stack_numbers(), docking);
  for (auto _ : timer) stack.forward();
}
BENCHMARK(stack_forward<MujocoStack, Docking::none>)->Name("mujoco/free_26");
BENCHMARK(stack_forward<MujocoStack, Docking::one_tree>)->Name("mujoco/tree_20");
BENCHMARK(stack_forward<MujocoStack, Docking::weld>)->Name("mujoco/weld_26_6");
BENCHMARK(stack_forward<SimbodyStack, Docking::none>)->Name("simbody/free_26");
BENCHMARK(stack_forward<SimbodyStack, Docking::one_tree>)->Name("simbody/tree_20");
BENCHMARK(stack_forward<SimbodyStack, Docking::weld>)->Name("simbody/weld_26_6");

// Built once: MuJoCo takes seconds to compile a chain of 1000.
template <class Chain>
Chain& chain_of(std::size_t links) {
  static std::map<std::size_t, Chain> built;
  return built.try_emplace(links, links).first->second;
}

template <class Chain>
void chain_forward(benchmark::State& timer) {
  Chain& chain = chain_of<Chain>(static_cast<std::size_t>(timer.range(0)));
  for (auto _ : timer) chain.forward();
}
BENCHMARK(chain_forward<MujocoChain>)->Name("mujoco/chain")->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(chain_forward<SimbodyChain>)->Name("simbody/chain")->Arg(10)->Arg(100)->Arg(1000);

// -------------------------------------------------------------------------------- agreement

template <class Stack>
StackAcceleration acceleration(Docking docking) {
  Stack stack(stack_numbers(), docking);
  stack.forward();
  return stack.accelerations();
}

double stacks_apart(Docking docking) {
  return largest_disagreement(acceleration<MujocoStack>(docking),
                              acceleration<SimbodyStack>(docking));
}

double chains_apart(std::size_t links) {
  auto& mujoco = chain_of<MujocoChain>(links);
  auto& simbody = chain_of<SimbodyChain>(links);
  mujoco.forward();
  simbody.forward();
  return largest_disagreement(mujoco.accelerations(), simbody.accelerations());
}

double runs_apart(Outfit outfit) {
  MujocoStack mujoco(stack_numbers(), Docking::one_tree, outfit);
  SimbodyStack simbody(stack_numbers(), Docking::one_tree, outfit);
  mujoco.run(1.0, 1e-3);
  simbody.run(1.0, 1e-9);
  return largest_distance(mujoco.state(), simbody.state());
}

// The mass matrix of a chain is the worse conditioned the longer it is; hence the wider limits.
[[maybe_unused]] const bool agreed =
    check({"two free craft: MuJoCo, Simbody", [] { return stacks_apart(Docking::none); }, 1e-9}) &&
    check({"one tree: MuJoCo, Simbody", [] { return stacks_apart(Docking::one_tree); }, 1e-9}) &&
    check({"Simbody: weld loop, one tree",
           [] {
             return largest_disagreement(acceleration<SimbodyStack>(Docking::weld),
                                         acceleration<SimbodyStack>(Docking::one_tree));
           },
           1e-9}) &&
    check({"MuJoCo: weld loop (soft), one tree",
           [] {
             return largest_disagreement(acceleration<MujocoStack>(Docking::weld),
                                         acceleration<MujocoStack>(Docking::one_tree));
           },
           1e-2}) &&
    check({"chain of 10: MuJoCo, Simbody", [] { return chains_apart(10); }, 1e-12}) &&
    check({"chain of 100: MuJoCo, Simbody", [] { return chains_apart(100); }, 1e-8}) &&
    check({"chain of 1000: MuJoCo, Simbody", [] { return chains_apart(1000); }, 1e-4}) &&
    check({"one tree after 1 s [m, rad]: MuJoCo, Simbody",
           [] { return runs_apart(Outfit::complete); }, 1e-7}) &&
    check({"bare pair after 1 s [m, rad]: MuJoCo, Simbody", [] { return runs_apart(Outfit::bare); },
           1e-10});

// ----------------------------------------------------------------------- information only

[[maybe_unused]] const bool informed =
    gate({"Simbody / MuJoCo, one tree", "simbody/tree_20", "mujoco/tree_20"}) &&
    gate({"MuJoCo, weld loop / one tree", "mujoco/weld_26_6", "mujoco/tree_20"}) &&
    gate({"Simbody, weld loop / one tree", "simbody/weld_26_6", "simbody/tree_20"}) &&
    gate({"MuJoCo, chain of 1000 / chain of 100", "mujoco/chain/1000", "mujoco/chain/100"}) &&
    gate({"Simbody, chain of 1000 / chain of 100", "simbody/chain/1000", "simbody/chain/100"});

}  // namespace
}  // namespace berth::bench

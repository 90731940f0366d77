// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics of the stack in Pinocchio, against what berth compiles (compiled_bench.cpp).
#include <benchmark/benchmark.h>

#include "bench/gates.h"
#include "bench/peers/agree.h"
#include "bench/peers/mujoco_peer.h"
#include "bench/peers/pinocchio_peer.h"
#include "berth/compile/instructions.h"

namespace berth::bench {
namespace {

void stack_forward(benchmark::State& timer) {
  PinocchioStack stack(stack_numbers());
  for (auto _ : timer) stack.forward();
}
BENCHMARK(stack_forward)->Name("pinocchio/free_26");

void stack_forward_generated(benchmark::State& timer) {
  PinocchioStack stack(stack_numbers());
  stack.generate();
  for (auto _ : timer) stack.forward_generated();
}
BENCHMARK(stack_forward_generated)->Name("pinocchio/free_26_generated");

double find_difference() {
  PinocchioStack ours(stack_numbers());
  MujocoStack theirs(stack_numbers(), Docking::none);
  ours.forward();
  theirs.forward();
  return largest_disagreement(ours.accelerations(), theirs.accelerations());
}

double find_difference_of_generated() {
  PinocchioStack ours(stack_numbers()), generated(stack_numbers());
  ours.forward();
  generated.generate();
  generated.forward_generated();
  return largest_disagreement(ours.accelerations(), generated.accelerations());
}

[[maybe_unused]] const bool promised =
    check({.name = "two free craft: Pinocchio, the code it generates",
           .find = find_difference_of_generated,
           .limit = 1e-9}) &&
    gate({.name = "Pinocchio's generated code, 26 dof / compiled, one simulation",
          .numerator = "pinocchio/free_26_generated",
          .denominator = "compiled/free_26"}) &&
    gate({.name = "Pinocchio's generated code, 26 dof / compiled, in lanes, for each simulation",
          .numerator = "pinocchio/free_26_generated",
          .denominator = "compiled/free_26_in_lanes",
          .denominator_count = static_cast<double>(list_instructions().back().lanes)}) &&
    check({.name = "two free craft: Pinocchio, MuJoCo", .find = find_difference, .limit = 1e-9}) &&
    gate({.name = "Pinocchio ABA, 26 dof / compiled, one simulation",
          .numerator = "pinocchio/free_26",
          .denominator = "compiled/free_26",
          .at_least = 5}) &&
    gate({.name = "Pinocchio ABA, 26 dof / compiled, in lanes, for each simulation",
          .numerator = "pinocchio/free_26",
          .denominator = "compiled/free_26_in_lanes",
          .denominator_count = static_cast<double>(list_instructions().back().lanes)});

}  // namespace
}  // namespace berth::bench

// SPDX-License-Identifier: Apache-2.0
//
// The stack as a recorded program, compiled: for one simulation, and for several abreast in lanes. It has
// the bits of double.
#include <algorithm>
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "bench/docked_model.h"
#include "bench/gates.h"
#include "berth/compile/c_compiler.h"
#include "berth/compile/emit_c.h"
#include "berth/compile/instructions.h"
#include "berth/compile/library.h"
#include "berth/compile/simplify.h"
#include "berth/run/run.h"
#include "berth/scalar/trace.h"
#include "berth/system/lift_system.h"

namespace berth::bench {
namespace {

// A system as a run has it in a smooth stretch.
struct Situation {
  System<double> system;
  Mode<double> mode;
  std::vector<double> x;
};

Situation build_free() {
  System<double> system = build_stack<double>(nominal_state(stack_numbers()));
  std::vector<double> x = find_initial_state(system);
  return {std::move(system), {}, std::move(x)};
}

Situation build_fused() {
  HybridRun run(docked_stack(Enforce::fused), {});
  if (!run.advance(0.1).completed()) throw std::runtime_error("the stack does not run");
  return {run.system(), run.mode(), {run.x().begin(), run.x().end()}};
}

template <Scalar T>
void find_accelerations(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                        Workspace<T>& w, std::vector<T>& out) {
  forward_dynamics<T>(system, x, mode, w);
  out = w.v_dot;
}
template <Scalar T>
void find_rate(const System<T>& system, std::span<const T> x, const Mode<T>& mode, Workspace<T>& w,
               std::vector<T>& out) {
  out.resize(x.size());
  find_derivative<T>(system, T(0.0), x, mode, w, out);
}

struct Accelerations {
  static Situation build() { return build_free(); }
  static void find(auto&... arguments) { find_accelerations(arguments...); }
};
struct FusedRate {
  static Situation build() { return build_fused(); }
  static void find(auto&... arguments) { find_rate(arguments...); }
};

template <class What>
struct InDouble {
  Situation at = What::build();
  Workspace<double> w{at.system};
  std::vector<double> out;

  void operator()() {
    const std::span<const double> x = at.x;
    What::find(at.system, x, at.mode, w, out);
  }
};

template <class What>
Graph record() {
  const Situation at = What::build();
  const System<Trace> system = lift_system<Trace>(at.system);
  const Mode<Trace> mode = lift_mode<Trace>(at.mode);
  Workspace<Trace> w(system);
  Tape tape;
  std::vector<Trace> x(at.x.size()), out;
  for (Trace& y : x) y = tape.input();
  const std::span<const Trace> inputs = x;
  What::find(system, inputs, mode, w, out);
  return simplify(tape.finish(out));
}

// Every lane at the same state.
template <class What>
class InLanes {
 public:
  explicit InLanes(const InstructionSet& set)
      : lanes_(static_cast<std::size_t>(set.lanes)), graph_(record<What>()) {
    const CompilerSearch search = find_c_compiler();
    if (!search.compiler) throw std::runtime_error(search.sentence);
    library_ = std::make_unique<Library>(compile_c(
        *search.compiler, emit_c({"find", &graph_}, {.lanes = set.lanes}), list_flags(set)));
    function_ = reinterpret_cast<CompiledFunction>(library_->symbol("find"));
    calls_ = list_calls(graph_);
    const Situation at = What::build();
    in_.resize((at.x.size() * lanes_ + 7) / 8);
    out_.resize((graph_.outputs.size() * lanes_ + 7) / 8);
    for (std::size_t i = 0; i < at.x.size() * lanes_; ++i)
      in_[i / 8].number[i % 8] = at.x[i / lanes_];
  }

  void operator()() { function_(in_[0].number, out_[0].number, calls_.data()); }
  double output(std::size_t i, std::size_t lane) const {
    const std::size_t at = i * lanes_ + lane;
    return out_[at / 8].number[at % 8];
  }
  std::size_t lanes() const { return lanes_; }
  int operations() const { return graph_.operation_count(); }

 private:
  struct alignas(64) Line {
    double number[8] = {};
  };
  std::size_t lanes_;
  Graph graph_;
  std::unique_ptr<Library> library_;
  CompiledFunction function_ = nullptr;
  std::vector<CompiledCall> calls_;
  std::vector<Line> in_, out_;
};

const InstructionSet& one_lane() { return list_instructions().front(); }
const InstructionSet& all_lanes() { return list_instructions().back(); }

void repeat(benchmark::State& timer, auto&& work) {
  for (auto _ : timer) {
    work();
    benchmark::ClobberMemory();
  }
}
template <class What>
void in_double(benchmark::State& timer) {
  static InDouble<What> work;
  repeat(timer, work);
}
template <class What, const InstructionSet& (*set)()>
void compiled(benchmark::State& timer) {
  static InLanes<What> work(set());
  repeat(timer, work);
  timer.counters["operations"] = work.operations();
}
BENCHMARK(compiled<Accelerations, one_lane>)->Name("compiled/free_26");
BENCHMARK(compiled<Accelerations, all_lanes>)->Name("compiled/free_26_in_lanes");
BENCHMARK(in_double<FusedRate>)->Name("berth/docked_26_derivative");
BENCHMARK(compiled<FusedRate, one_lane>)->Name("compiled/docked_26_derivative");
BENCHMARK(compiled<FusedRate, all_lanes>)->Name("compiled/docked_26_derivative_in_lanes");

// --- promises ------------------------------------------------------------------------------------

// Numbers that differ from those of double.
template <class What>
double count_differences() {
  InDouble<What> wanted;
  wanted();
  double differences = 0;
  for (const InstructionSet& set : list_instructions()) {
    InLanes<What> work(set);
    work();
    for (std::size_t i = 0; i < wanted.out.size(); ++i)
      for (std::size_t lane = 0; lane < work.lanes(); ++lane)
        differences += !(work.output(i, lane) == wanted.out[i]);
  }
  return differences;
}

bool promise(const std::string& what, const std::string& above, const std::string& below,
             std::optional<double> one, std::optional<double> lanes) {
  return gate({.name = what + " / compiled, one simulation",
               .numerator = above,
               .denominator = below,
               .at_least = one}) &&
         gate({.name = what + " / compiled, in lanes, for each simulation",
               .numerator = above,
               .denominator = below + "_in_lanes",
               .at_least = lanes,
               .denominator_count = static_cast<double>(all_lanes().lanes)});
}

[[maybe_unused]] const bool promised =
    check({.name = "compiled forward dynamics: numbers that are not those of double",
           .find = count_differences<Accelerations>,
           .limit = 0}) &&
    check({.name = "compiled derivative of the docked stack: numbers that are not those of double",
           .find = count_differences<FusedRate>,
           .limit = 0}) &&
    promise("MuJoCo mj_forward, 26 dof", "mujoco/free_26", "compiled/free_26", 4, 15) &&
    promise("Simbody, 26 dof", "simbody/free_26", "compiled/free_26", {}, {}) &&
    promise("berth forward dynamics, 26 dof", "berth/free_26", "compiled/free_26", {}, {}) &&
    promise("berth derivative, docked stack of 26 dof", "berth/docked_26_derivative",
            "compiled/docked_26_derivative", {}, {});

}  // namespace
}  // namespace berth::bench

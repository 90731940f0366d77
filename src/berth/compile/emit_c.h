// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graphs as C: one function each, for one case or for several abreast (lanes).
//
//     void NAME(const double *in, double *out, const berth_call *calls);
//
//   in, out   number i of lane l stands at [i · lanes + l]; no alignment is asked for
//   calls     the opaque functions of the graph (list_calls), in lanes called for one lane after
//             the other
//
// Compiled without contraction to fused multiply-add, each lane has the bits of `interpret`, the sign
// of zero included. The sign of a NaN is open, and so is what copysign makes of it. Elementary functions
// are those of scalar/elementary_text.h.
//
// One lane is C99 and nothing else; several are vector types of GCC and Clang. No heap, no variable
// outside of functions. A compiler takes more than proportionally longer for a longer function: a
// long graph becomes a chain of functions, and values that several of them need stand on the stack
// of the caller of the chain.

#include <span>
#include <string>
#include <vector>

#include "berth/scalar/graph.h"

namespace berth {

struct NamedGraph {
  std::string name;  // an identifier of C that begins with a letter
  const Graph* graph = nullptr;
};

struct EmitOptions {
  int lanes = 1;                      // 1, 2, 4 or 8
  int operations_per_function = 500;  // at the most
  bool is_local = false;              // seen in its own file alone
};

std::string emit_c(std::span<const NamedGraph> graphs, const EmitOptions& options = {});
std::string emit_c(const NamedGraph& graph, const EmitOptions& options = {});

// The same in two: what stands before all functions, and the functions.
std::string emit_c_prologue(int lanes);
std::string emit_c_functions(std::span<const NamedGraph> graphs, const EmitOptions& options = {});

// What one function takes.
struct FunctionSize {
  int operations = 0;
  int kept = 0;  // numbers on its stack, beside what the compiler puts there
};
FunctionSize find_size(const Graph& graph, const EmitOptions& options = {});

// An entry of the table of calls: `find` is called with `function` as its first argument.
struct CompiledCall {
  void (*find)(const void* function, const double* in, int in_count, double* out, int out_count);
  const void* function;
};
CompiledCall call_of(const OpaqueFunction& function);
std::vector<CompiledCall> list_calls(const Graph& graph);

// What a symbol of the compiled text is.
using CompiledFunction = void (*)(const double* in, double* out, const CompiledCall* calls);

}  // namespace berth

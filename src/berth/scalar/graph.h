// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graph — a computation without a branch, operation by operation.
//
//   nodes      in an order in which every operand stands before its users
//   input      a number from outside;  constant  a number known when the graph was made
//   condition  1 or 0; `select` takes the second or the third operand by it
//   call       a function of doubles that decides on values inside (an active set, say), as a whole
//
// Made by recording (trace.h). `interpret` carries it out in double, with the very operations that
// code on double carries out.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace berth {

enum class Operation : std::uint8_t {
  input,     // operand 0: which
  constant,  // operand 0: which
  call,      // operand 0: which
  result,    // operand 0: of which call, 1: which of its outputs
  add,
  subtract,
  multiply,
  divide,
  negate,
  absolute,
  copy_sign,
  square_root,
  sine,
  cosine,
  arc_tangent,  // atan2(y, x)
  exponential,
  logarithm,
  less,
  less_equal,
  equal,
  both,
  either,
  negation,
  select,
};
std::string_view name(Operation operation);
int operand_count(Operation operation);  // that are nodes

struct Node {
  Operation operation = Operation::constant;
  std::array<int, 3> operand{};

  bool operator==(const Node&) const = default;
};

struct OpaqueFunction {
  std::string_view name;
  void (*find)(std::span<const double> in, std::span<double> out) = nullptr;
};
struct OpaqueCall {
  const OpaqueFunction* function = nullptr;
  std::vector<int> inputs;  // nodes
  int outputs = 0;
};

struct Graph {
  int input_count = 0;
  std::vector<double> constants;
  std::vector<OpaqueCall> calls;
  std::vector<Node> nodes;
  std::vector<int> outputs;  // nodes

  // Without inputs and constants.
  int operation_count() const;
};

// One operation on numbers.
double evaluate(Operation operation, double a, double b = 0, double c = 0);

// The same graph without what no output needs.
Graph without_dead_nodes(const Graph& graph);

void interpret(const Graph& graph, std::span<const double> inputs, std::span<double> outputs);

}  // namespace berth

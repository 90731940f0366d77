// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/graph.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "berth/scalar/scalar.h"

namespace berth {

namespace {

struct Traits {
  std::string_view name;
  int operands;
};

// In the order of Operation.
constexpr std::array<Traits, 24> kTraits = {{
    {"input", 0},    {"constant", 0}, {"call", 0},   {"result", 0},     {"add", 2},
    {"subtract", 2}, {"multiply", 2}, {"divide", 2}, {"negate", 1},     {"abs", 1},
    {"copysign", 2}, {"sqrt", 1},     {"sin", 1},    {"cos", 1},        {"atan2", 2},
    {"exp", 1},      {"log", 1},      {"less", 2},   {"less_equal", 2}, {"equal", 2},
    {"and", 2},      {"or", 2},       {"not", 1},    {"select", 3},
}};
static_assert(static_cast<std::size_t>(Operation::select) + 1 == kTraits.size());

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::string_view name(Operation operation) {
  return kTraits[static_cast<std::size_t>(operation)].name;
}
int operand_count(Operation operation) {
  return kTraits[static_cast<std::size_t>(operation)].operands;
}

int Graph::operation_count() const {
  return static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [](const Node& n) {
    return n.operation == Operation::call || operand_count(n.operation) > 0;
  }));
}

double evaluate(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::negate: return -a;
    case Operation::absolute: return abs(a);
    case Operation::copy_sign: return copysign(a, b);
    case Operation::square_root: return sqrt(a);
    case Operation::sine: return sin_cos(a).sin;
    case Operation::cosine: return sin_cos(a).cos;
    case Operation::arc_tangent: return atan2(a, b);
    case Operation::exponential: return exp(a);
    case Operation::logarithm: return log(a);
    case Operation::less: return a < b;
    case Operation::less_equal: return a <= b;
    case Operation::equal: return a == b;
    case Operation::both: return a != 0 && b != 0;
    case Operation::either: return a != 0 || b != 0;
    case Operation::negation: return a == 0;
    case Operation::select: return select(a != 0, b, c);
    case Operation::input:
    case Operation::constant:
    case Operation::call:
    case Operation::result: break;
  }
  throw std::logic_error("Graph: " + std::string(name(operation)) + " is no operation on numbers");
}

Graph without_dead_nodes(const Graph& graph) {
  std::vector<char> needed(graph.nodes.size(), 0);
  for (const int i : graph.outputs) needed[at(i)] = 1;
  // The node that makes a call stands before its results.
  std::vector<int> node_of(graph.calls.size(), -1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].operation == Operation::call)
      node_of[at(graph.nodes[i].operand[0])] = static_cast<int>(i);
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const Node& n = graph.nodes[i];
    for (int k = 0; k < operand_count(n.operation); ++k) needed[at(n.operand[at(k)])] = 1;
    if (n.operation == Operation::result) needed[at(node_of[at(n.operand[0])])] = 1;
    if (n.operation == Operation::call)
      for (const int in : graph.calls[at(n.operand[0])].inputs) needed[at(in)] = 1;
  }

  Graph out;
  out.input_count = graph.input_count;
  std::vector<int> renumbered(graph.nodes.size(), -1), calls(graph.calls.size(), -1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!needed[i]) continue;
    Node n = graph.nodes[i];
    for (int k = 0; k < operand_count(n.operation); ++k)
      n.operand[at(k)] = renumbered[at(n.operand[at(k)])];
    if (n.operation == Operation::constant) {
      out.constants.push_back(graph.constants[at(n.operand[0])]);
      n.operand[0] = static_cast<int>(out.constants.size()) - 1;
    }
    if (n.operation == Operation::result) n.operand[0] = calls[at(n.operand[0])];
    if (n.operation == Operation::call) {
      OpaqueCall call = graph.calls[at(n.operand[0])];
      for (int& in : call.inputs) in = renumbered[at(in)];
      calls[at(n.operand[0])] = static_cast<int>(out.calls.size());
      n.operand[0] = static_cast<int>(out.calls.size());
      out.calls.push_back(std::move(call));
    }
    renumbered[i] = static_cast<int>(out.nodes.size());
    out.nodes.push_back(n);
  }
  for (const int i : graph.outputs) out.outputs.push_back(renumbered[at(i)]);
  return out;
}

void interpret(const Graph& graph, std::span<const double> inputs, std::span<double> outputs) {
  if (inputs.size() != at(graph.input_count) || outputs.size() != graph.outputs.size())
    throw std::invalid_argument("interpret: the graph has other inputs or outputs");
  std::vector<double> x(graph.nodes.size()), in;
  std::vector<std::vector<double>> results(graph.calls.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    const std::array<int, 3>& o = n.operand;
    switch (n.operation) {
      case Operation::input: x[i] = inputs[at(o[0])]; break;
      case Operation::constant: x[i] = graph.constants[at(o[0])]; break;
      case Operation::call: {
        const OpaqueCall& call = graph.calls[at(o[0])];
        in.clear();
        for (const int k : call.inputs) in.push_back(x[at(k)]);
        results[at(o[0])].resize(at(call.outputs));
        call.function->find(in, results[at(o[0])]);
        break;
      }
      case Operation::result: x[i] = results[at(o[0])][at(o[1])]; break;
      default: x[i] = evaluate(n.operation, x[at(o[0])], x[at(o[1])], x[at(o[2])]);
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = x[at(graph.outputs[i])];
}

}  // namespace berth

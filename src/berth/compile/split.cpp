// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/split.h"

#include <stdexcept>

#include "berth/compile/place.h"

namespace berth {

namespace {

// Of each node: does it depend on a varying input?
std::vector<char> find_varying(const Graph& graph, std::span<const char> inputs) {
  std::vector<char> nodes(graph.nodes.size(), 0), calls(graph.calls.size(), 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    bool is_varying = false;
    for (int k = 0; k < operand_count(n.operation); ++k)
      is_varying = is_varying || nodes[place(n.operand[place(k)])] != 0;
    if (n.operation == Operation::input) is_varying = inputs[place(n.operand[0])] != 0;
    if (n.operation == Operation::result) is_varying = calls[place(n.operand[0])] != 0;
    if (n.operation == Operation::call) {
      for (const int in : graph.calls[place(n.operand[0])].inputs)
        is_varying = is_varying || nodes[place(in)] != 0;
      calls[place(n.operand[0])] = is_varying;
    }
    nodes[i] = is_varying;
  }
  return nodes;
}

// One of the two parts, as it grows.
class SplitPart {
 public:
  explicit SplitPart(const Graph& whole)
      : whole_(whole), node_of_(whole.nodes.size(), -1), call_of_(whole.calls.size(), -1) {}

  // A node of the whole as an input of the part.
  void add_input(int i, int number) {
    node_of_[place(i)] = add({Operation::input, {number, 0, 0}});
  }
  bool has(int i) const { return node_of_[place(i)] >= 0; }

  // A node of the whole whose operands are here, but for constants.
  int copy(int i) {
    if (has(i)) return node_of_[place(i)];
    Node n = whole_.nodes[place(i)];
    for (int k = 0; k < operand_count(n.operation); ++k)
      n.operand[place(k)] = copy(n.operand[place(k)]);
    if (n.operation == Operation::constant) {
      graph.constants.push_back(whole_.constants[place(n.operand[0])]);
      n.operand[0] = static_cast<int>(graph.constants.size()) - 1;
    }
    if (n.operation == Operation::result) n.operand[0] = call_of_[place(n.operand[0])];
    if (n.operation == Operation::call) {
      OpaqueCall call = whole_.calls[place(n.operand[0])];
      for (int& in : call.inputs) in = copy(in);
      const int which = static_cast<int>(graph.calls.size());
      call_of_[place(n.operand[0])] = which;
      n.operand[0] = which;
      graph.calls.push_back(std::move(call));
    }
    return node_of_[place(i)] = add(n);
  }

  Graph graph;

 private:
  int add(const Node& n) {
    graph.nodes.push_back(n);
    return static_cast<int>(graph.nodes.size()) - 1;
  }

  const Graph& whole_;
  std::vector<int> node_of_, call_of_;  // of those of the whole
};

}  // namespace

SplitGraph split_by_inputs(const Graph& whole, std::span<const char> varying) {
  if (varying.size() != place(whole.input_count))
    throw std::invalid_argument("split_by_inputs: the graph has other inputs");
  const Graph graph = without_dead_nodes(whole);
  const std::vector<char> is_varying = find_varying(graph, varying);

  SplitGraph split;
  SplitPart prepare(graph), evaluate(graph);
  // Inputs have their numbers whether a node reads them or not.
  std::vector<int> number_of(place(graph.input_count));
  for (int i = 0; i < graph.input_count; ++i) {
    std::vector<int>& all = varying[place(i)] ? split.varying : split.fixed;
    number_of[place(i)] = static_cast<int>(all.size());
    all.push_back(i);
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (const Node& n = graph.nodes[i]; n.operation == Operation::input)
      (is_varying[i] ? evaluate : prepare)
          .add_input(static_cast<int>(i), number_of[place(n.operand[0])]);
  prepare.graph.input_count = static_cast<int>(split.fixed.size());
  evaluate.graph.input_count = static_cast<int>(split.varying.size());

  // A fixed value that the rest needs is kept; one that is a constant is a constant there too.
  const auto keep = [&](int i) {
    if (is_varying[place(i)] || evaluate.has(i)) return;
    if (graph.nodes[place(i)].operation == Operation::constant) return;
    prepare.graph.outputs.push_back(prepare.copy(i));
    evaluate.add_input(i, evaluate.graph.input_count++);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    const bool is_free = n.operation == Operation::constant || n.operation == Operation::input;
    if (!is_free && !is_varying[i]) prepare.copy(static_cast<int>(i));
    if (!is_varying[i] || is_free) continue;
    for (int k = 0; k < operand_count(n.operation); ++k) keep(n.operand[place(k)]);
    if (n.operation == Operation::call)
      for (const int in : graph.calls[place(n.operand[0])].inputs) keep(in);
    evaluate.copy(static_cast<int>(i));
  }
  for (const int i : graph.outputs) {
    keep(i);
    evaluate.graph.outputs.push_back(evaluate.copy(i));
  }
  split.prepare = std::move(prepare.graph);
  split.evaluate = std::move(evaluate.graph);
  return split;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/simplify.h"

#include <bit>
#include <unordered_map>
#include <utility>

namespace berth {
namespace {

std::size_t as_index(int i) { return static_cast<std::size_t>(i); }

// Of each node: may somebody feel the sign of its zero, or of its infinity?
struct Felt {
  std::vector<char> zero, infinity;
};

Felt find_felt(const Graph& graph) {
  Felt felt{std::vector<char>(graph.nodes.size(), 0), std::vector<char>(graph.nodes.size(), 0)};
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& n = graph.nodes[i];
    const bool zero = felt.zero[i] != 0, infinity = felt.infinity[i] != 0;
    const auto mark = [&](int k, bool of_zero, bool of_infinity) {
      const std::size_t at = as_index(n.operand[as_index(k)]);
      felt.zero[at] |= of_zero;
      felt.infinity[at] |= of_infinity;
    };
    // x ± c does not distinguish zeros of x.
    const auto hides = [&](int k) {
      const Node& other = graph.nodes[as_index(n.operand[as_index(k)])];
      return other.operation == Operation::constant &&
             graph.constants[as_index(other.operand[0])] != 0;
    };
    switch (n.operation) {
      case Operation::add:
      case Operation::subtract:
        mark(0, zero && !hides(1), infinity);
        mark(1, zero && !hides(0), infinity);
        break;
      case Operation::multiply: mark(0, zero, infinity), mark(1, zero, infinity); break;
      case Operation::divide: mark(0, zero, infinity), mark(1, infinity, zero); break;
      case Operation::negate:
      case Operation::square_root: mark(0, zero, infinity); break;
      case Operation::sine: mark(0, zero, false); break;
      case Operation::select: mark(1, zero, infinity), mark(2, zero, infinity); break;
      case Operation::copy_sign: mark(1, true, true); break;
      case Operation::arc_tangent: mark(0, true, true), mark(1, true, true); break;
      case Operation::call:
        for (const int in : graph.calls[as_index(n.operand[0])].inputs)
          felt.zero[as_index(in)] = felt.infinity[as_index(in)] = 1;
        break;
      case Operation::exponential:
      case Operation::logarithm: mark(0, false, true); break;
      case Operation::less:
      case Operation::less_equal:
      case Operation::equal: mark(0, false, true), mark(1, false, true); break;
      case Operation::input:
      case Operation::constant:
      case Operation::result:
      case Operation::absolute:
      case Operation::cosine:
      case Operation::both:
      case Operation::either:
      case Operation::negation: break;
    }
  }
  return felt;
}

bool commutes(Operation o) {
  return o == Operation::add || o == Operation::multiply || o == Operation::equal ||
         o == Operation::both || o == Operation::either;
}

// The graph as it grows anew.
class Builder {
 public:
  explicit Builder(const Graph& from) {
    graph.input_count = from.input_count;
    graph.calls = from.calls;
  }

  Graph graph;

  int constant(double x) {
    const auto [found, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(x), 0);
    if (is_new) {
      graph.constants.push_back(x);
      found->second = add({Operation::constant, {static_cast<int>(graph.constants.size()) - 1}});
    }
    return found->second;
  }

  // A node of which the operands are nodes here; felt: the sign of its zero matters.
  int make(Operation o, int a, int b, int c, bool felt) {
    const int count = operand_count(o);
    const int operands[] = {a, b, c};
    bool is_known = true;
    for (int k = 0; k < count; ++k) is_known = is_known && is_constant(operands[k]);
    if (is_known)
      return constant(evaluate(o, value(a), count > 1 ? value(b) : 0, count > 2 ? value(c) : 0));
    switch (o) {
      case Operation::multiply: return multiply(a, b, felt);
      case Operation::add:
        if (!felt && is_zero(a)) return b;
        if (!felt && is_zero(b)) return a;
        if (const int y = negated(b); y >= 0) return make(Operation::subtract, a, y, 0, felt);
        if (const int y = negated(a); y >= 0) return make(Operation::subtract, b, y, 0, felt);
        break;
      case Operation::subtract:
        if (!felt && is_zero(b)) return a;
        if (!felt && is_zero(a)) return make(Operation::negate, b, 0, 0, felt);
        if (const int y = negated(b); y >= 0) return make(Operation::add, a, y, 0, felt);
        break;
      case Operation::divide:
        if (const int y = negated(a); y >= 0)
          return make(Operation::negate, make(Operation::divide, y, b, 0, felt), 0, 0, felt);
        break;
      case Operation::negate:
        if (const int y = negated(a); y >= 0) return y;
        if (const Node& n = node(a); !felt && n.operation == Operation::subtract)
          return make(Operation::subtract, n.operand[1], n.operand[0], 0, felt);
        break;
      case Operation::select:
        if (is_constant(a)) return value(a) != 0 ? b : c;
        if (b == c) return b;
        break;
      default: break;
    }
    Node n{o, {}};
    for (int k = 0; k < count; ++k) n.operand[as_index(k)] = operands[k];
    if (commutes(o) && n.operand[1] < n.operand[0]) std::swap(n.operand[0], n.operand[1]);
    return find_or_add(n);
  }

  int find_or_add(const Node& n) {
    const auto [found, is_new] = known_.try_emplace(n, 0);
    if (is_new) found->second = add(n);
    return found->second;
  }

 private:
  struct HashOfNode {
    std::size_t operator()(const Node& n) const {
      auto h = static_cast<std::uint64_t>(n.operation);
      for (const int o : n.operand)
        h = (h ^ static_cast<std::uint32_t>(o)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
      return h;
    }
  };

  int multiply(int a, int b, bool felt) {
    if (!felt && (is_zero(a) || is_zero(b))) return constant(0.0);
    if (is_constant(a) && value(a) == 1) return b;
    if (is_constant(b) && value(b) == 1) return a;
    if (is_constant(a) && value(a) == -1) return make(Operation::negate, b, 0, 0, felt);
    if (is_constant(b) && value(b) == -1) return make(Operation::negate, a, 0, 0, felt);
    const int not_a = negated(a), not_b = negated(b);
    if (not_a >= 0 || not_b >= 0) {
      const int product =
          make(Operation::multiply, not_a >= 0 ? not_a : a, not_b >= 0 ? not_b : b, 0, felt);
      return not_a >= 0 && not_b >= 0 ? product : make(Operation::negate, product, 0, 0, felt);
    }
    Node n{Operation::multiply, {a, b}};
    if (n.operand[1] < n.operand[0]) std::swap(n.operand[0], n.operand[1]);
    return find_or_add(n);
  }

  const Node& node(int i) const { return graph.nodes[as_index(i)]; }
  bool is_constant(int i) const { return node(i).operation == Operation::constant; }
  double value(int i) const { return graph.constants[as_index(node(i).operand[0])]; }
  bool is_zero(int i) const { return is_constant(i) && value(i) == 0; }
  int negated(int i) const {
    return node(i).operation == Operation::negate ? node(i).operand[0] : -1;
  }
  int add(const Node& n) {
    graph.nodes.push_back(n);
    return static_cast<int>(graph.nodes.size()) - 1;
  }

  std::unordered_map<Node, int, HashOfNode> known_;
  std::unordered_map<std::uint64_t, int> constants_;
};

Graph simplify_once(const Graph& graph) {
  const std::vector<char> felt = find_felt(graph).zero;
  Builder builder(graph);
  std::vector<int> made(graph.nodes.size(), -1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    switch (n.operation) {
      case Operation::constant:
        made[i] = builder.constant(graph.constants[as_index(n.operand[0])]);
        break;
      case Operation::call:
        for (int& in : builder.graph.calls[as_index(n.operand[0])].inputs) in = made[as_index(in)];
        made[i] = builder.find_or_add(n);
        break;
      case Operation::input:
      case Operation::result: made[i] = builder.find_or_add(n); break;
      default: {
        const auto operand = [&](int k) {
          return k < operand_count(n.operation) ? made[as_index(n.operand[as_index(k)])] : 0;
        };
        made[i] = builder.make(n.operation, operand(0), operand(1), operand(2), felt[i] != 0);
      }
    }
  }
  for (const int o : graph.outputs) builder.graph.outputs.push_back(made[as_index(o)]);
  return without_dead_nodes(builder.graph);
}

}  // namespace

// What has become constant may hide the sign of another zero.
Graph simplify(const Graph& graph) {
  Graph now = simplify_once(graph);
  for (;;) {
    Graph next = simplify_once(now);
    if (next.nodes.size() == now.nodes.size()) return next;
    now = std::move(next);
  }
}

}  // namespace berth

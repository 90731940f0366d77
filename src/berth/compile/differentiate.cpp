// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/differentiate.h"

#include <optional>
#include <stdexcept>
#include <vector>

#include "berth/compile/place.h"
#include "berth/scalar/trace.h"

namespace berth {
namespace {

// Nothing in it: none of what varies has an influence.
struct Slope {
  std::optional<Trace> of = {};
};

Slope operator-(const Slope& a) { return a.of ? Slope{-*a.of} : a; }
Slope operator+(const Slope& a, const Slope& b) {
  if (a.of && b.of) return {*a.of + *b.of};
  return a.of ? a : b;
}
Slope operator-(const Slope& a, const Slope& b) {
  if (a.of && b.of) return {*a.of - *b.of};
  return a.of ? a : -b;
}
Slope operator*(const Trace& a, const Slope& b) { return b.of ? Slope{a * *b.of} : b; }
Slope operator/(const Slope& a, const Trace& b) { return a.of ? Slope{*a.of / b} : a; }

Trace choose(const Trace& condition, const Trace& a, const Trace& b) {
  return Tape::record(Operation::select, condition, a, b);
}

// Of operation(a, b, c) = y.
Slope find_slope(Operation operation, const Trace (&of)[3], const Slope (&slope)[3],
                 const Trace& y) {
  const auto& [a, b, c] = of;
  const auto& [da, db, dc] = slope;
  switch (operation) {
    case Operation::add: return da + db;
    case Operation::subtract: return da - db;
    case Operation::multiply: return b * da + a * db;
    case Operation::divide: return (da - y * db) / b;
    case Operation::negate: return -da;
    case Operation::absolute:
      if (!da.of) return {};
      return {select(a < 0.0, -*da.of, *da.of)};
    case Operation::copy_sign: return (copysign(1.0, a) * copysign(1.0, b)) * da;
    case Operation::square_root:
      // Zero with zero slope keeps zero slope (a norm at rest).
      return select(y > 0.0, 0.5 / y, 0.0) * da;
    case Operation::sine: return Tape::record(Operation::cosine, a) * da;
    case Operation::cosine: return -(Tape::record(Operation::sine, a) * da);
    case Operation::arc_tangent: return (b * da - a * db) / (b * b + a * a);
    case Operation::exponential: return y * da;
    case Operation::logarithm: return da / a;
    case Operation::select:
      if (!db.of && !dc.of) return {};
      return {choose(a, db.of.value_or(0.0), dc.of.value_or(0.0))};
    default: return {};  // conditions
  }
}

}  // namespace

Graph differentiate(const Graph& graph, std::span<const char> varies) {
  if (varies.size() != place(graph.input_count))
    throw std::invalid_argument("differentiate: the graph has other inputs");
  Tape tape;
  std::vector<Trace> inputs(varies.size());
  for (Trace& x : inputs) x = tape.input();
  std::vector<Slope> input_slopes(varies.size());
  for (std::size_t i = 0; i < varies.size(); ++i)
    if (varies[i]) input_slopes[i].of = tape.input();

  std::vector<Trace> value(graph.nodes.size());
  std::vector<Slope> slope(graph.nodes.size());
  std::vector<std::vector<Trace>> results(graph.calls.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    const auto which = place(n.operand[0]);
    switch (n.operation) {
      case Operation::input:
        value[i] = inputs[which];
        slope[i] = input_slopes[which];
        continue;
      case Operation::constant: value[i] = graph.constants[which]; continue;
      case Operation::call: {
        const OpaqueCall& call = graph.calls[which];
        std::vector<Trace> in;
        for (const int k : call.inputs) {
          if (slope[place(k)].of)
            throw std::invalid_argument("differentiate: " + std::string(call.function->name) +
                                        " has no slope");
          in.push_back(value[place(k)]);
        }
        results[which].resize(place(call.outputs));
        Tape::call(*call.function, in, results[which]);
        continue;
      }
      case Operation::result: value[i] = results[which][place(n.operand[1])]; continue;
      default: break;
    }
    Trace of[3];
    Slope of_slope[3];
    for (int k = 0; k < operand_count(n.operation); ++k) {
      of[k] = value[place(n.operand[place(k)])];
      of_slope[k] = slope[place(n.operand[place(k)])];
    }
    value[i] = Tape::record(n.operation, of[0], of[1], of[2]);
    slope[i] = find_slope(n.operation, of, of_slope, value[i]);
  }
  std::vector<Trace> outputs;
  for (const int i : graph.outputs) outputs.push_back(slope[place(i)].of.value_or(0.0));
  return tape.finish(outputs);
}

}  // namespace berth

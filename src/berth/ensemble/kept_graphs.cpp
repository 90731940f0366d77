// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/kept_graphs.h"

#include <utility>

#include "berth/compile/build_id.h"
#include "berth/math/nonnegative.h"
#include "berth/run/archive.h"

namespace berth {

// A node as it is written: its operands are nodes before it, or places in the lists of its graph.
void visit_state(auto& a, Is<Node> auto& n) {
  auto& [operation, operand] = n;
  a.choice(operation, Operation::select);
  a(operand);
}
void visit_state(auto& a, Is<OpaqueCall> auto& c) {
  auto& [function, inputs, outputs] = c;
  std::string name(a.reads ? "" : function->name);
  a(name, inputs, outputs);
  if constexpr (std::remove_cvref_t<decltype(a)>::reads) {
    function = find_opaque_function(name);
    a.check(function, "it calls what is not there");
  }
}
void visit_state(auto& a, Is<Graph> auto& g) {
  auto& [input_count, constants, calls, nodes, outputs] = g;
  a(input_count, constants, calls, nodes, outputs);
}
void visit_state(auto& a, Is<KeptGraphs> auto& r) {
  auto& [library, prepare, guard, truth, calls] = r;
  a(library, prepare, guard, truth, calls);
}

namespace {

constexpr std::string_view kFormat = "berth graphs 1";

// Every operand stands before its user, every place is inside its list.
bool is_sound(const Graph& g) {
  const auto is_below = [](int i, auto count) { return i >= 0 && std::cmp_less(i, count); };
  std::vector<char> is_called(g.calls.size(), 0);
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    const Node& node = g.nodes[n];
    const int first = node.operand[0];
    switch (node.operation) {
      case Operation::input:
        if (!is_below(first, g.input_count)) return false;
        break;
      case Operation::constant:
        if (!is_below(first, g.constants.size())) return false;
        break;
      case Operation::call:
        if (!is_below(first, g.calls.size())) return false;
        for (const int i : g.calls[static_cast<std::size_t>(first)].inputs)
          if (!is_below(i, n)) return false;
        is_called[static_cast<std::size_t>(first)] = 1;
        break;
      case Operation::result:
        if (!is_below(first, g.calls.size()) || !is_called[static_cast<std::size_t>(first)] ||
            !is_below(node.operand[1], g.calls[static_cast<std::size_t>(first)].outputs))
          return false;
        break;
      default:
        for (const int i : node.operand)
          if (!is_below(i, n)) return false;
    }
  }
  for (const int i : g.outputs)
    if (!is_below(i, g.nodes.size())) return false;
  return true;
}

}  // namespace

const OpaqueFunction* find_opaque_function(std::string_view name) {
  for (const OpaqueFunction* f : {&kFindNonnegative})
    if (f->name == name) return f;
  return nullptr;
}

std::string describe_recorded(const Core& core, const Mode<double>& mode, const SystemNotes& notes,
                              std::span<const char> is_free) {
  static const std::string build = find_build_id();
  if (build.empty()) return {};
  std::string conditions, structure;
  add_conditions(core, conditions);
  add_structure(core, mode, structure);
  const std::string inputs(is_free.begin(), is_free.end());
  ByteWriter out;
  out(build, notes.structure, conditions, structure, notes.numbers, inputs);
  return std::string(kFormat) + std::move(out.bytes());
}

std::string write_kept_graphs(const KeptGraphs& kept) {
  ByteWriter out;
  out(kept);
  return std::string(kFormat) + out.bytes();
}

KeptGraphs read_kept_graphs(std::string_view bytes) {
  if (!bytes.starts_with(kFormat)) throw std::runtime_error("these bytes are no graphs");
  ByteReader in(bytes.substr(kFormat.size()));
  KeptGraphs kept;
  in(kept);
  in.check(in.left() == 0, "it has more than it should");
  in.check(is_sound(kept.prepare) && is_sound(kept.guard) &&
               kept.truth.size() == kept.guard.outputs.size(),
           "its graphs are none");
  for (const CalledNames& names : kept.calls)
    for (const std::string& name : names)
      in.check(find_opaque_function(name), "its code calls what is not there");
  return kept;
}

}  // namespace berth

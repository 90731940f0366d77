// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/trace.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

namespace berth {

namespace {

thread_local Tape* current = nullptr;

bool is_commutative(Operation o) {
  return o == Operation::add || o == Operation::multiply || o == Operation::equal ||
         o == Operation::both || o == Operation::either;
}

bool is_zero(double x, bool negative) { return x == 0 && std::signbit(x) == negative; }

}  // namespace

struct Tape::Store {
  struct HashOfNode {
    std::size_t operator()(const Node& n) const {
      std::uint64_t h = static_cast<std::uint64_t>(n.operation);
      for (const int o : n.operand)
        h = (h ^ static_cast<std::uint32_t>(o)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
      return h;
    }
  };

  std::uint32_t id = 0;
  int operations = 0;
  Graph graph;
  std::vector<char> never_minus_zero;        // of each node
  std::vector<std::optional<double>> value;  // of each node that depends on parameters alone
  std::vector<Guard> guards;
  std::unordered_map<Node, int, HashOfNode> known;
  std::unordered_map<std::uint64_t, int> known_constants;  // by their bits

  int add(const Node& n) {
    const auto [found, is_new] = known.try_emplace(n, static_cast<int>(graph.nodes.size()));
    if (is_new) {
      graph.nodes.push_back(n);
      never_minus_zero.push_back(is_never_minus_zero(n));
      value.push_back(find_value(n));
    }
    return found->second;
  }
  std::optional<double> find_value(const Node& n) const {
    if (n.operation == Operation::constant)
      return graph.constants[static_cast<std::size_t>(n.operand[0])];
    const int count = operand_count(n.operation);
    double of[3] = {};
    for (int k = 0; k < count; ++k) {
      const auto& operand = value[static_cast<std::size_t>(n.operand[static_cast<std::size_t>(k)])];
      if (!operand) return {};
      of[k] = *operand;
    }
    if (count == 0) return {};  // inputs, and results of calls
    return evaluate(n.operation, of[0], of[1], of[2]);
  }
  bool is_never_minus_zero(const Node& n) const {
    const auto of = [&](int k) {
      return never_minus_zero[static_cast<std::size_t>(n.operand[static_cast<std::size_t>(k)])] !=
             0;
    };
    switch (n.operation) {
      case Operation::constant:
        return !is_zero(graph.constants[static_cast<std::size_t>(n.operand[0])], true);
      case Operation::add: return of(0) || of(1);
      case Operation::subtract:
      case Operation::square_root: return of(0);
      case Operation::multiply: return n.operand[0] == n.operand[1];
      case Operation::absolute:
      case Operation::exponential: return true;
      case Operation::select: return of(1) && of(2);
      default: return false;
    }
  }
  const Node& node(int i) const { return graph.nodes[static_cast<std::size_t>(i)]; }
};

Tape::Tape() : store_(std::make_unique<Store>()) {
  if (current) throw std::logic_error("Tape: another one is under way in this thread");
  static std::atomic<std::uint32_t> count = 0;
  store_->id = ++count;
  current = this;
}
Tape::~Tape() { current = nullptr; }

int Tape::operations() const { return store_->operations; }

Trace Tape::number(int node) const {
  Trace x;
  x.node_ = node;
  x.tape_ = store_->id;
  return x;
}

Trace Tape::input() {
  return number(store_->add({Operation::input, {store_->graph.input_count++, 0, 0}}));
}

Trace Tape::parameter(double value) {
  const Trace x = input();
  store_->value[static_cast<std::size_t>(x.node_)] = value;
  return x;
}

const std::vector<Guard>& Tape::guards() const { return store_->guards; }

std::optional<double> Tape::decide(const Trace& x) {
  if (x.is_constant()) return x.constant_;
  if (!current) return {};
  Store& store = *current->store_;
  const std::optional<double> known = store.value[static_cast<std::size_t>(current->node_of(x))];
  if (known && std::none_of(store.guards.begin(), store.guards.end(),
                            [&](const Guard& g) { return g.number.node_ == x.node_; }))
    store.guards.push_back({x, *known});
  return known;
}

int Tape::node_of(const Trace& x) {
  if (!x.is_constant()) {
    if (x.tape_ != store_->id) throw std::logic_error("Tape: a number of another tape");
    return x.node_;
  }
  const auto [found, is_new] =
      store_->known_constants.try_emplace(std::bit_cast<std::uint64_t>(x.constant_), 0);
  if (is_new) {
    store_->graph.constants.push_back(x.constant_);
    const int which = static_cast<int>(store_->graph.constants.size()) - 1;
    found->second = store_->add({Operation::constant, {which, 0, 0}});
  }
  return found->second;
}

Trace Tape::record(Operation operation, const Trace& a, const Trace& b, const Trace& c) {
  if (current) ++current->store_->operations;
  return make(operation, a, b, c);
}

Trace Tape::make(Operation operation, const Trace& a, const Trace& b, const Trace& c) {
  const Trace* const operands[] = {&a, &b, &c};
  const int count = operand_count(operation);
  bool is_known = true;
  for (int k = 0; k < count; ++k) is_known = is_known && operands[k]->is_constant();
  if (is_known) return evaluate(operation, a.constant_, b.constant_, c.constant_);
  if (!current) throw std::logic_error("Tape: a number outlived its tape");
  Store& store = *current->store_;

  // What gives the same bits without the operation.
  const auto is = [](const Trace& x, double y) { return x.is_constant() && x.constant_ == y; };
  const auto is_signed_zero = [](const Trace& x, bool negative) {
    return x.is_constant() && is_zero(x.constant_, negative);
  };
  const auto same = [&](const Trace& x, const Trace& y) {
    return current->node_of(x) == current->node_of(y);
  };
  // y of a node −y, or −1
  const auto negated = [&](const Trace& x) {
    return !x.is_constant() && store.node(current->node_of(x)).operation == Operation::negate
               ? store.node(x.node_).operand[0]
               : -1;
  };
  const auto absorbs_zero = [&](const Trace& x) {
    return store.never_minus_zero[static_cast<std::size_t>(current->node_of(x))] != 0;
  };
  switch (operation) {
    case Operation::add:
      if (is_signed_zero(b, true) || (is_signed_zero(b, false) && absorbs_zero(a))) return a;
      if (is_signed_zero(a, true) || (is_signed_zero(a, false) && absorbs_zero(b))) return b;
      if (const int y = negated(b); y >= 0)
        return current->number(store.add({Operation::subtract, {current->node_of(a), y, 0}}));
      if (const int y = negated(a); y >= 0)
        return current->number(store.add({Operation::subtract, {current->node_of(b), y, 0}}));
      break;
    case Operation::subtract:
      if (is_signed_zero(b, false)) return a;
      if (const int y = negated(b); y >= 0) {
        const int x = current->node_of(a);
        return current->number(store.add({Operation::add, {std::min(x, y), std::max(x, y), 0}}));
      }
      break;
    case Operation::multiply:
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      if (is(a, -1)) return make(Operation::negate, b, {}, {});
      if (is(b, -1)) return make(Operation::negate, a, {}, {});
      break;
    case Operation::divide:
      if (is(b, 1)) return a;
      break;
    case Operation::negate:
      if (const int y = negated(a); y >= 0) return current->number(y);
      break;
    case Operation::select:
      if (a.is_constant()) return a.constant_ != 0 ? b : c;
      if (same(b, c)) return b;
      break;
    default: break;
  }

  Node n{operation, {}};
  for (int k = 0; k < count; ++k)
    n.operand[static_cast<std::size_t>(k)] = current->node_of(*operands[k]);
  if (is_commutative(operation) && n.operand[1] < n.operand[0])
    std::swap(n.operand[0], n.operand[1]);
  return current->number(store.add(n));
}

void Tape::call(const OpaqueFunction& function, std::span<const Trace> in, std::span<Trace> out) {
  if (!current) throw std::logic_error("Tape: a call without a tape");
  Store& store = *current->store_;
  ++store.operations;
  OpaqueCall call{&function, {}, static_cast<int>(out.size())};
  for (const Trace& x : in) call.inputs.push_back(current->node_of(x));
  int which = 0;
  const int count = static_cast<int>(store.graph.calls.size());
  for (; which < count; ++which) {
    const OpaqueCall& made = store.graph.calls[static_cast<std::size_t>(which)];
    if (made.function == call.function && made.inputs == call.inputs &&
        made.outputs == call.outputs)
      break;
  }
  if (which == count) {
    store.graph.calls.push_back(std::move(call));
    store.add({Operation::call, {which, 0, 0}});
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = current->number(store.add({Operation::result, {which, static_cast<int>(i), 0}}));
}

Graph Tape::finish(std::span<const Trace> outputs) {
  std::vector<int> nodes;
  for (const Trace& x : outputs) nodes.push_back(node_of(x));
  Graph graph = store_->graph;
  graph.outputs = std::move(nodes);
  return without_dead_nodes(graph);
}

std::string Tape::describe(const Trace& x) {
  if (x.is_constant()) return std::to_string(x.constant_);
  if (!current || x.tape_ != current->store_->id) return "a number of another tape";
  const Store& store = *current->store_;
  const Node& n = store.node(x.node_);
  std::string text(name(n.operation));
  for (int k = 0; k < operand_count(n.operation); ++k) {
    const Node& o = store.node(n.operand[static_cast<std::size_t>(k)]);
    text += k == 0 ? "(" : ", ";
    text += o.operation == Operation::constant
                ? std::to_string(store.graph.constants[static_cast<std::size_t>(o.operand[0])])
                : std::string(name(o.operation));
  }
  return operand_count(n.operation) > 0 ? text + ")" : text;
}

Trace& Trace::operator+=(const Trace& b) { return *this = *this + b; }
Trace& Trace::operator-=(const Trace& b) { return *this = *this - b; }
Trace& Trace::operator*=(const Trace& b) { return *this = *this * b; }
Trace& Trace::operator/=(const Trace& b) { return *this = *this / b; }

Trace operator+(const Trace& a, const Trace& b) { return Tape::record(Operation::add, a, b); }
Trace operator-(const Trace& a, const Trace& b) { return Tape::record(Operation::subtract, a, b); }
Trace operator*(const Trace& a, const Trace& b) { return Tape::record(Operation::multiply, a, b); }
Trace operator/(const Trace& a, const Trace& b) { return Tape::record(Operation::divide, a, b); }
Trace operator-(const Trace& a) { return Tape::record(Operation::negate, a); }

TracedCondition operator<(const Trace& a, const Trace& b) {
  return TracedCondition(Tape::record(Operation::less, a, b));
}
TracedCondition operator>(const Trace& a, const Trace& b) { return b < a; }
TracedCondition operator<=(const Trace& a, const Trace& b) {
  return TracedCondition(Tape::record(Operation::less_equal, a, b));
}
TracedCondition operator>=(const Trace& a, const Trace& b) { return b <= a; }
TracedCondition operator==(const Trace& a, const Trace& b) {
  return TracedCondition(Tape::record(Operation::equal, a, b));
}
TracedCondition operator!=(const Trace& a, const Trace& b) { return !(a == b); }
TracedCondition operator&&(const TracedCondition& a, const TracedCondition& b) {
  return TracedCondition(Tape::record(Operation::both, a.truth(), b.truth()));
}
TracedCondition operator||(const TracedCondition& a, const TracedCondition& b) {
  return TracedCondition(Tape::record(Operation::either, a.truth(), b.truth()));
}
TracedCondition operator!(const TracedCondition& a) {
  return TracedCondition(Tape::record(Operation::negation, a.truth()));
}
Trace select(const TracedCondition& condition, const Trace& a, const Trace& b) {
  return Tape::record(Operation::select, condition.truth(), a, b);
}
Trace select(bool condition, const Trace& a, const Trace& b) { return condition ? a : b; }

TracedCondition::operator bool() const {
  const std::optional<double> truth = Tape::decide(truth_);
  if (!truth) throw BranchOnValue("branch on a value that is recorded: " + Tape::describe(truth_));
  return *truth != 0;
}

Trace sqrt(const Trace& x) { return Tape::record(Operation::square_root, x); }
Trace abs(const Trace& x) { return Tape::record(Operation::absolute, x); }
Trace copysign(const Trace& size, const Trace& sign) {
  return Tape::record(Operation::copy_sign, size, sign);
}
Trace atan2(const Trace& y, const Trace& x) { return Tape::record(Operation::arc_tangent, y, x); }
Trace exp(const Trace& x) { return Tape::record(Operation::exponential, x); }
Trace log(const Trace& x) { return Tape::record(Operation::logarithm, x); }
SinCos<Trace> sin_cos(const Trace& x) {
  return {Tape::record(Operation::sine, x), Tape::record(Operation::cosine, x)};
}

double value(const Trace& x) {
  const std::optional<double> known = Tape::decide(x);
  if (!known)
    throw BranchOnValue("the value of a recorded number was asked for: " + Tape::describe(x));
  return *known;
}
bool is_finite(const Trace& x) { return std::isfinite(value(x)); }

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/emit_c.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/compile/place.h"
#include "berth/scalar/elementary_text.h"

namespace berth {

namespace {

bool gives_mask(Operation operation) {
  switch (operation) {
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::both:
    case Operation::either:
    case Operation::negation: return true;
    default: return false;
  }
}

// f(node) for every node that a node needs.
template <class F>
void for_each_operand(const Graph& graph, const Node& n, F&& f) {
  for (int k = 0; k < operand_count(n.operation); ++k) f(n.operand[place(k)]);
  if (n.operation == Operation::call)
    for (const int in : graph.calls[place(n.operand[0])].inputs) f(in);
}

// --- what stands before the functions ----------------------------------------------------------------

constexpr std::string_view kCallText = R"(
typedef struct {
  void (*find)(const void *function, const double *in, int in_count, double *out, int out_count);
  const void *function;
} berth_call;
#if defined(__GNUC__)
#define BERTH_APART static __attribute__((noinline))
#else
#define BERTH_APART static
#endif
)";

constexpr std::string_view kOneLaneText = R"(
#define BERTH_NUMBER(mask) ((mask) ? 1.0 : 0.0)
#define BERTH_NOT(mask) (!(mask))
)";

// A comparison is −1 or 0 in each lane: all bits or none.
constexpr std::string_view kLanesText = R"(
typedef double berth_memory __attribute__((vector_size(8 * BERTH_LANES), aligned(8), may_alias));
#define BERTH_NUMBER(mask) ((berth_number)((mask) & (berth_mask)berth_splat(1.0)))
#define BERTH_NOT(mask) (~(mask))
)";

// --- a function ----------------------------------------------------------------------------------------

constexpr int kNoSlot = -1;

// Where values live: a graph is cut into parts, each a function of C.
struct FunctionPlan {
  std::vector<int> order;    // nodes; the results of a call follow it
  std::vector<int> part_of;  // of each node
  std::vector<int> slot_of;  // of a value that a later part needs, kNoSlot of others
  int parts = 1, slots = 0;
};

bool is_loaded(Operation operation) {
  return operation == Operation::input || operation == Operation::constant;
}

FunctionPlan make_plan(const Graph& graph, int operations_per_function) {
  const std::size_t count = graph.nodes.size();
  FunctionPlan plan{{}, std::vector<int>(count, 0), std::vector<int>(count, kNoSlot)};

  std::vector<std::vector<int>> results(graph.calls.size());
  for (std::size_t i = 0; i < count; ++i)
    if (const Node& n = graph.nodes[i]; n.operation == Operation::result)
      results[place(n.operand[0])].push_back(static_cast<int>(i));
  int operations = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Node& n = graph.nodes[i];
    if (is_loaded(n.operation) || n.operation == Operation::result) continue;
    if (operations++ == operations_per_function) operations = 1, ++plan.parts;
    plan.order.push_back(static_cast<int>(i));
    plan.part_of[i] = plan.parts - 1;
    if (n.operation != Operation::call) continue;
    for (const int result : results[place(n.operand[0])]) {
      plan.order.push_back(result);
      plan.part_of[place(result)] = plan.parts - 1;
    }
  }

  // A slot serves another value in the part after the one that needs the first last.
  std::vector<int> last(count, kNoSlot);
  for (const int i : plan.order)
    for_each_operand(graph, graph.nodes[place(i)], [&](int o) {
      last[place(o)] = std::max(last[place(o)], plan.part_of[place(i)]);
    });
  std::vector<std::vector<int>> free_from(place(plan.parts + 1));
  std::vector<int> free;
  int part = 0;
  for (const int i : plan.order) {
    for (; part < plan.part_of[place(i)]; ++part)
      free.insert(free.end(), free_from[place(part + 1)].begin(), free_from[place(part + 1)].end());
    if (last[place(i)] <= part) continue;
    if (free.empty()) free.push_back(plan.slots++);
    plan.slot_of[place(i)] = free.back();
    free_from[place(last[place(i)] + 1)].push_back(free.back());
    free.pop_back();
  }
  return plan;
}

class FunctionWriter {
 public:
  FunctionWriter(const std::string& name, const Graph& graph, const EmitOptions& options)
      : name_(name),
        graph_(graph),
        lanes_(options.lanes),
        linkage_(options.is_local ? "static " : ""),
        plan_(make_plan(graph, options.operations_per_function)),
        has_number_(graph.nodes.size(), kNoSlot),
        has_mask_(graph.nodes.size(), kNoSlot),
        has_pair_(graph.nodes.size(), kNoSlot),
        outputs_of_(graph.nodes.size()) {
    for (std::size_t i = 0; i < graph.outputs.size(); ++i)
      outputs_of_[place(graph.outputs[i])].push_back(static_cast<int>(i));
  }

  std::string write() {
    for (const int i : plan_.order) {
      if (plan_.part_of[place(i)] != part_) end_part();
      define(i);
    }
    for (const int i : graph_.outputs)
      if (is_loaded(graph_.nodes[place(i)].operation)) write_outputs(i);
    end_part();
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    body_ += "  ";
    fmt::format_to(std::back_inserter(body_), format, std::forward<Arguments>(arguments)...);
    body_ += '\n';
  }

  void end_part() {
    constexpr std::string_view parameters =
        "const double *restrict in, double *restrict out, const berth_call *calls";
    const auto mention = [&](std::string_view parameter) {
      if (body_.find(fmt::format("{}[", parameter)) == std::string::npos &&
          body_.find(fmt::format("({} ", parameter)) == std::string::npos)
        line("(void){};", parameter);
    };
    mention("in"), mention("out"), mention("calls");
    const std::string head = fmt::format("{}void {}({})", linkage_, name_, parameters);
    if (plan_.parts == 1) {
      text_ += fmt::format("\n{0};\n{0} {{\n{1}}}\n", head, body_);
      return;
    }
    if (plan_.slots > 0) mention("kept");
    const std::string_view more = plan_.slots > 0 ? ", berth_number *restrict kept" : "";
    text_ += fmt::format("\nBERTH_APART void {}_part_{}({}{}) {{\n{}}}\n", name_, part_, parameters,
                         more, body_);
    body_.clear();
    if (++part_ < plan_.parts) return;
    text_ += fmt::format("\n{0};\n{0} {{\n", head);
    if (plan_.slots > 0) text_ += fmt::format("  berth_number kept[{}];\n", plan_.slots);
    for (int i = 0; i < plan_.parts; ++i)
      text_ += fmt::format("  {}_part_{}(in, out, calls{});\n", name_, i,
                           plan_.slots > 0 ? ", kept" : "");
    text_ += "}\n";
  }

  std::string literal(double x) const {
    const std::string digits = std::isnan(x)   ? "NAN"
                               : std::isinf(x) ? (x < 0 ? "-INFINITY" : "INFINITY")
                                               : fmt::format("{:a}", x);
    if (lanes_ == 1) return digits[0] == '-' ? "(" + digits + ")" : digits;
    std::string all = "((berth_number){";
    for (int i = 0; i < lanes_; ++i) all += (i ? ", " : "") + digits;
    return all + "})";
  }

  // --- a value in this part: n12 as a number, m12 as a mask; brought in when it is first needed ----------

  std::string number(int i) {
    const Node& n = graph_.nodes[place(i)];
    if (n.operation == Operation::constant) return literal(graph_.constants[place(n.operand[0])]);
    const bool is_here = has_number_[place(i)] == part_;
    has_number_[place(i)] = part_;
    if (is_here) return fmt::format("n{}", i);
    if (n.operation == Operation::input && lanes_ == 1)
      line("const berth_number n{} = in[{}];", i, n.operand[0]);
    else if (n.operation == Operation::input)
      line("const berth_number n{} = *(const berth_memory *)(in + {});", i, lanes_ * n.operand[0]);
    else if (has_mask_[place(i)] == part_)
      line("const berth_number n{0} = BERTH_NUMBER(m{0});", i);
    else
      line("const berth_number n{} = kept[{}];", i, plan_.slot_of[place(i)]);
    return fmt::format("n{}", i);
  }
  std::string mask(int i) {
    if (has_mask_[place(i)] != part_) {
      const std::string x = number(i);
      line("const berth_mask m{} = (berth_mask)({} != 0.0);", i, x);
      has_mask_[place(i)] = part_;
    }
    return fmt::format("m{}", i);
  }
  // Of an angle, whose sine and cosine are found together.
  std::string sine_and_cosine(int i) {
    if (has_pair_[place(i)] != part_) {
      const std::string x = number(i);
      line("const berth_sine_and_cosine p{} = berth_sin_cos({});", i, x);
      has_pair_[place(i)] = part_;
    }
    return fmt::format("p{}", i);
  }

  void define(int i) {
    const Node& n = graph_.nodes[place(i)];
    if (n.operation == Operation::call) return write_call(n.operand[0]);
    const std::string right = expression(n);
    if (gives_mask(n.operation)) {
      line("const berth_mask m{} = {};", i, right);
      has_mask_[place(i)] = part_;
    } else {
      line("const berth_number n{} = {};", i, right);
      has_number_[place(i)] = part_;
    }
    if (plan_.slot_of[place(i)] != kNoSlot) {
      const std::string x = number(i);
      line("kept[{}] = {};", plan_.slot_of[place(i)], x);
    }
    write_outputs(i);
  }

  void write_outputs(int i) {
    for (const int k : outputs_of_[place(i)]) {
      const std::string x = number(i);
      if (lanes_ == 1)
        line("out[{}] = {};", k, x);
      else
        line("*(berth_memory *)(out + {}) = {};", lanes_ * k, x);
    }
    outputs_of_[place(i)].clear();
  }

  std::string expression(const Node& n) {
    const auto two = [&](std::string_view sign) {
      const std::string a = number(n.operand[0]), b = number(n.operand[1]);
      return fmt::format("{} {} {}", a, sign, b);
    };
    const auto of_one = [&](std::string_view function) {
      return fmt::format("{}({})", function, number(n.operand[0]));
    };
    const auto of_two = [&](std::string_view function) {
      const std::string a = number(n.operand[0]), b = number(n.operand[1]);
      return fmt::format("{}({}, {})", function, a, b);
    };
    const auto compared = [&](std::string_view sign) {
      return fmt::format("(berth_mask)({})", two(sign));
    };
    const auto of_masks = [&](std::string_view sign) {
      const std::string a = mask(n.operand[0]), b = mask(n.operand[1]);
      return fmt::format("{} {} {}", a, sign, b);
    };
    switch (n.operation) {
      case Operation::add: return two("+");
      case Operation::subtract: return two("-");
      case Operation::multiply: return two("*");
      case Operation::divide: return two("/");
      case Operation::negate: return "-" + number(n.operand[0]);
      case Operation::absolute: return of_one("berth_abs");
      case Operation::copy_sign: return of_two("berth_copysign");
      case Operation::square_root: return of_one("berth_sqrt");
      case Operation::sine: return sine_and_cosine(n.operand[0]) + ".sin";
      case Operation::cosine: return sine_and_cosine(n.operand[0]) + ".cos";
      case Operation::arc_tangent: return of_two("berth_atan2");
      case Operation::exponential: return of_one("berth_exp");
      case Operation::logarithm: return of_one("berth_log");
      case Operation::less: return compared("<");
      case Operation::less_equal: return compared("<=");
      case Operation::equal: return compared("==");
      case Operation::both: return of_masks("&");
      case Operation::either: return of_masks("|");
      case Operation::negation: return fmt::format("BERTH_NOT({})", mask(n.operand[0]));
      case Operation::select: {
        const std::string c = mask(n.operand[0]), a = number(n.operand[1]),
                          b = number(n.operand[2]);
        return fmt::format("berth_select({}, {}, {})", c, a, b);
      }
      case Operation::result: return fmt::format("results{}[{}]", n.operand[0], n.operand[1]);
      case Operation::input:
      case Operation::constant:
      case Operation::call: break;
    }
    throw std::logic_error("emit_c: " + std::string(name(n.operation)) + " has no expression");
  }

  void write_call(int which) {
    const OpaqueCall& call = graph_.calls[place(which)];
    std::string in;
    for (const int i : call.inputs) in += (in.empty() ? "" : ", ") + number(i);
    const std::size_t in_count = call.inputs.size(), in_size = std::max<std::size_t>(in_count, 1);
    const int out_size = std::max(call.outputs, 1);
    line("berth_number results{}[{}];", which, out_size);
    line("{{");
    line("  const berth_number all[{}] = {{{}}};", in_size, in.empty() ? "0" : in);
    if (lanes_ == 1) {
      line("  calls[{}].find(calls[{}].function, all, {}, results{}, {});", which, which, in_count,
           which, call.outputs);
    } else {
      line("  for (int lane = 0; lane < BERTH_LANES; ++lane) {{");
      line("    double from[{}], to[{}];", in_size, out_size);
      line("    for (int k = 0; k < {}; ++k) from[k] = all[k][lane];", in_count);
      line("    calls[{}].find(calls[{}].function, from, {}, to, {});", which, which, in_count,
           call.outputs);
      line("    for (int k = 0; k < {}; ++k) results{}[k][lane] = to[k];", call.outputs, which);
      line("  }}");
    }
    line("}}");
  }

  const std::string& name_;
  const Graph& graph_;
  int lanes_;
  std::string_view linkage_;
  FunctionPlan plan_;
  int part_ = 0;
  std::vector<int> has_number_, has_mask_, has_pair_;  // the part in which it was brought in last
  std::vector<std::vector<int>> outputs_of_;           // that are still to be written
  std::string text_, body_;
};

void check_name(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return c < 128 && std::isalpha(c) != 0; };
  const auto is_known = [&](unsigned char c) {
    return is_letter(c) || c == '_' || (c >= '0' && c <= '9');
  };
  if (name.empty() || !is_letter(static_cast<unsigned char>(name[0])) ||
      !std::all_of(name.begin(), name.end(), is_known))
    throw std::invalid_argument("emit_c: \"" + name + "\" is no name of a function");
}

}  // namespace

std::string emit_c_prologue(int lanes) {
  std::string text = elementary_c_prologue(lanes);
  for (const std::string_view part :
       {elementary_c_text(), kCallText, lanes == 1 ? kOneLaneText : kLanesText})
    text += part;
  return text;
}

std::string emit_c_functions(std::span<const NamedGraph> graphs, const EmitOptions& options) {
  if (options.lanes != 1 && options.lanes != 2 && options.lanes != 4 && options.lanes != 8)
    throw std::invalid_argument("emit_c: lanes must be 1, 2, 4 or 8");
  if (options.operations_per_function < 1)
    throw std::invalid_argument("emit_c: a function has one operation at least");
  std::set<std::string> names;
  std::string text;
  for (const NamedGraph& g : graphs) {
    check_name(g.name);
    if (!names.insert(g.name).second)
      throw std::invalid_argument("emit_c: two graphs are named " + g.name);
    const Graph live = without_dead_nodes(*g.graph);
    text += FunctionWriter(g.name, live, options).write();
  }
  return text;
}

FunctionSize find_size(const Graph& graph, const EmitOptions& options) {
  const Graph live = without_dead_nodes(graph);
  return {live.operation_count(), make_plan(live, options.operations_per_function).slots};
}

std::string emit_c(std::span<const NamedGraph> graphs, const EmitOptions& options) {
  const std::string functions = emit_c_functions(graphs, options);
  return emit_c_prologue(options.lanes) + functions;
}

std::string emit_c(const NamedGraph& graph, const EmitOptions& options) {
  return emit_c(std::span(&graph, 1), options);
}

CompiledCall call_of(const OpaqueFunction& function) {
  return {[](const void* called, const double* in, int in_count, double* out, int out_count) {
            static_cast<const OpaqueFunction*>(called)->find({in, place(in_count)},
                                                             {out, place(out_count)});
          },
          &function};
}

std::vector<CompiledCall> list_calls(const Graph& graph) {
  std::vector<CompiledCall> all;
  for (const OpaqueCall& call : without_dead_nodes(graph).calls)
    all.push_back(call_of(*call.function));
  return all;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "tests/compile/random_graph.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "berth/compile/place.h"

namespace berth::test {
namespace {

int pick(std::mt19937& engine, int low, int high) {
  return low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1));
}

double pick_number(std::mt19937& engine) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSpecial[] = {0.0,    -0.0,         1.0,       -1.0,       2.0,
                                 1e-310, -5e-324,      kInfinity, -kInfinity, 1e300,
                                 -1e300, std::nan(""), 3.0,       0.5};
  if (pick(engine, 0, 2) == 0)
    return kSpecial[place(pick(engine, 0, static_cast<int>(std::size(kSpecial)) - 1))];
  return std::ldexp(std::ldexp(static_cast<double>(engine()), -31) - 1, pick(engine, -3, 3));
}

const OpaqueFunction& opaque(int which) {
  static const OpaqueFunction all[] = {
      // Decides on a value.
      {"largest",
       [](std::span<const double> in, std::span<double> out) {
         double largest = -1;
         for (const double x : in)
           if (x > largest) largest = x;
         for (std::size_t i = 0; i < out.size(); ++i) out[i] = largest + static_cast<double>(i) / 3;
       }},
      {"shares",
       [](std::span<const double> in, std::span<double> out) {
         double sum = 0;
         for (const double x : in) sum += x * x;
         for (std::size_t i = 0; i < out.size(); ++i)
           out[i] = in.empty() ? 0.25 : in[i % in.size()] / sum;
       }},
  };
  return all[which];
}

}  // namespace

Graph random_graph(std::mt19937& engine, const RandomGraphOptions& options) {
  Graph g;
  g.input_count = options.inputs;
  const auto add = [&](Operation operation, int a = 0, int b = 0, int c = 0) {
    g.nodes.push_back({operation, {a, b, c}});
    return static_cast<int>(g.nodes.size()) - 1;
  };
  const auto add_constant = [&](double x) {
    g.constants.push_back(x);
    return add(Operation::constant, static_cast<int>(g.constants.size()) - 1);
  };
  std::vector<int> values;  // nodes that are numbers or conditions
  for (int i = 0; i < options.inputs; ++i) values.push_back(add(Operation::input, i));
  values.push_back(add_constant(1.0));
  const auto any = [&] {
    const int count = static_cast<int>(values.size());
    // Some reach far back.
    const int from = pick(engine, 0, 9) == 0 ? 0 : std::max(0, count - options.window);
    return values[place(pick(engine, from, count - 1))];
  };
  for (int k = 0; k < options.operations;) {
    const int a = any(), b = any(), c = any();
    if (options.like_mechanics && pick(engine, 0, 99) < 94) {
      const int kind = pick(engine, 0, 9);
      values.push_back(add(kind < 5   ? Operation::multiply
                           : kind < 8 ? Operation::add
                                      : Operation::subtract,
                           a, b));
      ++k;
      continue;
    }
    const int kind = pick(engine, 0, static_cast<int>(Operation::select) + 1);
    if (kind > static_cast<int>(Operation::select)) {
      values.push_back(add_constant(pick_number(engine)));
      continue;
    }
    const Operation operation = static_cast<Operation>(kind);
    if (operation == Operation::call) {
      if (!options.has_calls) continue;
      OpaqueCall call{&opaque(pick(engine, 0, 1)), {}, pick(engine, 1, 3)};
      for (int i = pick(engine, 0, 4); i > 0; --i) call.inputs.push_back(any());
      const int which = static_cast<int>(g.calls.size()), outputs = call.outputs;
      g.calls.push_back(std::move(call));
      add(Operation::call, which);
      for (int i = 0; i < outputs; ++i) values.push_back(add(Operation::result, which, i));
    } else if (operation == Operation::copy_sign) {
      // The sign of a NaN is open.
      const int is_number = add(Operation::equal, b, b), one = add_constant(1.0);
      values.push_back(add(operation, a, add(Operation::select, is_number, b, one)));
    } else if (operand_count(operation) == 0 ||
               (!options.has_elementary && operation >= Operation::sine &&
                operation <= Operation::logarithm)) {
      continue;
    } else {
      const int count = operand_count(operation);
      values.push_back(add(operation, a, count > 1 ? b : 0, count > 2 ? c : 0));
    }
    ++k;
  }
  for (int i = 0; i < options.outputs; ++i) g.outputs.push_back(any());
  return g;
}

std::vector<double> random_numbers(std::mt19937& engine, int count) {
  std::vector<double> x(place(count));
  for (double& y : x) y = pick_number(engine);
  return x;
}

}  // namespace berth::test

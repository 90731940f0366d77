// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/emit_c.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "berth/compile/instructions.h"
#include "berth/scalar/trace.h"
#include "tests/compile/compiled.h"
#include "tests/compile/random_graph.h"

namespace berth::emit_c_test {
namespace {

using test::Compiled;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string find_difference(const Graph& graph, CompiledFunction function, int lanes, int places,
                            std::mt19937& engine) {
  return test::find_difference(graph, function, lanes, places,
                               [&] { return test::random_numbers(engine, graph.input_count); });
}

// Many random graphs in one text, for each set of instructions of this processor.
TEST(EmitC, GivesTheBitsOfTheInterpreterInEveryLane) {
  std::mt19937 engine(1);
  std::vector<Graph> graphs;
  for (int i = 0; i < 40; ++i) {
    test::RandomGraphOptions options;
    options.inputs = 1 + i % 7;
    options.operations = 5 + 2 * i;
    options.outputs = 1 + i % 9;
    graphs.push_back(test::random_graph(engine, options));
  }
  graphs.push_back(test::random_graph(engine, {.inputs = 0, .operations = 20}));
  std::vector<NamedGraph> named;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    named.push_back({"graph_" + std::to_string(i), &graphs[i]});
  for (const InstructionSet& set : list_instructions()) {
    SCOPED_TRACE(set.name);
    // Whole, and as chains of short functions.
    for (const int longest : {500, 7}) {
      if (longest == 7 && set.lanes == 2) continue;
      const EmitOptions options{.lanes = set.lanes, .operations_per_function = longest};
      const Compiled compiled(emit_c(named, options), set);
      for (const NamedGraph& g : named)
        ASSERT_EQ(find_difference(*g.graph, compiled.function(g.name), set.lanes, 40, engine), "")
            << g.name << " in functions of " << longest;
    }
  }
}

TEST(EmitC, WritesOneLaneInStrictC99) {
  std::mt19937 engine(2);
  std::vector<Graph> graphs;
  for (int i = 0; i < 10; ++i) graphs.push_back(test::random_graph(engine));
  // Without anything it could use.
  graphs.push_back(Graph{});
  Graph constant;
  constant.constants = {std::numeric_limits<double>::quiet_NaN(),
                        -std::numeric_limits<double>::infinity(), -0.0, 5e-324};
  for (int i = 0; i < 4; ++i) {
    constant.nodes.push_back({Operation::constant, {i, 0, 0}});
    constant.outputs.push_back(i);
  }
  graphs.push_back(constant);
  std::vector<NamedGraph> named;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    named.push_back({"f" + std::to_string(i), &graphs[i]});
  InstructionSet strict = list_instructions().front();
  strict.flags = {"-Wall", "-Wextra", "-Werror", "-pedantic", "-pedantic-errors"};
  for (const int longest : {500, 9}) {
    const Compiled compiled(emit_c(named, {.operations_per_function = longest}), strict);
    for (const NamedGraph& g : named)
      EXPECT_EQ(find_difference(*g.graph, compiled.function(g.name), 1, 10, engine), "") << g.name;
  }
}

TEST(EmitC, CallsOpaqueFunctionsLaneByLane) {
  static int count = 0;
  static const OpaqueFunction function = {"double_first",
                                          [](std::span<const double> in, std::span<double> out) {
                                            ++count;
                                            out[0] = 2 * in[0];
                                          }};
  Tape tape;
  const Trace x = tape.input();
  Trace y;
  Tape::call(function, std::span(&x, 1), std::span(&y, 1));
  const Graph graph = tape.finish(std::array{y + x});
  const InstructionSet& set = list_instructions().back();
  const Compiled compiled(emit_c({"f", &graph}, {.lanes = set.lanes}), set);
  std::vector<double> in, out(at(set.lanes));
  for (int i = 0; i < set.lanes; ++i) in.push_back(i);
  const std::vector<CompiledCall> calls = list_calls(graph);
  compiled.function("f")(in.data(), out.data(), calls.data());
  for (int i = 0; i < set.lanes; ++i) EXPECT_EQ(out[at(i)], 3 * i);
  EXPECT_EQ(count, set.lanes);
}

TEST(EmitC, PassesOnWhatAnOpaqueFunctionThrows) {
  static const OpaqueFunction function = {
      "throws", [](std::span<const double>, std::span<double>) { throw std::range_error("no"); }};
  Tape tape;
  const Trace x = tape.input();
  Trace y;
  Tape::call(function, std::span(&x, 1), std::span(&y, 1));
  const Graph graph = tape.finish(std::array{y});
  const InstructionSet& set = list_instructions().front();
  const Compiled compiled(emit_c({"f", &graph}), set);
  double in = 1, out = 0;
  const std::vector<CompiledCall> calls = list_calls(graph);
  EXPECT_THROW(compiled.function("f")(&in, &out, calls.data()), std::range_error);
}

TEST(EmitC, RefusesNamesThatAreNoIdentifiers) {
  const Graph graph;
  for (const char* name : {"", "a b", "1a", "f(){}", "a;", "é", "_a", "a\n"})
    EXPECT_THROW(emit_c({name, &graph}), std::invalid_argument) << name;
  const std::vector<NamedGraph> twice = {{"f", &graph}, {"f", &graph}};
  EXPECT_THROW(emit_c(twice), std::invalid_argument);
  EXPECT_THROW(emit_c({"f", &graph}, {.lanes = 3}), std::invalid_argument);
}

TEST(Instructions, AreChosenByName) {
  EXPECT_EQ(choose_instructions("scalar").lanes, 1);
  EXPECT_EQ(choose_instructions("").name, list_instructions().back().name);
  try {
    choose_instructions("mmx");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("BERTH_INSTRUCTIONS = mmx"), std::string::npos);
  }
#if defined(__x86_64__)
  EXPECT_THROW(choose_instructions("neon"), std::invalid_argument);
#else
  EXPECT_THROW(choose_instructions("avx2"), std::invalid_argument);
#endif
}

}  // namespace
}  // namespace berth::emit_c_test

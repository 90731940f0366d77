// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/simplify.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/scalar/trace.h"
#include "tests/compile/random_graph.h"

namespace berth::simplify_test {
namespace {

std::vector<double> interpreted(const Graph& graph, const std::vector<double>& in) {
  std::vector<double> out(graph.outputs.size());
  interpret(graph, in, out);
  return out;
}

bool is_finite_throughout(Graph graph, const std::vector<double>& in) {
  graph.outputs.clear();
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i)
    if (graph.nodes[static_cast<std::size_t>(i)].operation != Operation::call)
      graph.outputs.push_back(i);
  const std::vector<double> all = interpreted(graph, in);
  return std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
}

RC_GTEST_PROP(Simplify, GivesTheSameNumbersUpToTheSignOfZero, ()) {
  std::mt19937 engine(*rc::gen::arbitrary<unsigned>());
  test::RandomGraphOptions options;
  options.operations = *rc::gen::inRange(1, 60);
  options.like_mechanics = *rc::gen::arbitrary<bool>();
  const Graph graph = test::random_graph(engine, options);
  const Graph simple = simplify(graph);
  std::uniform_int_distribution<int> few(-2, 2);
  for (int place = 0; place < 20; ++place) {
    std::vector<double> in;
    for (int i = 0; i < options.inputs; ++i)
      in.push_back(place % 2 ? few(engine) : 0.37 * few(engine) + 1e-3 * few(engine));
    for (double& x : in)
      if (x == 0 && few(engine) > 0) x = -0.0;
    if (!is_finite_throughout(graph, in)) continue;
    const std::vector<double> wanted = interpreted(graph, in), got = interpreted(simple, in);
    for (std::size_t i = 0; i < wanted.size(); ++i) RC_ASSERT(wanted[i] == got[i]);
  }
}

TEST(Simplify, DropsWhatZerosAndOnesDoNothingTo) {
  Tape tape;
  const Trace x = tape.input(), y = tape.input();
  const Graph graph = tape.finish(std::array{0.0 * x + (y + 0.0), -(x - y), (-x) * y + 0.0 * y});
  const Graph simple = simplify(graph);
  EXPECT_GT(graph.operation_count(), 6);
  EXPECT_EQ(simple.operation_count(), 3);  // y − x, x y, its negation
}

TEST(Simplify, KeepsTheSignOfAZeroThatIsFelt) {
  // In a graph of its own each: who feels it for one keeps it for all.
  const auto keeps = [](auto&& felt) {
    Tape tape;
    const Trace x = tape.input();
    const Graph graph = tape.finish(std::array<Trace, 1>{felt(0.0 * x)}), simple = simplify(graph);
    for (const double at : {-2.0, 2.0})
      EXPECT_EQ(interpreted(simple, {at}), interpreted(graph, {at})) << at;
    EXPECT_NE(interpreted(simple, {-2.0}), interpreted(simple, {2.0}));
  };
  keeps([](const Trace& zero) { return copysign(Trace(1.0), zero); });
  keeps([](const Trace& zero) { return atan2(zero, Trace(-1.0)); });
  keeps([](const Trace& zero) { return copysign(Trace(1.0), 3.0 / (5.0 / (zero + zero))); });
  // The sign of an infinity.
  keeps(
      [](const Trace& zero) { return select(1.0 / (zero + zero) > 0.0, Trace(1.0), Trace(2.0)); });
  keeps([](const Trace& zero) { return exp(-(1.0 / (zero + zero))); });
  keeps([](const Trace& zero) { return atan2(2.0 / zero - 1.0, Trace(1.0)); });
}

TEST(Simplify, DropsAZeroFromADivisorWhoseQuotientNobodyCompares) {
  Tape tape;
  const Trace x = tape.input(), y = tape.input();
  const Graph graph = tape.finish(std::array{y / (x + (0.0 * x + 0.0 * y)) + 1.0});
  const Graph simple = simplify(graph);
  EXPECT_EQ(simple.operation_count(), 2);
  for (const double at : {0.0, -0.0, 0.5, -3.0})
    for (const double over : {0.0, 2.0, -2.0}) {
      const double wanted = interpreted(graph, {at, over})[0],
                   got = interpreted(simple, {at, over})[0];
      if (std::isfinite(wanted)) {
        EXPECT_EQ(got, wanted);
      } else {
        EXPECT_FALSE(std::isfinite(got)) << "the interpreter is asked";
      }
    }
}

TEST(Simplify, AConstantHidesTheSignOfWhatIsAddedToIt) {
  Tape tape;
  const Trace x = tape.input();
  const Trace sum = 2.0 + (0.0 * x + 0.0 * x);
  const Graph simple = simplify(tape.finish(std::array{copysign(x, sum), atan2(sum, sum)}));
  EXPECT_EQ(simple.operation_count(), 1);  // of x
  EXPECT_EQ(interpreted(simple, {-3.0})[0], 3.0);
}

}  // namespace
}  // namespace berth::simplify_test

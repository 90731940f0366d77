// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/split.h"

#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/scalar/trace.h"
#include "tests/compile/random_graph.h"
#include "tests/support/numbers.h"

namespace berth::split_test {
namespace {

std::vector<double> interpreted(const Graph& graph, const std::vector<double>& in) {
  std::vector<double> out(graph.outputs.size());
  interpret(graph, in, out);
  return out;
}

std::vector<double> pick(const std::vector<double>& x, const std::vector<int>& which) {
  std::vector<double> out;
  for (const int i : which) out.push_back(x[static_cast<std::size_t>(i)]);
  return out;
}

RC_GTEST_PROP(Split, GivesTheBitsOfTheWhole, ()) {
  std::mt19937 engine(*rc::gen::arbitrary<unsigned>());
  test::RandomGraphOptions options;
  options.inputs = *rc::gen::inRange(0, 8);
  options.operations = *rc::gen::inRange(1, 120);
  const Graph graph = test::random_graph(engine, options);
  std::vector<char> varying;
  for (int i = 0; i < options.inputs; ++i) varying.push_back(*rc::gen::inRange<char>(0, 2));

  const SplitGraph split = split_by_inputs(graph, varying);
  RC_ASSERT(split.fixed.size() + split.varying.size() == varying.size());
  RC_ASSERT(split.prepare.operation_count() + split.evaluate.operation_count() ==
            without_dead_nodes(graph).operation_count());
  for (int place = 0; place < 5; ++place) {
    const std::vector<double> x = test::random_numbers(engine, options.inputs);
    const std::vector<double> kept = interpreted(split.prepare, pick(x, split.fixed));
    std::vector<double> in = pick(x, split.varying);
    in.insert(in.end(), kept.begin(), kept.end());
    const std::vector<double> wanted = interpreted(graph, x), got = interpreted(split.evaluate, in);
    RC_ASSERT(wanted.size() == got.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) RC_ASSERT(test::are_same(wanted[i], got[i]));
  }
}

TEST(Split, DoesWhatDependsOnParametersOnce) {
  Tape tape;
  const Trace state = tape.input(), parameter = tape.input();
  const Trace root = sqrt(parameter * parameter + 1.0);
  const Graph graph = tape.finish(std::array{root * state, root + 2.0});
  const SplitGraph split = split_by_inputs(graph, std::array<char, 2>{1, 0});
  EXPECT_EQ(split.prepare.operation_count(), 4);
  EXPECT_EQ(split.evaluate.operation_count(), 1);
  EXPECT_EQ(split.evaluate.input_count, 3);
  EXPECT_THROW(split_by_inputs(graph, std::array<char, 1>{1}), std::invalid_argument);
}

}  // namespace
}  // namespace berth::split_test

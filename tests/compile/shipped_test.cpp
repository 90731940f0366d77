// SPDX-License-Identifier: Apache-2.0

// The derivative of scenarios that ship, compiled: the bits of the interpreter, which are those of
// double (conformance/shipped_trace_test.cpp).

#include "tests/support/shipped.h"

#include <random>

#include <gtest/gtest.h>

#include "berth/system/docks.h"
#include "tests/compile/compiled.h"
#include "tests/support/built.h"
#include "tests/support/traced.h"

namespace berth::shipped_compiled_test {
namespace {

using test::Situation;

// All contacts touching, or none.
Graph trace_shipped(const std::string& name, bool touching, std::vector<double>& inputs) {
  const System<double> system = test::build_shipped(name).system();
  Situation at = test::starting_situation(system);
  for (ContactMode<double>& c : at.mode.contacts) c.now = c.then = {touching, false};
  Workspace<double> w(system);
  choose_rows(system, at.t, at.x, at.mode, w);
  inputs = test::find_inputs(at);
  return test::trace(system, at).graph;
}

// Around the start, and with zeros of both signs.
void expect_same_bits(const std::string& name, const InstructionSet& set) {
  SCOPED_TRACE(name + ", " + std::string(set.name));
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const bool touching : {false, true}) {
    std::vector<double> start;
    const Graph graph = trace_shipped(name, touching, start);
    const test::Compiled compiled(emit_c({"derivative", &graph}, {.lanes = set.lanes}), set);
    const auto draw = [&] {
      std::vector<double> in = start;
      const bool has_zeros = number(engine) > 0;
      for (double& x : in) {
        x += 0.1 * (1 + std::fabs(x)) * number(engine);
        if (has_zeros && number(engine) > 0) x = std::copysign(0.0, x);
      }
      return in;
    };
    EXPECT_EQ(test::find_difference(graph, compiled.function("derivative"), set.lanes, 10, draw),
              "");
  }
}

TEST(ShippedCompiledSoak, AllGiveTheBitsOfTheInterpreterWithAllInstructions) {
  for (const std::string& name : test::list_scenarios())
    for (const InstructionSet& set : list_instructions()) expect_same_bits(name, set);
}

}  // namespace
}  // namespace berth::shipped_compiled_test

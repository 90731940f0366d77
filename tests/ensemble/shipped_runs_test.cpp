// SPDX-License-Identifier: Apache-2.0

// Scenarios that ship, run: what each would be compiled to gives the bits of double, in every structure
// that it reaches.

#include <gtest/gtest.h>

#include "tests/compile/compiled.h"
#include "tests/ensemble/examiner.h"
#include "tests/support/built.h"
#include "tests/support/process.h"
#include "tests/support/random.h"
#include "tests/support/shipped.h"

namespace berth::test::shipped_runs_test {
namespace {

// `--set key=value` as settings; those that take seconds are cut short.
Strings find_settings(const std::string& name, bool to_the_end) {
  Strings settings;
  if (!to_the_end)
    for (const std::string& word : shorten(name))
      if (word != "--set") settings.push_back(word);
  return settings;
}

void run_examined(const std::string& name, Examiner& examiner, bool to_the_end = false) {
  const Built built = build_shipped(name, find_settings(name, to_the_end));
  SimulateOptions options;
  options.server = &examiner;
  simulate(built.read.scenario, built.built, options);
}

void expect_bits_of_double(const std::string& name, const ExaminerOptions& options,
                           bool to_the_end = false) {
  SCOPED_TRACE(name + (options.all_numbers_free ? ", numbers of the system as inputs" : ""));
  Examiner examiner(options);
  run_examined(name, examiner, to_the_end);
  EXPECT_EQ(examiner.difference(), "");
  for (const std::string& why : examiner.refused()) ADD_FAILURE() << "refused: " << why;
  EXPECT_TRUE(examiner.comparisons() > 0 || examiner.declined() > 0);
}

TEST(ShippedRuns, AreRecordedWithTheBitsOfDouble) {
  for (const std::string& name : list_scenarios()) expect_bits_of_double(name, {.visits = 8});
}

TEST(ShippedRuns, AreRecordedWithTheBitsOfDoubleWithNumbersOfTheSystemAsInputs) {
  for (const std::string& name : list_scenarios())
    expect_bits_of_double(name, {.visits = 4, .all_numbers_free = true});
}

TEST(ShippedRuns, AreBroughtBackOntoTheirJointsWithTheBitsOfProject) {
  for (const std::string name : {"docking", "tug_debris"}) {
    Examiner examiner;
    run_examined(name, examiner, true);
    EXPECT_EQ(examiner.difference(), "") << name;
    EXPECT_GT(examiner.pulls(), 10) << name;
  }
}

TEST(ShippedRunsSoak, AreRecordedWithTheBitsOfDoubleToTheirEnds) {
  for (const std::string& name : list_scenarios())
    for (const bool free : {false, true})
      expect_bits_of_double(name, {.all_numbers_free = free}, true);
}

// --- compiled ------------------------------------------------------------------------------------

// Around the states at which each structure was examined last.
void expect_bits_of_the_interpreter(const std::string& name, const InstructionSet& set,
                                    int structures) {
  SCOPED_TRACE(name + ", " + std::string(set.name));
  Examiner examiner({.structures = structures, .visits = 4, .all_numbers_free = true});
  run_examined(name, examiner);
  Random random(1);
  for (int k = 0; k < examiner.structures(); ++k) {
    const RunGraphs* graphs = examiner.graphs(place(k));
    ASSERT_NE(graphs, nullptr);
    const std::vector<double>& start = examiner.inputs(place(k));
    std::vector<NamedGraph> list{
        {"rate", &graphs->rate}, {"stage", &graphs->stage}, {"end", &graphs->end}};
    if (graphs->pull_size.rows > 0) list.push_back({"pull", &graphs->pull});
    const Compiled compiled(emit_c(list, {.lanes = set.lanes}), set);
    const auto draw = [&] {
      std::vector<double> in = start;
      const bool has_zeros = random.number(0, 1) > 0.5;
      for (double& x : in) {
        x += 1e-3 * (1 + std::fabs(x)) * random.number(-1, 1);
        if (has_zeros && random.number(0, 1) > 0.5) x = std::copysign(0.0, x);
      }
      return in;
    };
    for (const NamedGraph& g : list)
      EXPECT_EQ(
          find_difference(*g.graph, compiled.function(std::string(g.name)), set.lanes, 4, draw), "")
          << g.name << " of structure " << k;
  }
}

TEST(ShippedRuns, AreCompiledWithTheBitsOfTheInterpreter) {
  for (const std::string name :
       {"bouncing_ball", "capture_envelope", "free_body", "heavy_top", "hil_compensated", "slew"})
    expect_bits_of_the_interpreter(name, list_instructions().back(), 1);
}

TEST(ShippedRunsSoak, AreCompiledWithTheBitsOfTheInterpreterWithAllInstructions) {
  for (const std::string& name : list_scenarios())
    for (const InstructionSet& set : list_instructions())
      expect_bits_of_the_interpreter(name, set, 1 << 20);
}

}  // namespace
}  // namespace berth::test::shipped_runs_test

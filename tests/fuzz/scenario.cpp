// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/scenario_promises.h"
#include "tests/fuzz/targets.h"
#include "tests/support/glb.h"

namespace berth::fuzz {

// As `berth check` does. Models are none of the text; there is one to be named.
void fuzz_scenario(std::string_view input) {
  static const ModelFiles models{
      {"wing.glb", std::make_shared<const GlbModel>(read_glb(test::TriangleModel().glb()))}};
  ReadScenario read = read_scenario_text(input, "input.toml", {}, kNoFolder, &models);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  check_problems(read.problems);
  if (read.problems.empty()) check_accepted(read.scenario, built);
}

}  // namespace berth::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/scenario_promises.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "berth/analysis/check.h"
#include "berth/run/stepper.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

void check_problems(const Problems& problems) {
  for (const Problem& p : problems.list) {
    const std::string line = describe(p);
    expect(!line.empty(), "a problem has words");
    expect(line.find('\n') == std::string::npos, "a problem is one line: " + line);
  }
}

void check_accepted(const Scenario& scenario, const BuiltScenario& built) {
  const std::string written = write_scenario(scenario);
  ReadScenario again = read_scenario_text(written, "again.toml", {}, kNoFolder, &scenario.models);
  build_scenario(again.scenario, again.problems);
  if (!again.problems.empty())
    throw Find("written, it is refused: " + describe(again.problems.list[0]));
  expect(write_scenario(again.scenario) == written, "written again it is the same");

  for (const double x : find_initial_state(built.system))
    expect(std::isfinite(x), "its start is finite");
  const CheckResult result = check(scenario, built);
  expect(!describe(result).empty(), "there is something to show");
  expect(nlohmann::json::parse(to_json(result), nullptr, false).is_object(), "JSON is JSON");
}

}  // namespace berth::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/built.h"

#include <gtest/gtest.h>

#include "tests/support/shipped.h"

namespace berth::test {

Built::Built(ReadScenario r)
    : read(std::move(r)), built(build_scenario(read.scenario, read.problems)) {}

Built::Built(const std::string& text, const std::vector<std::string>& settings)
    : Built(read_scenario_text(text, "base.toml", settings)) {}

BodyMotion<double> Built::body(const std::string& name) const {
  const Model<double>& model = built.system.model;
  Motion<double> motion;
  motion.bodies.resize(model.bodies.size());
  if (read.problems.empty()) find_motion<double>(model, model.q0, model.v0, motion);
  return motion.body(model.find_body(name));
}

Built build_shipped(const std::string& name, const std::vector<std::string>& settings) {
  Built built(read_scenario(shipped_file(name), settings));
  for (const Problem& p : built.read.problems.list) ADD_FAILURE() << describe(p);
  return built;
}

}  // namespace berth::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenarios that ship, run inside the test with settings of its own.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "tests/support/scenario_files.h"

namespace berth::test {

inline std::string shipped_file(const std::string& name) { return find_scenario_file(name); }

// What is wrong with it, one line each.
inline std::string find_problems(const std::string& name,
                                 const std::vector<std::string>& settings) {
  ReadScenario read = read_scenario(shipped_file(name), settings);
  build_scenario(read.scenario, read.problems);
  std::string all;
  for (const Problem& p : read.problems.list) all += describe(p) + "\n";
  return all;
}

// Sampled at these times; it must meet its own expectations.
inline Summary run_shipped(const std::string& name, const std::vector<double>& at,
                           const std::vector<std::string>& settings = {},
                           const std::function<void(Scenario&)>& change = {}) {
  ReadScenario read = read_scenario(shipped_file(name), settings);
  if (change) change(read.scenario);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  if (!read.problems.empty()) return {};
  SimulateOptions options;
  options.at = at;
  Summary s = simulate(read.scenario, built, options);
  EXPECT_TRUE(s.as_expected()) << describe(s);
  return s;
}

inline double number(const Summary& s, std::size_t sample, const std::string& channel, int k = 0) {
  for (const Channel& c : s.channels)
    if (c.name == channel) return s.samples.at(sample).row[static_cast<std::size_t>(c.first + k)];
  ADD_FAILURE() << "no channel " << channel;
  return NAN;
}

}  // namespace berth::test

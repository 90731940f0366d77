// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenarios as text, run to the end: what went wrong with them, and what they say of themselves.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/simulate.h"
#include "tests/support/text.h"

namespace berth::test {

// The line on which this stands.
inline int line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) throw std::runtime_error("not in the text: " + part);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

inline std::string problems_of(const std::string& text, const Strings& settings = {}) {
  ReadScenario read = read_scenario_text(text, "base.toml", settings);
  build_scenario(read.scenario, read.problems);
  return all_of(read.problems);
}

// A run and its summary as JSON.
struct Ran {
  using Json = nlohmann::ordered_json;

  Json json;
  bool as_expected = false;
  std::vector<std::string> warnings;

  std::string verdict() const { return json.at("verdict"); }
  std::string outcome() const { return json.at("outcome"); }
  // The event of this name; null when it never acted.
  Json event(const std::string& name, const std::string& kind = "event") const {
    for (const Json& e : json.at("events"))
      if (e.at("kind") == kind && e.at("name") == name) return e;
    return {};
  }
  bool has(const std::string& name) const { return !event(name).is_null(); }
  double time_of(const std::string& name) const { return event(name).at("t"); }
  Strings names() const {
    Strings out;
    for (const Json& e : json.at("events"))
      if (e.at("kind") == "event") out.push_back(e.at("name"));
    return out;
  }
};
inline Ran run(const std::string& text, const Strings& settings = {}) {
  ReadScenario read = read_scenario_text(text, "base.toml", settings);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  EXPECT_EQ(all_of(read.problems), "");
  if (!read.problems.empty()) throw std::runtime_error("refused");
  const Summary s = simulate(read.scenario, built, {});
  return {Ran::Json::parse(to_json(s, false)), s.as_expected(), s.warnings};
}

inline std::string event(const std::string& name, const std::string& rest,
                         const std::string& what = "do = [{ record = 1 }]") {
  return fmt::format("[[event]]\nname = \"{}\"\n{}\n{}\n", name, rest, what);
}

}  // namespace berth::test

// SPDX-License-Identifier: Apache-2.0
#include "berth/run/condition.h"

#include <optional>

#include "tests/fuzz/scenario_promises.h"
#include "tests/fuzz/small_scenario.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

Channels build_channels() {
  ReadScenario read = read_scenario_text(kSmallScenario, "small.toml", {}, kNoFolder);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  check_problems(read.problems);
  expect(read.problems.empty(), "the scenario of the conditions is a good one: " +
                                    (read.problems.empty() ? "" : describe(read.problems.list[0])));
  return Channels(built.system);
}

// By its comparisons, and by its margin, it holds at the same rows.
void check_at(const Condition& condition, const std::vector<double>& row) {
  std::vector<char> truth;
  for (const Inequality& c : condition.inequalities()) {
    const double left = row[static_cast<std::size_t>(c.place)];
    truth.push_back(c.margin(left) >= 0 ? 1 : 0);
    // Of a norm, which is not negative.
    if (left >= 0 || c.kind != Kind::norm)
      expect(!(c.margin(left) * c.smooth_margin(left) < 0),
             "smooth margins have the sign of margins");
  }
  expect(condition.holds(truth) == condition.holds_at(row), "margins agree with comparisons");
}

}  // namespace

void fuzz_condition(std::string_view input) {
  static const Channels channels = build_channels();
  std::optional<Condition> condition;
  try {
    condition.emplace(input, channels);
  } catch (const ConditionError& e) {
    expect(!std::string_view(e.what()).empty(), "an error has words");
    return;
  }
  expect(!condition->inequalities().empty(), "a condition compares something");
  std::vector<double> row(static_cast<std::size_t>(channels.width()));
  check_at(*condition, row);
  for (const Inequality& c : condition->inequalities()) {
    expect(std::isfinite(c.value), "what is compared with is finite");
    expect(c.place >= 0 && c.place < channels.width(), "a channel has its place in the row");
    row[static_cast<std::size_t>(c.place)] = c.value;
  }
  check_at(*condition, row);
  for (double& x : row) x = -x;
  check_at(*condition, row);
}

}  // namespace berth::fuzz

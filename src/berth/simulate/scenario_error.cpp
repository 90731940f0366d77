// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/scenario_error.h"

#include <fmt/format.h>

namespace berth {

ScenarioError::ScenarioError(std::vector<Problem> problems, const std::string& text)
    : std::runtime_error(text), problems_(std::move(problems)) {}

void throw_problems(const Problems& problems) {
  std::vector<ScenarioError::Problem> list;
  std::string text;
  for (const Problem& p : problems.list) {
    list.push_back({p.file, p.place.line, p.place.column, p.path, p.message});
    text += (text.empty() ? "" : "\n") + describe(p);
  }
  if (problems.left_out > 0) text += fmt::format("\nand {} more", problems.left_out);
  throw ScenarioError(std::move(list), text);
}

}  // namespace berth

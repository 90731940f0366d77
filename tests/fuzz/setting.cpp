// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "tests/fuzz/scenario_promises.h"
#include "tests/fuzz/small_scenario.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

constexpr std::size_t kMostSettings = 4;

// Between arguments stands what none can hold.
std::vector<std::string> split(std::string_view input) {
  std::vector<std::string> out;
  while (out.size() < kMostSettings) {
    const std::size_t end = input.find('\0');
    out.emplace_back(input.substr(0, end));
    if (end == std::string_view::npos) break;
    input.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

// A sweep lays settings on parsed tables, or puts in numbers alone: both come to what `--set` comes to.
void fuzz_setting(std::string_view input) {
  static const ParsedScenario parsed(kSmallScenario, "input.toml");
  const std::vector<std::string> settings = split(input);
  ReadScenario read = read_scenario_text(kSmallScenario, "input.toml", settings, kNoFolder);
  check_problems(read.problems);
  const bool is_read = read.problems.empty();
  const std::string written = is_read ? write_scenario(read.scenario) : "";
  if (input.find(".from") == std::string_view::npos) {
    const ReadScenario laid = parsed.read(settings);
    expect(is_read == laid.problems.empty() || !read.scenario.models.empty() ||
               read.problems.list[0].path.ends_with("gltf"),
           "the tables of a sweep take what the text takes");
    if (is_read) expect(write_scenario(laid.scenario) == written, "and come to the same");
    if (const auto numbers = parsed.read_numbers(settings)) {
      expect(is_read, "what puts in numbers refuses what the text refuses");
      expect(write_scenario(numbers->scenario) == written, "numbers put in are those of the text");
    }
  }
  if (is_read) {
    Problems problems{"input.toml", {}};
    const std::string expanded =
        expand_scenario(kSmallScenario, "input.toml", settings, kNoFolder, problems);
    expect(problems.empty(), "what was read can be expanded");
    const ReadScenario again = read_scenario_text(expanded, "expanded.toml", {}, kNoFolder);
    expect(again.problems.empty(), "what was expanded is read");
    expect(write_scenario(again.scenario) == written, "and is the same");
  }
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  check_problems(read.problems);
  if (read.problems.empty()) check_accepted(read.scenario, built);
}

}  // namespace berth::fuzz

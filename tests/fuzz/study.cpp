// SPDX-License-Identifier: Apache-2.0

// What a study asks: what is written of it reads again as the same.

#include <cmath>

#include "berth/analysis/goal.h"
#include "berth/analysis/vary.h"
#include "tests/fuzz/scenario_promises.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

std::string text_of(const Goal& goal) { return goal.text(); }
std::string text_of(const auto& found) { return describe(found); }

template <class Read>
void check_text(std::string_view input, Read read) {
  Problems problems{"", {}};
  const auto found = read(std::string(input), problems);
  check_problems(problems);
  expect(found.has_value() == problems.empty(), "what is not understood is a problem");
  if (!found) return;
  const std::string written = text_of(*found);
  const auto again = read(written, problems);
  expect(again && problems.empty(), "what is written reads again: " + written);
  expect(text_of(*again) == written, "as the same: " + written + ", " + text_of(*again));
}

void check_draws(const Vary& v) {
  if (!v.is_random()) return;
  for (const double u : {0.001, 0.5, 0.999}) {
    const Cell drawn = v.draw(u);
    if (const double* x = std::get_if<double>(&drawn))
      expect(!std::isnan(*x), "what is drawn is a number");
  }
}

}  // namespace

void fuzz_study(std::string_view input) {
  check_text(input, [](const std::string& text, Problems& problems) {
    return read_criterion(text, "--until", problems);
  });
  check_text(input, [](const std::string& text, Problems& problems) {
    return read_goal(text, false, "--maximise", problems);
  });
  check_text(input, [](const std::string& text, Problems& problems) {
    return read_goal_limit(text, "--subject-to", problems);
  });
  check_text(input, [](const std::string& text, Problems& problems) {
    auto vary = read_vary(text, kNoFolder, problems);
    if (vary) check_draws(*vary);
    return vary;
  });
}

}  // namespace berth::fuzz

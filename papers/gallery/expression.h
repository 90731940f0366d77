// SPDX-License-Identifier: Apache-2.0
#pragma once

// Expressions of figures.toml: what a curve is, and what a sentence quotes, from the runs of a figure.
//
//   joint.r_P2P1_B1.x + 1          a column of the run; numbers, + - * / and brackets
//   docks.joint.force_peak         a number of the summary, or of the delay margin (mass, h_critical)
//   pi, s, alpha                   π; the parameter of a curve; what the case varies
//   abs sqrt sin cos atan atan2 hypot                          row by row
//   rms(x, from, to)  largest(|x|, from, to)  least(x)  most(x)  at(x, t)  last(x)    to one number
//   of(2, x)                       x in the second case, columns at the times of this one
//   event(impact, 3)  event(impact, 1, impulse)      time, or a value, of the n-th of its kind
//   critical_delay(k/m, b/m)       of a spring and damper that act late (math/critical_delay.h)
//
// A text quotes in braces: "{last(psi.angle):.6f} rad" with a format, "{rms(x, 0, 9)} m" as 1.5×10⁻⁶;
// [[…]] is written once for each case, {case} its label.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "papers/gallery/run_table.h"

namespace berth {

// One case of a figure, run.
struct FigureRun {
  std::string label;
  std::vector<std::pair<std::string, double>> values;  // what it varies: alpha = 100
  const RunTable* run;
};

struct ExpressionValue {
  std::vector<double> rows;
  bool column = false;  // a number for every row of the run, or one
};

struct ExpressionContext {
  const std::vector<FigureRun>& cases;
  std::size_t which = 0;                 // among them
  std::optional<double> parameter = {};  // s
  std::optional<double> instant = {};    // [s] columns are taken at this time
};

// Both throw std::runtime_error with the text and what is wrong with it.
ExpressionValue evaluate(std::string_view text, const ExpressionContext& context);
std::string fill_text(const std::string& text, const std::vector<FigureRun>& cases);

}  // namespace berth

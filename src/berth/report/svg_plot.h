// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plot as SVG: lines over an axis, for papers, slides and the gallery. The same numbers give the
// same bytes.

#include <cmath>
#include <string>
#include <vector>

namespace berth {

struct PlotLine {
  std::string label;
  std::vector<double> x, y;  // NaN: a gap
  bool marks = false;        // dots instead of a line
  bool dashed = false;       // for what is compared with
};

struct PlotOptions {
  std::string title = {};
  std::string x_label = "time [s]", y_label = {};
  bool log_x = false, log_y = false;
  int width = 720, height = 420;    // [px]
  double x_from = NAN, x_to = NAN;  // left out: as the lines need
  double y_from = NAN, y_to = NAN;
};

std::string draw_plot(const std::vector<PlotLine>& lines, const PlotOptions& options);

// Numbers at which an axis has ticks: 1, 2 or 5 times a power of ten apart; powers of ten where it is
// logarithmic.
std::vector<double> find_ticks(double from, double to, int most);
std::vector<double> find_log_ticks(double from, double to, int most);

// 1.5×10⁻⁶ as text.
std::string number_text(double value);

}  // namespace berth

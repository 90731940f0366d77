// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plot for papers, slides and the gallery: panels above one another over one time axis, one for each
// unit, and the events through all of them. The same numbers give the same bytes.

#include <cmath>
#include <string>
#include <vector>

#include "berth/report/canvas.h"

namespace berth {

struct PlotLine {
  std::string label;
  std::vector<double> x, y;  // NaN: a gap
  bool marks = false;        // dots instead of a line
  bool dashed = false;       // for what is compared with
};

struct PlotPanel {
  std::vector<PlotLine> lines;
  std::string y_label = {};
  bool log_y = false;
  double y_from = NAN, y_to = NAN;  // left out: as the lines need
};

// An event: a line through all panels, and its name above where there is room.
struct PlotMark {
  double x;
  std::string label;
};

struct PlotOptions {
  std::string title = {};
  std::string x_label = "time [s]";
  bool log_x = false;
  int width = 720, height = 420;    // [px]
  double x_from = NAN, x_to = NAN;  // left out: as the lines need
  std::vector<PlotMark> events = {};
};

// On a canvas of the size that the options state.
void draw_plot(const std::vector<PlotPanel>& panels, const PlotOptions& options, Canvas& canvas);
// As SVG.
std::string draw_plot(const std::vector<PlotPanel>& panels, const PlotOptions& options);

// Numbers at which an axis has ticks: 1, 2 or 5 times a power of ten apart; powers of ten where it is
// logarithmic.
std::vector<double> find_ticks(double from, double to, int most);
std::vector<double> find_log_ticks(double from, double to, int most);

// 1.5×10⁻⁶ as text.
std::string number_text(double value);

}  // namespace berth

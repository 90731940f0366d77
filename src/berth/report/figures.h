// SPDX-License-Identifier: Apache-2.0
#pragma once

// Figures — those of the four papers, as data: which scenario with which settings, what is drawn, what
// the paper says of it, what comes out here, and why the two differ where they do.

#include <memory>
#include <string>
#include <vector>

#include "berth/report/run_table.h"
#include "berth/report/svg_plot.h"

namespace berth {

struct Figure;
using FigureRuns = std::vector<std::shared_ptr<const RunTable>>;  // one for each case

struct FigureCase {
  std::string label;
  std::vector<std::string> settings = {};  // as --set takes them
  std::string scenario = {};               // another than the figure's
};

struct Figure {
  std::string paper;   // post_docking | contact | closed_chain | impacts
  std::string number;  // "3", "7a"
  std::string title;
  std::string scenario;
  std::vector<std::string> settings = {};
  std::vector<FigureCase> cases = {{"", {}, ""}};
  std::vector<std::string> channels =
      {};  // what is recorded; none: the delay margin is found instead
  std::vector<PlotLine> (*draw)(const Figure&, const FigureRuns&);
  PlotOptions plot = {};
  std::string sentence;                     // what the paper states
  std::string (*value)(const FigureRuns&);  // what comes out here
  std::string reason = {};                  // why it differs, or what the paper leaves open
};

// In the order of the papers.
std::vector<Figure> list_figures();
std::vector<Figure> list_docking_figures();
std::vector<Figure> list_contact_figures();
std::vector<Figure> list_chain_figures();
std::vector<Figure> list_impact_figures();

struct Paper {
  std::string name, title, authors;
};
const std::vector<Paper>& list_papers();

// --- ways to draw --------------------------------------------------------------------------------

// The channels of each case over time; of several cases, labelled by them.
std::vector<PlotLine> draw_over_time(const Figure& figure, const FigureRuns& runs);
// Derivative evaluations of each case against the number its label ends with, by groups of labels:
// "rigid α = 100".
std::vector<PlotLine> draw_cost(const Figure& figure, const FigureRuns& runs);
// The second number of the first channel over the first, of each case: y over x …
std::vector<PlotLine> draw_xy(const Figure& figure, const FigureRuns& runs);
std::vector<PlotLine> draw_xz(const Figure& figure, const FigureRuns& runs);
std::vector<PlotLine> draw_yz(const Figure& figure, const FigureRuns& runs);
// The channel of each case minus that of the first.
std::vector<PlotLine> draw_difference(const Figure& figure, const FigureRuns& runs);

// A line through the values of one column, over time.
PlotLine make_line(const std::string& label, const std::vector<double>& x,
                   const std::vector<double>& y);

}  // namespace berth

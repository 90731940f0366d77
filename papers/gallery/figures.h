// SPDX-License-Identifier: Apache-2.0
#pragma once

// Figures — those of the papers as papers/PAPER/figures.toml has them: which scenario with which
// settings, what is drawn over which axes, what the paper says of it, what comes out here, and why
// the two differ where they do. papers/README.md lists the keys of the file.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "berth/report/plot.h"
#include "papers/gallery/expression.h"

namespace berth {

struct FigureCase {
  std::string label;
  std::vector<std::string> settings = {};                   // as --set takes them
  std::string scenario = {};                                // another than the figure's
  bool dashed = false;                                      // what is compared with
  std::vector<std::pair<std::string, double>> values = {};  // of what is varied, for expressions
};

// One curve of every case. x and y are expressions; several of them are the corners of a line.
struct FigureLine {
  std::string label;
  std::vector<std::string> x = {"time"}, y;
  bool marks = false, dashed = false;
  std::vector<double> at = {};          // [s] once for each of these times
  std::vector<double> over = {};        // once for each value of s
  std::vector<std::size_t> cases = {};  // of these, counted from 1; none: of all
  std::string across = {};              // one curve, a point of every case whose label begins so
};

struct Figure {
  std::string paper;   // folder: post_docking, contact, closed_chain, impacts
  std::string number;  // "3", "7a"
  std::string title, scenario;
  std::vector<std::string> settings;
  std::vector<FigureCase> cases;
  std::vector<std::string> channels;  // what is recorded; none: the delay margin is found instead
  std::vector<FigureLine> lines;
  PlotPanel panel;  // its axis; without lines
  PlotOptions plot;
  std::string statement;  // what the paper states
  std::string here;       // what comes out, a text of expressions
  std::string reason;     // why it differs, or what the paper leaves open
};

struct Paper {
  std::string name, title, authors;
  std::vector<Figure> figures;
};

// Those of a folder that has PAPER/figures.toml, in their order. Throws std::runtime_error with file
// and line.
std::vector<Paper> read_papers(const std::filesystem::path& folder);

std::vector<PlotLine> draw_lines(const Figure& figure, const std::vector<FigureRun>& runs);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "berth/report/figures.h"

namespace berth {
namespace {

constexpr std::size_t kFigureBuckets = 400;

// Two points of every bucket are enough for a picture of some hundred pixels. Of x too, for paths.
PlotLine thinned(PlotLine line) {
  const std::size_t n = line.x.size();
  if (n <= 2 * kFigureBuckets) return line;
  PlotLine out = line;
  out.x.clear(), out.y.clear();
  for (std::size_t k = 0; k < kFigureBuckets; ++k) {
    const std::size_t from = k * n / kFigureBuckets, to = (k + 1) * n / kFigureBuckets;
    std::size_t low = from, high = from;
    for (std::size_t i = from; i < to; ++i) {
      if (line.y[i] < line.y[low]) low = i;
      if (line.y[i] > line.y[high]) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
      out.x.push_back(line.x[i]);
      out.y.push_back(line.y[i]);
    }
  }
  return out;
}

std::vector<PlotLine> draw_path(const Figure& figure, const FigureRuns& runs, const char* x,
                                const char* y) {
  std::vector<PlotLine> lines;
  for (const std::string& channel : figure.channels)
    for (std::size_t k = 0; k < runs.size(); ++k) {
      std::string label = figure.cases[k].label;
      if (figure.channels.size() > 1) label += (label.empty() ? "" : ", ") + channel;
      // Paths turn back: every row counts.
      lines.push_back({label, runs[k]->column(channel + x), runs[k]->column(channel + y)});
    }
  return lines;
}

}  // namespace

PlotLine make_line(const std::string& label, const std::vector<double>& x,
                   const std::vector<double>& y) {
  return thinned({label, x, y});
}

std::vector<PlotLine> draw_over_time(const Figure& figure, const FigureRuns& runs) {
  std::vector<PlotLine> lines;
  for (std::size_t k = 0; k < runs.size(); ++k)
    for (const std::string& channel : figure.channels) {
      std::string label = figure.cases[k].label;
      if (figure.channels.size() > 1) label += (label.empty() ? "" : ", ") + channel;
      std::vector<double> y = runs[k]->column(channel);
      if (figure.plot.log_y)
        for (double& v : y) v = std::fabs(v);
      lines.push_back(make_line(label, runs[k]->time(), y));
      lines.back().dashed = label.find("one body") != std::string::npos;
    }
  return lines;
}

std::vector<PlotLine> draw_cost(const Figure& figure, const FigureRuns& runs) {
  std::map<std::string, PlotLine> groups;
  std::vector<std::string> order;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::string& label = figure.cases[k].label;
    const std::size_t cut = label.find(" α = ");
    const std::string name = label.substr(0, cut);
    if (!groups.contains(name)) order.push_back(name);
    PlotLine& line = groups[name];
    line.label = name;
    line.x.push_back(std::stod(label.substr(cut + 6)));
    line.y.push_back(runs[k]->number("steps.rhs"));
  }
  std::vector<PlotLine> lines;
  for (const std::string& name : order) lines.push_back(groups[name]);
  return lines;
}

std::vector<PlotLine> draw_xy(const Figure& figure, const FigureRuns& runs) {
  return draw_path(figure, runs, ".x", ".y");
}
std::vector<PlotLine> draw_xz(const Figure& figure, const FigureRuns& runs) {
  return draw_path(figure, runs, ".x", ".z");
}
std::vector<PlotLine> draw_yz(const Figure& figure, const FigureRuns& runs) {
  return draw_path(figure, runs, ".y", ".z");
}

std::vector<PlotLine> draw_difference(const Figure& figure, const FigureRuns& runs) {
  std::vector<PlotLine> lines;
  const std::string& channel = figure.channels.front();
  for (std::size_t k = 1; k < runs.size(); ++k) {
    const std::vector<double>& t = runs[k]->time();
    std::vector<double> y = runs[k]->column(channel);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= runs[0]->at(channel, t[i]);
    lines.push_back(make_line(figure.cases[k].label, t, y));
  }
  return lines;
}

const std::vector<Paper>& list_papers() {
  static const std::vector<Paper> papers{
      {"post_docking", "Post-docking spacecraft dynamics using modular Baumgarte stabilization",
       "Vaz Carneiro, Morell, Schaub"},
      {"contact", "Contact of two spacecraft with delayed force feedback (hardware in the loop)",
       "Sazawal, Choukroun and others"},
      {"closed_chain",
       "Simulation of post-grasping operations in closed-chain configuration using Kane's method",
       "Madonna"},
      {"impacts", "Geometric integration of impact during an orbital docking procedure",
       "Gibson, Murphey"}};
  return papers;
}

std::vector<Figure> list_figures() {
  std::vector<Figure> all;
  for (std::vector<Figure> some : {list_docking_figures(), list_contact_figures(),
                                   list_chain_figures(), list_impact_figures()})
    for (Figure& figure : some) all.push_back(std::move(figure));
  return all;
}

}  // namespace berth

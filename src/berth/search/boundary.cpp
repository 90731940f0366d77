// SPDX-License-Identifier: Apache-2.0
#include "berth/search/boundary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "berth/statistics/proportion.h"

namespace berth {

namespace {

void check_options(const BoundaryOptions& o) {
  const auto require = [](bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(std::string("boundary: ") + rule);
  };
  for (std::size_t k = 0; k < 2; ++k) require(o.low[k] < o.high[k], "low below high");
  require(o.nodes >= 2 && o.nodes <= 1000, "2 … 1000 nodes each way");
  require(o.depth <= 16, "a depth of 16 at the most");
  require(o.trials >= 1, "at least one trial");
  for (const double level : o.levels) require(level > 0 && level < 1, "levels between 0 and 1");
}

}  // namespace

Boundary::Boundary(const BoundaryOptions& options) : options_(options) {
  check_options(options);
  const std::uint32_t side = 2u << options.depth;
  extent_ = (options.nodes - 1) * side;
  for (std::uint32_t i = 0; i < extent_; i += side)
    for (std::uint32_t j = 0; j < extent_; j += side) {
      cells_.insert({{i, j}, side});
      for (const std::uint32_t a : {i, i + side})
        for (const std::uint32_t b : {j, j + side}) nodes_.insert({a, b});
    }
  ask_missing();
}

PlanePoint Boundary::find_point(Place at) const {
  const auto along = [&](std::size_t k, std::uint32_t steps) {
    const double share = static_cast<double>(steps) / static_cast<double>(extent_);
    return options_.low[k] * (1 - share) + options_.high[k] * share;
  };
  return {along(0, at.i), along(1, at.j)};
}

PlanePoint Boundary::finest_cell() const {
  const double cells = static_cast<double>((options_.nodes - 1) << options_.depth);
  return {(options_.high[0] - options_.low[0]) / cells,
          (options_.high[1] - options_.low[1]) / cells};
}

double Boundary::find_probability(Place at) const {
  const BoundaryCount& c = counts_.at(at);
  return c.trials == 0 ? 0 : static_cast<double>(c.good) / static_cast<double>(c.trials);
}

std::vector<BoundaryNode> Boundary::ask() const {
  std::vector<BoundaryNode> nodes;
  for (const Place at : asked_)
    nodes.push_back({find_point(at), options_.trials, first_number_ + nodes.size()});
  return nodes;
}

void Boundary::record(std::span<const BoundaryCount> counts) {
  if (counts.size() != asked_.size())
    throw std::invalid_argument("boundary: " + std::to_string(counts.size()) + " counts for " +
                                std::to_string(asked_.size()) + " nodes");
  for (const BoundaryCount& c : counts)
    if (c.good > c.trials) throw std::invalid_argument("boundary: more good cases than trials");
  for (std::size_t i = 0; i < counts.size(); ++i) counts_[asked_[i]] = counts[i];
  first_number_ += counts.size();

  // Cells whose new nodes are all known already are judged at once.
  for (asked_.clear(); asked_.empty(); ask_missing()) {
    const std::vector<Cell> marked = find_cells_to_split();
    if (marked.empty()) return;
    for (const Cell& cell : marked) split(cell);
    balance();
  }
}

void Boundary::ask_missing() {
  for (const Place node : nodes_)
    if (!counts_.contains(node)) asked_.push_back(node);
}

// Counter-clockwise; the middle of an edge where a finer neighbour has a node. By (3) no edge has more.
std::vector<MeshPlace> Boundary::find_outline(const Cell& cell) const {
  const std::uint32_t h = cell.side / 2, s = cell.side;
  constexpr std::uint32_t steps[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1},
                                         {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  std::vector<Place> outline;
  for (const auto& [i, j] : steps) {
    const Place at{cell.corner.i + i * h, cell.corner.j + j * h};
    const bool is_corner = i % 2 == 0 && j % 2 == 0;
    if (is_corner || (s > 2 && nodes_.contains(at))) outline.push_back(at);
  }
  return outline;
}

// (1)
bool Boundary::straddles(const Cell& cell, double level) const {
  bool is_below = false, is_above = false;
  for (const Place node : find_outline(cell))
    (find_probability(node) < level ? is_below : is_above) = true;
  return is_below && is_above;
}

bool Boundary::leaves_open(const Cell& cell, double level) const {
  for (const Place node : find_outline(cell)) {
    const BoundaryCount& c = counts_.at(node);
    const Proportion p = find_proportion(c.good, c.trials);
    if (p.low < level && level < p.high) return true;
  }
  return false;
}

bool Boundary::is_beside_any(const Cell& cell, const std::set<Place>& nodes) const {
  const std::vector<Place> outline = find_outline(cell);
  return std::any_of(outline.begin(), outline.end(), [&](Place p) { return nodes.contains(p); });
}

std::vector<Boundary::Cell> Boundary::find_cells_to_split() const {
  std::set<Cell> marked;
  for (const double level : options_.levels) {
    std::set<Place> on_contour;
    for (const Cell& cell : cells_) {
      if (!straddles(cell, level)) continue;
      if (cell.side > 2) marked.insert(cell);
      for (const Place node : find_outline(cell)) on_contour.insert(node);
    }
    for (const Cell& cell : cells_)
      if (cell.side > 2 && !marked.contains(cell) && is_beside_any(cell, on_contour) &&
          leaves_open(cell, level))
        marked.insert(cell);  // (2)
  }
  return {marked.begin(), marked.end()};
}

void Boundary::split(const Cell& cell) {
  const std::uint32_t half = cell.side / 2;
  cells_.erase(cell);
  for (std::uint32_t i = 0; i < 3; ++i)
    for (std::uint32_t j = 0; j < 3; ++j) {
      const Place at{cell.corner.i + i * half, cell.corner.j + j * half};
      nodes_.insert(at);
      if (i < 2 && j < 2) cells_.insert({at, half});
    }
}

// A cell with a node at a quarter of one of its edges has a neighbour that is two halvings finer. (3)
void Boundary::balance() {
  const auto is_too_coarse = [&](const Cell& cell) {
    const std::uint32_t q = cell.side / 4, s = cell.side;
    if (s < 8) return false;
    for (const std::uint32_t k : {q, 3 * q})
      for (const Place at : {Place{k, 0}, Place{k, s}, Place{0, k}, Place{s, k}})
        if (nodes_.contains({cell.corner.i + at.i, cell.corner.j + at.j})) return true;
    return false;
  };
  for (;;) {
    std::vector<Cell> coarse;
    std::copy_if(cells_.begin(), cells_.end(), std::back_inserter(coarse), is_too_coarse);
    if (coarse.empty()) return;
    for (const Cell& cell : coarse) split(cell);
  }
}

std::vector<Polyline> Boundary::find_contours(double level) const {
  std::vector<MeshTriangle> triangles;
  const auto vertex = [&](Place at) {
    return MeshVertex{at, find_point(at), find_probability(at)};
  };
  if (!is_done()) throw std::logic_error("boundary: nodes are still to be evaluated");
  for (const Cell& cell : cells_) {
    const std::uint32_t h = cell.side / 2, s = cell.side;
    const auto [i, j] = cell.corner;
    const double mean = (find_probability({i, j}) + find_probability({i + s, j}) +
                         find_probability({i, j + s}) + find_probability({i + s, j + s})) /
                        4;
    const MeshVertex centre{{i + h, j + h}, find_point({i + h, j + h}), mean};
    const std::vector<Place> outline = find_outline(cell);
    for (std::size_t k = 0; k < outline.size(); ++k)
      triangles.push_back({vertex(outline[k]), vertex(outline[(k + 1) % outline.size()]), centre});
  }
  return berth::find_contours(triangles, level);
}

std::vector<Boundary::Extent> Boundary::mesh() const {
  std::vector<Extent> all;
  for (const auto& [corner, side] : cells_)
    all.push_back({find_point(corner), find_point({corner.i + side, corner.j + side})});
  return all;
}

std::vector<Boundary::Estimate> Boundary::estimates() const {
  std::vector<Estimate> all;
  for (const auto& [at, count] : counts_)
    all.push_back({find_point(at), count, find_probability(at)});
  std::stable_sort(all.begin(), all.end(),
                   [](const Estimate& a, const Estimate& b) { return a.at[1] < b.at[1]; });
  return all;
}

}  // namespace berth

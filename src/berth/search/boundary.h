// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a probability over a rectangle of two inputs takes given values: a mesh that is fine along its
// contours and coarse elsewhere.
//
//   start     nodes × nodes points; the caller runs `trials` cases at each and counts the good ones
//   split     a cell in four where a level lies between the estimates p̂ of nodes on its edge            (1)
//             or, next to such a cell, inside the 95 % interval of one of its nodes: the contour may
//             well run there                                               (2)
//   balance   cells that share an edge differ by one halving at most                                    (3)
//   contour   p̂ linear on triangles, each of an edge of the mesh and the centre of a cell, whose p̂ is the
//             mean of its corners; nodes in the middle of an edge, which a finer neighbour has, are
//             vertices of the coarser cell too, so contours have no gaps and no ambiguous cases         (4)
//
//   Boundary search({.low = {0, 0}, .high = {0.1, 5}, .levels = {0.95}});
//   while (!search.is_done()) search.record(evaluate(search.ask()));     // any number of cores
//   search.find_contours(0.95)

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "berth/search/contour.h"

namespace berth {

struct BoundaryOptions {
  PlanePoint low = {0, 0}, high = {1, 1};          // the rectangle
  std::vector<double> levels = {0.5, 0.95, 0.99};  // of the probability
  std::uint32_t nodes = 9;                         // of the start grid, each way
  std::uint32_t depth = 3;                         // halvings of a cell at the most
  std::uint64_t trials = 200;                      // at each node
};

// A node to be evaluated; and how many cases of how many were good there.
struct BoundaryNode {
  PlanePoint at;
  std::uint64_t trials;
  std::uint64_t number;  // of this node: seed of its random numbers, if they shall be fresh
};
struct BoundaryCount {
  std::uint64_t good = 0, trials = 0;
};

class Boundary {
 public:
  // Throws std::invalid_argument when the options make no sense.
  explicit Boundary(const BoundaryOptions& options);

  std::vector<BoundaryNode> ask() const;  // none when the search is done
  // In the order of the nodes. Throws if they are not as many. A node without trials counts as p̂ = 0.
  void record(std::span<const BoundaryCount> counts);
  bool is_done() const { return asked_.empty(); }

  std::vector<Polyline> find_contours(double level) const;  // (4)

  // Every evaluated node with its estimate, in rows from low to high.
  struct Estimate {
    PlanePoint at;
    BoundaryCount count;
    double probability;
  };
  std::vector<Estimate> estimates() const;
  std::uint64_t evaluated() const { return counts_.size(); }
  // The cells of the mesh, each by its lowest and highest corner.
  struct Extent {
    PlanePoint low, high;
  };
  std::vector<Extent> mesh() const;
  PlanePoint finest_cell() const;  // its sides

 private:
  // Nodes and centres on a lattice with half the side of the finest cell.
  using Place = MeshPlace;
  struct Cell {
    Place corner;  // the lowest
    std::uint32_t side;
    friend auto operator<=>(const Cell&, const Cell&) = default;
  };
  PlanePoint find_point(Place at) const;
  double find_probability(Place at) const;
  std::vector<Place> find_outline(const Cell& cell) const;
  bool straddles(const Cell& cell, double level) const;
  bool leaves_open(const Cell& cell, double level) const;
  bool is_beside_any(const Cell& cell, const std::set<Place>& nodes) const;
  std::vector<Cell> find_cells_to_split() const;
  void split(const Cell& cell);
  void balance();
  void ask_missing();

  BoundaryOptions options_;
  std::uint32_t extent_;  // of the lattice
  std::set<Cell> cells_;
  std::set<Place> nodes_;  // corners of all cells
  std::map<Place, BoundaryCount> counts_;
  std::vector<Place> asked_;
  std::uint64_t first_number_ = 0;
};

}  // namespace berth

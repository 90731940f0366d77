// SPDX-License-Identifier: Apache-2.0
#include "berth/search/contour.h"

#include <map>
#include <optional>
#include <utility>

namespace berth {

namespace {

using MeshEdge = std::pair<MeshPlace, MeshPlace>;  // the lesser place first

struct EdgeCrossing {
  PlanePoint at;
  std::vector<std::size_t> beside;  // crossings that a segment joins to this one, two at the most
  bool is_used = false;
};

class EdgeCrossings {
 public:
  void add_segment(const MeshTriangle& t, double level);
  std::vector<Polyline> join();

 private:
  std::optional<std::size_t> find(const MeshVertex& a, const MeshVertex& b, double level);
  Polyline follow(std::size_t from);

  std::map<MeshEdge, std::size_t> of_edge_;
  std::vector<EdgeCrossing> all_;
};

// The crossing of an edge, the same one for both triangles beside it.
std::optional<std::size_t> EdgeCrossings::find(const MeshVertex& a, const MeshVertex& b,
                                               double level) {
  if ((a.value < level) == (b.value < level)) return {};
  if (b.place < a.place) return find(b, a, level);
  const auto [entry, is_new] = of_edge_.try_emplace({a.place, b.place}, all_.size());
  if (is_new) {
    const double share = (level - a.value) / (b.value - a.value);  // (1)
    all_.push_back({{a.at[0] + share * (b.at[0] - a.at[0]), a.at[1] + share * (b.at[1] - a.at[1])},
                    {},
                    false});
  }
  return entry->second;
}

void EdgeCrossings::add_segment(const MeshTriangle& t, double level) {
  std::vector<std::size_t> ends;
  for (std::size_t k = 0; k < 3; ++k)
    if (const auto crossing = find(t[k], t[(k + 1) % 3], level)) ends.push_back(*crossing);
  if (ends.size() != 2) return;
  all_[ends[0]].beside.push_back(ends[1]);
  all_[ends[1]].beside.push_back(ends[0]);
}

// From one crossing to the next that has not been used; a point is not repeated.
Polyline EdgeCrossings::follow(std::size_t from) {
  Polyline line;
  std::optional<std::size_t> here = from;
  while (here) {
    EdgeCrossing& c = all_[*here];
    c.is_used = true;
    if (line.points.empty() || line.points.back() != c.at) line.points.push_back(c.at);
    here.reset();
    for (const std::size_t next : c.beside)
      if (!all_[next].is_used) {
        here = next;
        break;
      }
  }
  return line;
}

std::vector<Polyline> EdgeCrossings::join() {
  std::vector<Polyline> lines;
  for (const bool is_closed : {false, true})
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].is_used || (!is_closed && all_[i].beside.size() != 1)) continue;
      lines.push_back(follow(i));
      Polyline& line = lines.back();
      line.is_closed = is_closed;
      if (is_closed && line.points.size() > 1 && line.points.front() == line.points.back())
        line.points.pop_back();
    }
  return lines;
}

}  // namespace

std::vector<Polyline> find_contours(const std::vector<MeshTriangle>& triangles, double level) {
  EdgeCrossings crossings;
  for (const MeshTriangle& t : triangles) crossings.add_segment(t, level);
  return crossings.join();
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contours of a function that is linear on the triangles of a mesh.
//
//   on an edge from a to b with f_a < level ≤ f_b        x = a + (level − f_a)/(f_b − f_a) (b − a)      (1)
//
// Every triangle whose corners lie on both sides has two such points and one segment between them; an
// edge belongs to two triangles, or to the border of the mesh. So segments join to polylines that are
// closed or end at the border.
//
//   find_contours({{a, b, c}, {b, c, d}}, 0.5)

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace berth {

using PlanePoint = std::array<double, 2>;

struct Polyline {
  std::vector<PlanePoint> points;  // the first is not repeated at the end
  bool is_closed = false;
};

// Where a vertex stands, exactly: what makes two of them the same.
struct MeshPlace {
  std::uint32_t i = 0, j = 0;
  friend auto operator<=>(const MeshPlace&, const MeshPlace&) = default;
};
struct MeshVertex {
  MeshPlace place;
  PlanePoint at;
  double value;
};
using MeshTriangle = std::array<MeshVertex, 3>;

// In the order in which the triangles come: first those that end at the border.
std::vector<Polyline> find_contours(const std::vector<MeshTriangle>& triangles, double level);

}  // namespace berth

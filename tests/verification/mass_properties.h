// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mass properties of rigid pieces welded together, by Steiner.

#include <vector>

#include "berth/math/vec3.h"

namespace berth::test {

// A rigid piece in the axes of the whole: c.m. from the common origin, inertia about the own c.m.
struct Piece {
  double mass;
  Vec3<double> centre;
  Sym3<double> inertia;
};

inline Piece weld(const std::vector<Piece>& pieces) {
  Piece whole{0, {}, {}};
  for (const Piece& p : pieces) {
    whole.mass += p.mass;
    whole.centre += p.mass * p.centre;
  }
  whole.centre = (1 / whole.mass) * whole.centre;
  for (const Piece& p : pieces)
    whole.inertia += p.inertia + point_inertia(p.mass, p.centre - whole.centre);
  return whole;
}

}  // namespace berth::test

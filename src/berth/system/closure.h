// SPDX-License-Identifier: Apache-2.0
#pragma once

// Closure — two ports that rows hold together: a dock (dock.h), or a probe at rest on a surface
// (rest.h). Multipliers, projection and impulses know nothing else of either.
//
// λ is the load on B2 along each row, at P2; B1 takes the reaction at the same point.

#include "berth/model/constraint.h"
#include "berth/model/model.h"
#include "berth/model/motion.h"

namespace berth {

template <Scalar T>
struct Closure {
  Port<T> port_1, port_2;
};

// One closure at one instant.
template <Scalar T>
struct ClosureMotion {
  PairMotion<T> pair;
  Rows<T> rows;
  int forces = 0, count = 0;        // force rows, all rows
  Vec3<T> lever_1, lever_2;         // P2 from the origins of B1 and B2, N axes
  std::array<T, kMostRows> load{};  // λ
  Wrench<T> wrench;                 // on B2 at P2, N axes
};

}  // namespace berth

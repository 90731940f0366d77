// SPDX-License-Identifier: Apache-2.0
#pragma once

// Direction — a spherical joint at the end of an arm fixed in the first body. Arm zero: a ball
// joint at the first port.
//
//   violation   ψ = d − arm            B1 axes, three force rows                               (1)
//   rate        ψ̇ = ḋ                                                                         (2)

#include "berth/model/constraint.h"

namespace berth {

template <Scalar T>
struct Direction {
  static constexpr std::string_view type = "direction";
  static constexpr int forces = 3, torques = 0;

  static constexpr auto fields() { return Schema{}; }

  Vec3<T> bind(const Vec3<T>& arm, const Vec3<T>&) { return arm; }

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    hold_point(m, out);
    out.twist = T(0.0);
  }
};

static_assert(Constraint<Direction<double>, double>);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rigid — nothing moves: the hard dock.
//
//   violation   ψ = d − arm            three force rows                                        (1)
//               ψ = 4 σ                three torque rows, σ the MRP of R                         (2)
//   rate        ψ̇ = ḋ,  ω_B2B1                                                                (3)
//
// The error is the MRP of the error rotation, never a difference of MRPs: ports nose to nose are
// half a turn apart, where those of the bodies jump.

#include "berth/model/constraint.h"

namespace berth {

template <Scalar T>
struct Rigid {
  static constexpr std::string_view type = "rigid";
  static constexpr int forces = 3, torques = 3;

  static constexpr auto fields() { return Schema{}; }

  Vec3<T> bind(const Vec3<T>& arm, const Vec3<T>&) { return arm; }

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    hold_point(m, out);
    hold_attitude(m, forces, out);
  }
};

static_assert(Constraint<Rigid<double>, double>);

}  // namespace berth

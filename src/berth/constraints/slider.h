// SPDX-License-Identifier: Apache-2.0
#pragma once

// Slider — the second body travels along one axis fixed in the first and does not turn.
//
//   violation   ψ = n · (d − arm)      two force rows, n normal to the axis                    (1)
//               ψ = 4 σ                three torque rows, σ the MRP of R                         (2)
//   rate        ψ̇ = n · ḋ,  ω_B2B1                                                            (3)

#include "berth/model/constraint.h"
#include "berth/model/lift.h"

namespace berth {

template <Scalar T>
struct Slider {
  static constexpr std::string_view type = "slider";
  static constexpr int forces = 2, torques = 3;

  Vec3<T> axis;

  static constexpr auto fields() {
    using P = Slider;
    return Schema{
        Field{"axis", &P::axis, unit::none, Range::unit_vector,
              "of the travel, axes of the first body; default: port 1 outward"},
    };
  }

  Vec3<T> bind(const Vec3<T>& arm, const Vec3<T>& outward) {
    axis = value(norm(axis)) > 0 ? normalised(axis) : outward;
    normals = find_normals(axis);
    return arm;
  }

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    const Vec3<T> off = m.d - m.arm;
    const auto row = [&](const Vec3<T>& n) {
      return Row<T>{n, dot(n, off), dot(n, m.d_dot), T(0.0)};
    };
    out.row[0] = row(normals.first);
    out.row[1] = row(normals.second);
    out.strain = 0.5 * (square(out.row[0].violation) + square(out.row[1].violation));
    hold_attitude(m, forces, out);
  }

  Normals<T> normals;
};

// Bound already: to normalise its axis again would round it again.
template <class S, class T>
void lift_bound(const Slider<S>& from, Slider<T>& to) {
  lift_value(from.normals.first, to.normals.first);
  lift_value(from.normals.second, to.normals.second);
}

static_assert(Constraint<Slider<double>, double>);

}  // namespace berth

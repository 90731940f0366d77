// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hinge — the second body turns about one axis through its port, fixed in both bodies.
//
//   a, a′       the axis in B1, and as B2 carries it: a′ = R a
//   violation   ψ = d − arm            three force rows                                        (1)
//               ψ = n · (a × a′)       two torque rows, n normal to a; sine of the angle         (2)
//   rate        ψ̇ = ḋ,  n · ω_B2B1                                                            (3)
//   potential   1 − a · a′             of a unit spring in place of the torque rows              (4)

#include "berth/model/constraint.h"
#include "berth/model/lift.h"

namespace berth {

template <Scalar T>
struct Hinge {
  static constexpr std::string_view type = "hinge";
  static constexpr int forces = 3, torques = 2;

  Vec3<T> axis;

  static constexpr auto fields() {
    using P = Hinge;
    return Schema{
        Field{"axis", &P::axis, unit::none, Range::unit_vector,
              "of the hinge, axes of the first body; default: port 1 outward"},
    };
  }

  Vec3<T> bind(const Vec3<T>& arm, const Vec3<T>& outward) {
    axis = value(norm(axis)) > 0 ? normalised(axis) : outward;
    normals = find_normals(axis);
    return arm;
  }

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    hold_point(m, out);
    const Vec3<T> carried = m.R * axis;
    const Vec3<T> error = cross(axis, carried);
    out.row[3] = {normals.first, dot(normals.first, error), dot(normals.first, m.omega), T(0.0)};
    out.row[4] = {normals.second, dot(normals.second, error), dot(normals.second, m.omega), T(0.0)};
    out.twist = 1.0 - dot(axis, carried);  // (4)
  }

  Normals<T> normals;
};

// Bound already: to normalise its axis again would round it again.
template <class S, class T>
void lift_bound(const Hinge<S>& from, Hinge<T>& to) {
  lift_value(from.normals.first, to.normals.first);
  lift_value(from.normals.second, to.normals.second);
}

static_assert(Constraint<Hinge<double>, double>);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// OnPlane — a point that stays in a plane of the first body, and may slide and turn there.
//
//   violation   ψ = n · (d − arm)      n fixed in B1, one force row                            (1)
//   rate        ψ̇ = n · ḋ                                                                     (2)

#include "berth/model/constraint.h"

namespace berth {

template <Scalar T>
struct OnPlane {
  static constexpr std::string_view type = "on_plane";
  static constexpr int forces = 1, torques = 0;

  Vec3<T> normal;

  static constexpr auto fields() {
    using P = OnPlane;
    return Schema{
        Field{"normal", &P::normal, unit::none, Range::unit_vector,
              "of the plane, axes of the first body; default: port 1 outward"},
    };
  }

  Vec3<T> bind(const Vec3<T>& arm, const Vec3<T>& outward) {
    normal = value(norm(normal)) > 0 ? normalised(normal) : outward;
    return arm;
  }

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    Row<T>& r = out.row[0];
    r = {};
    r.direction = normal;
    r.violation = dot(normal, m.d - m.arm);
    r.rate = dot(normal, m.d_dot);
    out.strain = 0.5 * square(r.violation);
    out.twist = T(0.0);
  }
};

static_assert(Constraint<OnPlane<double>, double>);

}  // namespace berth

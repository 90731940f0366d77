// SPDX-License-Identifier: Apache-2.0
#pragma once

// Length — a rigid rod between two ports, free to turn at both ends.
//
//   violation   ψ = |d| − ℓ                                                                    (1)
//   rate        ψ̇ = d̂ · ḋ                                                                     (2)
//   second      ψ̈ = d̂ · d̈ + (|ḋ|² − ψ̇²)/|d|                                                  (3)
//
// ℓ is the length of the arm, unless given separately.

#include "berth/model/constraint.h"

namespace berth {

template <Scalar T>
struct Length {
  static constexpr std::string_view type = "length";
  static constexpr int forces = 1, torques = 0;

  T length{};

  static constexpr auto fields() {
    using P = Length;
    return Schema{
        Field{"length", &P::length, unit::metre, Range::not_negative,
              "of the rod; 0 = the length of the arm"},
    };
  }

  Vec3<T> bind(const Vec3<T>& arm, const Vec3<T>& outward) {
    if (!(value(norm(arm)) > 0)) return length * outward;
    return value(length) > 0 ? (length / norm(arm)) * arm : arm;
  }

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    const T l = norm(m.d);
    const T inverse = 1.0 / l;
    Row<T>& r = out.row[0];
    r.direction = inverse * m.d;
    r.violation = l - norm(m.arm);                                     // (1)
    r.rate = dot(r.direction, m.d_dot);                                // (2)
    r.curvature = inverse * (norm_squared(m.d_dot) - square(r.rate));  // (3)
    out.strain = 0.5 * square(r.violation);
    out.twist = T(0.0);
  }
};

static_assert(Constraint<Length<double>, double>);

}  // namespace berth

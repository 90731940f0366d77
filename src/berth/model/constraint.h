// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a constraint between two ports says: its violation and its rows. How it is enforced is
// somebody else's business.
//
//   B1, B2   the bodies that carry the ports           P1, P2   the ports' points
//   d        r_P2P1, and everything else here, in B1 axes
//   R        attitude of B2 in B1 against the nominal one; 1 when mated
//
// A row is a direction n fixed by the constraint. It forbids one motion of B2 against B1, either of
// the point P2 (a force row) or a rotation (a torque row):
//
//   rate      ψ̇ = n · ḋ                     or   n · ω_B2B1                                  (1)
//   second    ψ̈ = n · d̈ + curvature         or   n · ω̇                                       (2)
//
// dots as seen in B1. Its load is a force along n on B2 at P2, or a torque; the reaction acts on B1
// at the same point P2, so that a pair in space keeps its momentum at any violation.

#include <array>
#include <concepts>

#include "berth/math/rotation.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct PairMotion {
  Vec3<T> d, d_dot;  // [m], [m/s]
  Mat3<T> R;
  Vec3<T> omega;  // [rad/s] ω_B2B1
  Vec3<T> arm;    // [m] d when mated
};

template <Scalar T>
struct Row {
  Vec3<T> direction;
  T violation{};  // [m] or [rad]
  T rate{};
  T curvature{};
};

inline constexpr int kMostRows = 6;

// Force rows first. `strain` and `twist` are the potentials of unit springs in their place, whose
// gradients the violations are: ½ψ² for force rows.
template <Scalar T>
struct Rows {
  std::array<Row<T>, kMostRows> row;
  T strain{}, twist{};
};

template <class C, class T>
concept Constraint = requires(const C& c, C& changed, const PairMotion<T>& m, Rows<T>& rows,
                              const Vec3<T>& v) {
  { C::type } -> std::convertible_to<std::string_view>;
  C::fields();
  { C::forces } -> std::convertible_to<int>;
  { C::torques } -> std::convertible_to<int>;
  // Completes its inputs: the arm and the outward axis of port 1, B1 axes. Returns the arm it means.
  { changed.bind(v, v) } -> std::same_as<Vec3<T>>;
  c.find_rows(m, rows);
};

// What bind() has made of its inputs, on another scalar. Constraints that have more than their inputs
// state one of their own.
template <class From, class To>
void lift_bound(const From&, To&) {}

// --- rows several constraints share --------------------------------------------------------------

// P2 stays where it is in B1.
template <Scalar T>
BERTH_INLINE void hold_point(const PairMotion<T>& m, Rows<T>& out) {
  const Vec3<T> off = m.d - m.arm;
  for (int k = 0; k < 3; ++k) {
    Row<T>& r = out.row[static_cast<std::size_t>(k)];
    r = {};
    r.direction[k] = T(1.0);
    r.violation = off[k];
    r.rate = m.d_dot[k];
  }
  out.strain = 0.5 * norm_squared(off);
}

// B2 does not turn in B1: three torque rows after `first`. The error is 4 σ with σ the MRP of R, an
// angle when small; its spring has the potential 8 ln(1 + σ²), whose gradient is 4 σ exactly.
template <Scalar T>
BERTH_INLINE void hold_attitude(const PairMotion<T>& m, int first, Rows<T>& out) {
  // q₀ ≥ 0 from the trace: half a turn of error is beyond any joint.
  const Mat3<T>& R = m.R;
  const T q0 = 0.5 * sqrt(max(1.0 + R.xx + R.yy + R.zz, T(1e-12)));
  const T s = 1.0 / (q0 * (1.0 + q0));  // 4 σ = s · (axial part of R)
  const Vec3<T> error{s * (R.zy - R.yz), s * (R.xz - R.zx), s * (R.yx - R.xy)};
  for (int k = 0; k < 3; ++k) {
    Row<T>& r = out.row[static_cast<std::size_t>(first + k)];
    r = {};
    r.direction[k] = T(1.0);
    r.violation = error[k];
    r.rate = m.omega[k];
  }
  out.twist = 8.0 * log(1.0 + (1.0 / 16.0) * norm_squared(error));
}

// Two unit vectors normal to a unit vector and to each other.
template <Scalar T>
struct Normals {
  Vec3<T> first, second;
};
template <Scalar T>
Normals<T> find_normals(const Vec3<T>& axis) {
  // Crossed with the coordinate axis it is farthest from.
  const Vec3<T> a{abs(axis.x), abs(axis.y), abs(axis.z)};
  const auto x = a.x <= min(a.y, a.z);
  const auto y = a.y <= a.z;
  const Vec3<T> other{select(x, T(1.0), T(0.0)), select(x, T(0.0), select(y, T(1.0), T(0.0))),
                      select(x, T(0.0), select(y, T(0.0), T(1.0)))};
  const Vec3<T> first = normalised(cross(axis, other));
  return {first, cross(axis, first)};
}

}  // namespace berth

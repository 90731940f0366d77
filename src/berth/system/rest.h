// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rest — what holds the probe of an impact on its surface while it rests there, and its friction.
//
//   B1, P1   the body of the surface and its port      B2   that of the probe, a sphere or a point
//   C, R     the probe's centre and radius             Q    = C − R n̂, where it touches
//   n̂, t̂     normal out of the surface, and two tangents; fixed in B1, all of it in B1 axes
//
// With d = r_CP1 and ω = ω_B2B1 the points of both bodies at Q move against each other with
//
//   u = ḋ − R ω × n̂,      u̇ = d̈ − R ω̇ × n̂          dots as seen in B1                        (1)
//
//   normal row    ψ = n̂ · d − R,   ψ̇ = n̂ · u                                                   (2)
//   sticking      two rows more, of rates alone: t̂ · u = 0. A ball rolls, a point stays         (3)
//   sliding       force λ (n̂ − μ ŝ) on B2 at Q, ŝ = u/|u|                                       (4)
//
// The rows of a rough probe are force rows at Q as a point of B2 (closure.h): its d̈ has a part
// −R ω × (ω × n̂) more than (1), which their curvature takes off. Without friction the row acts at C.
//
// Whether the probe rests, sticks or slides is a matter of the mode: ContactMode of its contact.
// There is the heading ĥ too, the direction it slid in where the step began, or begins to slide in. As
// u goes to zero its direction turns ever faster, and there is none in the end: below the rest speed
// v_r the heading takes its place,
//
//   ŝ ∥ u + w ĥ,   w = v_r/(1 + (|u|/v_r)⁴)                                                     (5)
//
// which is (4) to 1e-9 at a hundred times that speed, and at any speed where it slides straight. Where
// ĥ · u falls below zero sliding has ended; a step that goes beyond, before that is located, sees the
// force go on as it was: with u − 2 (ĥ · u) ĥ in (5).

#include "berth/system/closure.h"

namespace berth {

template <Scalar T>
struct RestMotion : ClosureMotion<T> {
  Vec3<T> slip;  // [m/s] u along the surface
  T ahead{};     // [m/s] ĥ · u
  Vec3<T> drag;  // μ ŝ while it slides
  T power{};     // [W] of friction, below zero
};

template <Scalar T>
struct Rest : Closure<T> {
  static constexpr int most_rows = 3;  // all of them forces

  int contact = 0;     // whose probe rests
  Vec3<T> normal;      // n̂
  Normals<T> across;   // t̂₁, t̂₂
  T radius{};          // [m] R
  T friction{};        // μ
  T rest_speed{};      // [m/s] v_r
  bool rough = false;  // μ > 0

  BERTH_INLINE void find_normal_row(const PairMotion<T>& m, Row<T>& r) const {
    r = {};
    r.direction = normal;
    r.violation = dot(normal, m.d - radius * normal);
    r.rate = dot(normal, m.d_dot);
  }
  BERTH_INLINE void find_friction(const Vec3<T>& heading, bool slides, RestMotion<T>& m) const {
    const Vec3<T>& omega = m.pair.omega;
    const Vec3<T> u = m.pair.d_dot - radius * cross(omega, normal);  // (1)
    const Vec3<T> bend = radius * cross(omega, cross(omega, normal));
    auto& row = m.rows.row;
    row[0].curvature = dot(normal, bend);
    row[1] = {across.first, T(0.0), dot(across.first, u), dot(across.first, bend)};
    row[2] = {across.second, T(0.0), dot(across.second, u), dot(across.second, bend)};
    m.slip = u - dot(normal, u) * normal;
    if (!slides) return;
    m.ahead = dot(heading, m.slip);
    const T w = rest_speed / (1.0 + square(norm_squared(m.slip) / square(rest_speed)));
    const T back = min(m.ahead, T(0.0));
    const Vec3<T> along = m.slip + (w - 2.0 * back) * heading;  // (5)
    m.drag = (friction / norm(along)) * along;
  }
};

}  // namespace berth

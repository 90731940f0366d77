// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rest — what holds the probe of an impact on its surface while it rests there: one row.
//
//   B1, P1   the body of the surface and its port       B2, P2   that of the probe, its centre
//   n̂        normal out of the surface, B1 axes        R        radius of the probe
//
//   violation   ψ = n̂ · d − R,   d = r_P2P1                                                     (1)
//   rate        ψ̇ = n̂ · ḋ                                                                      (2)
//
// Whether the probe rests is a matter of the mode: ContactMode::now.touching of its contact.

#include "berth/system/closure.h"

namespace berth {

template <Scalar T>
struct Rest : Closure<T> {
  static constexpr int rows = 1;  // all of them forces

  int contact = 0;  // whose probe rests
  Vec3<T> normal;   // n̂
  T radius{};       // [m] R

  BERTH_INLINE void find_rows(const PairMotion<T>& m, Rows<T>& out) const {
    Row<T>& r = out.row[0];
    r = {};
    r.direction = normal;
    r.violation = dot(normal, m.d - radius * normal);
    r.rate = dot(normal, m.d_dot);
  }
};

template <Scalar T>
using RestMotion = ClosureMotion<T>;

}  // namespace berth

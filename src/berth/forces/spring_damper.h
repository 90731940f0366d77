// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpringDamper — a straight spring with a damper between a point of one body and a point of another.
//
//   d_N = r_P2N_N − r_P1N_N,   ℓ = |d|,   d̂ = d/ℓ
//
//   force      f = k (ℓ − ℓ₀) + c ℓ̇          pulls P1 along +d̂ and P2 along −d̂                (1)
//   energy     V = ½ k (ℓ − ℓ₀)²                                                              (2)
//   power      P = c ℓ̇² ≥ 0                  lost                                             (3)
//
// Both forces act along the line through both points, so the pair's momentum and moment of momentum
// are untouched. At ℓ = 0 the direction is undefined; the length is rounded off there by 1e-12 m.

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct SpringDamper : ForcePart {
  static constexpr std::string_view type = "spring_damper";

  BodyRef body_1 = "ground", body_2 = "ground";
  Vec3<T> point_1, point_2;
  T stiffness{};
  T damping{};
  T length{};  // ℓ₀

  static constexpr auto fields() {
    using P = SpringDamper;
    return Schema{
        Field{"body_1", &P::body_1, unit::none, Range::any, "first body", required},
        Field{"point_1", &P::point_1, unit::metre, Range::any, "end on the first body, its axes"},
        Field{"body_2", &P::body_2, unit::none, Range::any, "second body", required},
        Field{"point_2", &P::point_2, unit::metre, Range::any, "end on the second body, its axes"},
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::not_negative, "spring stiffness"},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative, "damping"},
        Field{"length", &P::length, unit::metre, Range::not_negative, "unstretched length"},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    if (!around.has_ground && (body_1 == "ground" || body_2 == "ground"))
      findings.add("", "in an orbit there is no ground to hold on to");
  }
  void bind(const Model<T>&, Findings&) {}

  void rotate_world(const Mat3<T>& R) {
    if (body_1 == "ground") point_1 = R * point_1;
    if (body_2 == "ground") point_2 = R * point_2;
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    const Stretch s = find_stretch(now);
    const Vec3<T> f_N = (stiffness * (s.length - length) + damping * s.rate) * s.direction;  // (1)
    effort.add_force_at(body_1.index, s.r_P1_N, f_N);
    effort.add_force_at(body_2.index, s.r_P2_N, -f_N);
  }
  T energy(const Instant<T>& now) const {  // (2)
    return 0.5 * stiffness * square(find_stretch(now).length - length);
  }
  T power_lost(const Instant<T>& now) const { return damping * square(find_stretch(now).rate); }

  template <class Emit>
  void channels(const Instant<T>& now, Emit&& f) const {
    f("length", unit::metre, "", "distance between the ends", Kind::norm, Needs::motion,
      [&] { return find_stretch(now).length; });
    f("force", unit::newton, "", "pull on the ends", Kind::smooth, Needs::motion, [&] {
      const Stretch s = find_stretch(now);
      return stiffness * (s.length - length) + damping * s.rate;
    });
  }

  struct Stretch {
    Vec3<T> r_P1_N, r_P2_N;  // ends from their bodies' origins
    Vec3<T> direction;
    T length, rate;
  };
  BERTH_INLINE Stretch find_stretch(const Instant<T>& now) const {
    const BodyMotion<T>&a = now.body(body_1.index), &b = now.body(body_2.index);
    const Vec3<T> r1 = a.R_NB * point_1, r2 = b.R_NB * point_2;
    const Vec3<T> d = (b.r_BN_N + r2) - (a.r_BN_N + r1);
    const T l = sqrt(norm_squared(d) + 1e-24);
    const Vec3<T> direction = (1.0 / l) * d;
    return {r1, r2, direction, l, dot(direction, b.velocity_at(r2) - a.velocity_at(r1))};
  }
};

static_assert(Pushes<SpringDamper<double>, double> && StoresEnergy<SpringDamper<double>, double>);

}  // namespace berth

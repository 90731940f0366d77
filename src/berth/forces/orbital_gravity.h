// SPDX-License-Identifier: Apache-2.0
#pragma once

// OrbitalGravity — all that a body feels of an orbit in a free-falling frame.
//
//   R   origin of the frame from the Earth's centre      ρ   point from the origin
//
//   tidal   g(R+ρ) − g(R) = −(μ/R³) [ρ + F (R+ρ)]                                              (1)
//           q = ρ·(ρ + 2R)/R²,   F = −q(3+3q+q²) / [(1+q)^1.5 (1+(1+q)^1.5)]
//   torque  3μ/r³ û × (I_C û),   û = (R+ρ)/r                  about the body's c.m.            (2)
//
// (1) is exact and free of cancellation: F is (1+q)^−1.5 − 1 multiplied out, so a body at the
// origin feels exactly nothing and one metre away is known to sixteen digits, not to the 1e-9 m
// that an absolute position of 7e6 m can hold. Evaluated at every body's own centre of mass.
//
//   J2      a(r) = k [5 z² r/r⁷ − r/r⁵ − 2 z ẑ/r⁵],   k = 3/2 J2 μ R_E²,  ẑ = N_z the pole       (3)
//
// enters the same way, as the difference of (3) at R+ρ and at R, multiplied out term by term with
//   e = (1+q)^−½ − 1 = −q / [√(1+q) (1+√(1+q))],   1/r⁵ = (1+e)⁵/R⁵,   1/r⁷ = (1+e)⁷/R⁷.
//
// The gradient of (3) turns an extended body too, with c = k/r⁵:
//   c/r² (5 − 35 z²/r²) r×(I r) + 10 c z/r² [r×(I ẑ) + ẑ×(I r)] − 2c ẑ×(I ẑ)                    (4)

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct OrbitalGravity : WorldForce {
  static constexpr std::string_view type = "orbital_gravity";
  static constexpr bool external = true;
  static constexpr bool tied_to_earth = true;  // knows one place and, with J2, one axis

  T mu = 3.986004415e14;
  T j2{};
  T equatorial_radius = 6378136.3;
  bool gravity_gradient = true;

  static constexpr auto fields() {
    using P = OrbitalGravity;
    return Schema{
        Field{"mu", &P::mu, unit::m3_per_s2, Range::positive, "gravitational parameter"},
        Field{"j2", &P::j2, unit::none, Range::any, "oblateness coefficient; 0 = sphere"},
        Field{"equatorial_radius", &P::equatorial_radius, unit::metre, Range::positive,
              "radius that goes with j2"},
        Field{"gravity_gradient", &P::gravity_gradient, unit::none, Range::any,
              "gravity-gradient torque on every body"},
    };
  }

  void bind(const Model<T>&, Findings&) {}

  // g(R)
  Vec3<T> acceleration(const Vec3<T>& R) const {
    const T r2 = norm_squared(R);
    const T r = sqrt(r2);
    const T k = 1.5 * j2 * mu * square(equatorial_radius) / (r2 * r2 * r);
    const T z2 = 5.0 * R.z * R.z / r2;
    Vec3<T> g = (k * (z2 - 1.0) - mu / (r2 * r)) * R;
    g.z -= 2.0 * k * R.z;
    return g;
  }

  // What is shared by all points near one origin.
  struct Field0 {
    Vec3<T> R;
    T inv_R2, mu_R3;  // 1/R², μ/R³
    T k5;             // k/R⁵
  };
  BERTH_INLINE Field0 find_field(const Vec3<T>& R) const {
    const T inv_R2 = 1.0 / norm_squared(R);
    const T inv_R3 = inv_R2 * sqrt(inv_R2);
    return {R, inv_R2, mu * inv_R3, 1.5 * j2 * mu * square(equatorial_radius) * inv_R3 * inv_R2};
  }

  // g(R+ρ) − g(R)
  BERTH_INLINE Vec3<T> tidal(const Field0& at, const Vec3<T>& rho) const {
    const Vec3<T> r = at.R + rho;
    const T q = dot(rho, rho + 2.0 * at.R) * at.inv_R2;
    const T root = sqrt(1.0 + q);
    const T s = (1.0 + q) * root;
    const T F = -(q * (3.0 + q * (3.0 + q))) / (s * (1.0 + s));
    Vec3<T> g = -at.mu_R3 * (rho + F * r);  // (1)

    // (3), the difference of each of its three terms.
    const T e = -q / (root * (1.0 + root));
    const T e5 = e * (5.0 + e * (10.0 + e * (10.0 + e * (5.0 + e))));
    const T e7 = e * (7.0 + e * (21.0 + e * (35.0 + e * (35.0 + e * (21.0 + e * (7.0 + e))))));
    const T z2 = r.z * r.z;
    const T dz2 = rho.z * (2.0 * at.R.z + rho.z);
    const T k7 = 5.0 * at.k5 * at.inv_R2;
    g += k7 * (z2 * rho + dz2 * at.R + (e7 * z2) * r);
    g -= at.k5 * (rho + e5 * r);
    g.z -= 2.0 * at.k5 * (rho.z + e5 * r.z);
    return g;
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    const Field0 at = find_field(now.motion.orbit.r_NE_N);
    for (int i = 1; i < now.model.body_count(); ++i) {
      const BodyMotion<T>& b = now.body(i);
      const Vec3<T> rho = b.r_BN_N + b.r_CB_N;
      effort.add_force_at(i, b.r_CB_N, now.model.body(i).mass * tidal(at, rho));
      if (gravity_gradient) {
        const Vec3<T> r = at.R + rho;
        const T inv_r2 = 1.0 / norm_squared(r);
        const T inv_r5 = inv_r2 * inv_r2 * sqrt(inv_r2);
        const Vec3<T> I_r = b.I_C_N * r;
        effort.body(i).torque += (3.0 * mu * inv_r5) * cross(r, I_r);  // (2)
        const Vec3<T> z{T(0.0), T(0.0), T(1.0)};
        const Vec3<T> I_z = b.I_C_N * z;
        const T c = 1.5 * j2 * mu * square(equatorial_radius) * inv_r5;
        effort.body(i).torque += (c * inv_r2 * (5.0 - 35.0 * r.z * r.z * inv_r2)) * cross(r, I_r) +
                                 (10.0 * c * inv_r2 * r.z) * (cross(r, I_z) + cross(z, I_r)) -
                                 (2.0 * c) * cross(z, I_z);  // (4)
      }
    }
  }
};

static_assert(Pushes<OrbitalGravity<double>, double>);

}  // namespace berth

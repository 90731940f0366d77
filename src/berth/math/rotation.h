// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attitudes, and the only place where one kind becomes another.
//
//   q     Hamilton quaternion, scalar first            v_N = q v_B q*                          (1)
//   R_NB  rotation matrix, takes B components to N     R_NB = R(q), for any |q| > 0            (2)
//   σ     modified Rodrigues parameters                σ_BN = q_v / (1 + q₀), |σ| ≤ 1          (3)
//   φ     rotation vector                              q = (cos |φ|/2, sin(|φ|/2) φ/|φ|)       (4)
//   rate                                               q̇ = ½ q ⊗ (0, ω_BN_B)                  (5)

#include "berth/math/vec3.h"

namespace berth {

template <class T>
struct Quaternion {
  T w = 1.0, x{}, y{}, z{};
  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class T>
BERTH_INLINE Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
BERTH_INLINE Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
BERTH_INLINE T norm_squared(const Quaternion<T>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

// Unit length, q₀ ≥ 0: the form every output uses.
template <class T>
Quaternion<T> canonical(const Quaternion<T>& q) {
  const T s = select(q.w < 0.0, T(-1.0), T(1.0)) / sqrt(norm_squared(q));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

// (2). Scaled by 1/|q|², so that a quaternion that has drifted from unit length by a step's error
// still gives a proper rotation.
template <class T>
BERTH_INLINE Mat3<T> rotation_matrix(const Quaternion<T>& q) {
  const T s = 2.0 / norm_squared(q);
  const T x = s * q.x, y = s * q.y, z = s * q.z;
  const T wx = q.w * x, wy = q.w * y, wz = q.w * z;
  const T xx = q.x * x, yy = q.y * y, zz = q.z * z;
  const T xy = q.x * y, xz = q.x * z, yz = q.y * z;
  return {1.0 - (yy + zz), xy - wz,         xz + wy,  //
          xy + wz,         1.0 - (xx + zz), yz - wx,  //
          xz - wy,         yz + wx,         1.0 - (xx + yy)};
}

// (5)
template <class T>
BERTH_INLINE Quaternion<T> quaternion_rate(const Quaternion<T>& q, const Vec3<T>& omega_BN_B) {
  const Vec3<T> h = 0.5 * omega_BN_B;
  return {-(q.x * h.x) - q.y * h.y - q.z * h.z, q.w * h.x + q.y * h.z - q.z * h.y,
          q.w * h.y + q.z * h.x - q.x * h.z, q.w * h.z + q.x * h.y - q.y * h.x};
}

// The four squared components of q from the diagonal of R; the largest one is divided by, so no
// attitude is special.
template <class T>
Quaternion<T> quaternion(const Mat3<T>& R) {
  const T w = 1.0 + R.xx + R.yy + R.zz, x = 1.0 + R.xx - R.yy - R.zz;
  const T y = 1.0 - R.xx + R.yy - R.zz, z = 1.0 - R.xx - R.yy + R.zz;
  const T a = R.zy - R.yz, b = R.xz - R.zx, c = R.yx - R.xy;
  const T d = R.yx + R.xy, e = R.xz + R.zx, f = R.zy + R.yz;
  Quaternion<T> q{w, a, b, c};
  T big = w;
  const auto take = [&](const T& s, const Quaternion<T>& p) {
    const auto m = s > big;
    q = {select(m, p.w, q.w), select(m, p.x, q.x), select(m, p.y, q.y), select(m, p.z, q.z)};
    big = select(m, s, big);
  };
  take(x, {a, x, d, e});
  take(y, {b, d, y, f});
  take(z, {c, e, f, z});
  return canonical(q);
}

// (3). Built from the unit quaternion with q₀ ≥ 0, hence the short rotation, |σ| ≤ 1.
template <class T>
BERTH_INLINE Vec3<T> mrp(const Quaternion<T>& q) {
  const T n = sqrt(norm_squared(q));
  const T sign = select(q.w < 0.0, T(-1.0), T(1.0));
  const T s = 1.0 / (n * sign + q.w);
  return {q.x * s, q.y * s, q.z * s};
}
template <class T>
Vec3<T> mrp(const Mat3<T>& R) {
  return mrp(quaternion(R));
}
template <class T>
Quaternion<T> quaternion_from_mrp(const Vec3<T>& sigma) {
  const T s2 = norm_squared(sigma);
  const T k = 1.0 / (1.0 + s2);
  return {(1.0 - s2) * k, 2.0 * k * sigma.x, 2.0 * k * sigma.y, 2.0 * k * sigma.z};
}

// (4). sin(a/2)/a by its series where a is small: no division by zero, no lost slope.
template <class T>
Quaternion<T> quaternion_from_rotation_vector(const Vec3<T>& phi) {
  const T a2 = norm_squared(phi);
  const auto small = a2 < 1e-8;
  const T a = sqrt(select(small, T(1.0), a2));
  const SinCos<T> half = sin_cos(0.5 * a);
  const T s = select(small, 0.5 - a2 * (1.0 / 48.0), half.sin / a);
  const T c = select(small, 1.0 - a2 * 0.125, half.cos);
  return {c, s * phi.x, s * phi.y, s * phi.z};
}
template <class T>
Vec3<T> rotation_vector(const Quaternion<T>& q_any) {
  const Quaternion<T> q = canonical(q_any);
  const Vec3<T> v{q.x, q.y, q.z};
  const T s2 = norm_squared(v);
  const auto small = s2 < 1e-8;
  const T s = sqrt(select(small, T(1.0), s2));
  const T k = select(small, 2.0 + s2 * (1.0 / 3.0), 2.0 * atan2(s, q.w) / s);
  return k * v;
}

// Rotation by `angle` about the unit vector `axis` (Rodrigues).
template <class T>
Mat3<T> rotation_about(const Vec3<T>& axis, const T& angle) {
  const SinCos<T> sc = sin_cos(angle);
  const Mat3<T> K = cross_matrix(axis);
  return Mat3<T>::identity() + sc.sin * K + (1.0 - sc.cos) * (K * K);
}

// A right-handed triad with the given x axis and its z as near as possible to `z_hint`.
template <class T>
Mat3<T> axes_from_x_and_z(const Vec3<T>& x_direction, const Vec3<T>& z_hint) {
  const Vec3<T> x = normalised(x_direction);
  const Vec3<T> y = normalised(cross(z_hint, x));
  return Mat3<T>::columns(x, y, cross(x, y));
}

}  // namespace berth

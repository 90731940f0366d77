// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gradient — a dual number over any scalar: a function of a point and its slopes along x, y, z.
//
// A surface states its gap as a formula of the point; the normal comes out beside it. On the scalar
// Dual the slopes have slopes of their own: the curvature that a linearisation needs.

#include "berth/math/vec3.h"

namespace berth {

template <Scalar T>
struct Gradient {
  T v{};
  Vec3<T> d;
};

template <Scalar T>
double value(const Gradient<T>& a) {
  return value(a.v);
}

template <Scalar T>
Gradient<T> operator-(const Gradient<T>& a) {
  return {-a.v, -a.d};
}
template <Scalar T>
Gradient<T> operator+(const Gradient<T>& a, const Gradient<T>& b) {
  return {a.v + b.v, a.d + b.d};
}
template <Scalar T>
Gradient<T> operator-(const Gradient<T>& a, const Gradient<T>& b) {
  return {a.v - b.v, a.d - b.d};
}
template <Scalar T>
Gradient<T> operator*(const Gradient<T>& a, const Gradient<T>& b) {
  return {a.v * b.v, a.v * b.d + b.v * a.d};
}
template <Scalar T>
Gradient<T> operator+(const Gradient<T>& a, const std::type_identity_t<T>& b) {
  return {a.v + b, a.d};
}
template <Scalar T>
Gradient<T> operator-(const Gradient<T>& a, const std::type_identity_t<T>& b) {
  return {a.v - b, a.d};
}
template <Scalar T>
Gradient<T> operator*(const std::type_identity_t<T>& a, const Gradient<T>& b) {
  return {a * b.v, a * b.d};
}
template <Scalar T>
Gradient<T> sqrt(const Gradient<T>& a) {
  const T s = sqrt(a.v);
  return {s, (0.5 / s) * a.d};
}
template <Scalar T>
Gradient<T> larger(const Gradient<T>& a, const Gradient<T>& b) {
  return value(a) > value(b) ? a : b;
}

// The coordinates of a point as functions of itself.
template <Scalar T>
struct SurfacePoint {
  Gradient<T> x, y, z;
};
template <Scalar T>
SurfacePoint<T> surface_point(const Vec3<T>& p) {
  const T o(0.0), i(1.0);
  return {{p.x, {i, o, o}}, {p.y, {o, i, o}}, {p.z, {o, o, i}}};
}

// Distance from the x axis; rounded off by 1e-15 m, where it has no slope.
template <Scalar T>
Gradient<T> find_radius(const SurfacePoint<T>& p) {
  return sqrt(p.y * p.y + p.z * p.z + T(1e-30));
}

// Distance from the corner of a solid {a < 0, b < 0}, negative inside.
template <Scalar T>
Gradient<T> find_corner_distance(const Gradient<T>& a, const Gradient<T>& b) {
  return value(a) > 0 && value(b) > 0 ? sqrt(a * a + b * b) : larger(a, b);
}

}  // namespace berth

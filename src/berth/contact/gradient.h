// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gradient — a dual number over any scalar: a function of a point and its slopes along x, y, z.
//
// A surface states its gap as a formula of the point; the normal comes out beside it. On the scalar
// Dual the slopes have slopes of their own: the curvature that a linearisation needs.

#include "berth/math/vec3.h"
#include "berth/scalar/two.h"

namespace berth {

template <Scalar T>
struct Gradient {
  T v{};
  Vec3<T> d;
};

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
Gradient<T> select(const auto& mask, const Gradient<T>& a, const Gradient<T>& b) {
  return {select(mask, a.v, b.v),
          {select(mask, a.d.x, b.d.x), select(mask, a.d.y, b.d.y), select(mask, a.d.z, b.d.z)}};
}
template <Scalar T>
auto operator<(const Gradient<T>& a, const Gradient<T>& b) {
  return a.v < b.v;
}
template <Scalar T>
auto operator<(const Gradient<T>& a, const Plain<T>& b) {
  return a.v < T(b);
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

// --- formulas of surfaces, for numbers R and their gradients -------------------------------------

template <class R>
R larger(const R& a, const R& b) {
  return select(b < a, a, b);
}

// √(a² + b²), with a slope (of zero) where both vanish.
template <class R>
R find_length(const R& a, const R& b) {
  return sqrt(a * a + b * b + 1e-300);
}

// Distance from the x axis; rounded off by 1e-15 m, where it has no slope.
template <class R>
R find_radius(const R& y, const R& z) {
  return sqrt(y * y + z * z + 1e-30);
}

// The same with a bottom instead of a kink on the axis, convex, with a continuous slope of at most 1:
//
//   (ρ²/ε + ε)/2   for ρ < ε,   ρ beyond
template <class R, class E>
R find_rounded_radius(const R& rho, const E& epsilon) {
  return select(rho < plain(epsilon), (0.5 / epsilon) * (rho * rho) + 0.5 * epsilon, rho);
}

// Distance from the corner of a solid {a < 0, b < 0}, negative inside.
template <class R>
R find_corner_distance(const R& a, const R& b) {
  const R inside = larger(a, b);
  return select(larger<R>(-a, -b) < R{}, find_length(a, b), inside);
}

}  // namespace berth

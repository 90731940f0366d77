// SPDX-License-Identifier: Apache-2.0
#pragma once

// Surfaces a probe may touch, each by its gap: the distance of a point from the solid, positive where
// it is free, negative inside. Points are given in the axes of the surface's port.
//
//   cone         apex at the port, open along +x. With ρ² = y² + z² and the half angle θ
//                  d = ρ cos θ − x sin θ      from the wall, outwards
//                  m = x cos θ + ρ sin θ      along it, from the apex
//                The solid is d > 0 (up to `thickness`, or without end), m < length/cos θ: inside
//                the gap is −d, behind the apex the distance from it, before the mouth that from the
//                rim circle, on the end face of the wall m − length/cos θ, outside d − thickness.
//   plane        the end face x = 0 of a post of the given radius, free along +x
//   half_space   everything behind x = 0

#include "berth/contact/gradient.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <class S, class T>
concept Surface = requires(const S& s, const SurfacePoint<T>& p) {
  { S::type } -> std::convertible_to<std::string_view>;
  S::fields();
  { s.find_gap(p) } -> std::same_as<Gradient<T>>;
};

template <Scalar T>
struct Cone {
  static constexpr std::string_view type = "cone";

  T half_angle{};
  T length{};
  T thickness{};

  static constexpr auto fields() {
    using P = Cone;
    return std::tuple{
        Field{"half_angle", &P::half_angle, unit::rad, Range::positive, "between axis and wall",
              required},
        Field{"length", &P::length, unit::metre, Range::positive, "along the axis, apex to mouth",
              required},
        Field{"thickness", &P::thickness, unit::metre, Range::not_negative,
              "of the wall; 0 = without end"},
    };
  }

  Gradient<T> find_gap(const SurfacePoint<T>& p) const {
    const auto [sin, cos] = sin_cos(half_angle);
    const Gradient<T> rho = find_radius(p);
    const Gradient<T> d = cos * rho - sin * p.x, m = cos * p.x + sin * rho;
    // Behind a point of the wall the nearest of it is that point: the apex seen from inside the
    // solid, that of the outer face from outside.
    Gradient<T> from_wall = value(m) < 0 && value(d) > 0 ? -sqrt(d * d + m * m) : -d;
    if (value(thickness) > 0) {
      const Gradient<T> out = d - thickness, along = m + thickness * cos / sin;
      const bool behind = value(along) < 0 && value(out) > 0;
      from_wall = larger(from_wall, behind ? sqrt(out * out + along * along) : out);
    }
    return find_corner_distance(from_wall, m - length / cos);
  }
};

template <Scalar T>
struct Plane {
  static constexpr std::string_view type = "plane";

  T radius{};

  static constexpr auto fields() {
    using P = Plane;
    return std::tuple{
        Field{"radius", &P::radius, unit::metre, Range::positive, "of the face", required},
    };
  }

  Gradient<T> find_gap(const SurfacePoint<T>& p) const {
    return find_corner_distance(p.x, find_radius(p) - radius);
  }
};

template <Scalar T>
struct HalfSpace {
  static constexpr std::string_view type = "half_space";

  static constexpr auto fields() { return std::tuple{}; }

  Gradient<T> find_gap(const SurfacePoint<T>& p) const { return p.x; }
};

template <Scalar T>
using Surfaces = PartList<Cone<T>, Plane<T>, HalfSpace<T>>;

static_assert(Surface<Cone<double>, double> && Surface<Plane<double>, double> &&
              Surface<HalfSpace<double>, double>);

}  // namespace berth

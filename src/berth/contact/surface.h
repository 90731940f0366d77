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
//                On the axis, where the nearest point of the wall jumps to the other side, ρ is
//                rounded off: (ρ²/ε + ε)/2 for ρ < ε = 1e-7 length.
//   plane        the end face x = 0 of a post of the given radius, free along +x
//   half_space   everything behind x = 0
//
//   find_gap       => gap and its slope
//   find_deepest   => how far behind its tip a straight shaft has its smallest gap (shaft.h)

#include "berth/contact/gradient.h"
#include "berth/contact/shaft.h"
#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <class S, class T>
concept Surface = requires(const S& s, const SurfacePoint<T>& p, const Vec3<T>& v, const T& l) {
  { S::type } -> std::convertible_to<std::string_view>;
  S::fields();
  { s.find_gap(p) } -> std::same_as<Gradient<T>>;
  { s.find_deepest(v, v, l) } -> std::same_as<Plain<T>>;
  &S::draw;
};

// The wall of a cone in a plane through its axis, N its numbers; points as numbers or gradients R.
template <class N>
struct ConeSection {
  using Two = berth::Two<N>;

  N sin, cos, thickness;
  N mouth;  // m there
  N point;  // −m of the point where the outer face ends, behind the apex

  ConeSection(const N& half_angle, const N& length, const N& wall) : thickness(wall) {
    const auto turn = sin_cos(half_angle);
    sin = turn.sin;
    cos = turn.cos;
    mouth = length / cos;
    point = thickness * cos / sin;
  }

  // −d; in the solid behind the apex, whose nearest point that is, the distance from it. Concave,
  // because the free space is convex.
  template <class R>
  R from_inner(const R& d, const R& m) const {
    return select(larger<R>(m, -d) < R{}, -find_length(d, m), -d);
  }
  // d − thickness; behind its point the distance from that. Convex.
  template <class R>
  R from_outer(const R& d, const R& m) const {
    const R out = d - thickness, along = m + point;
    return select(larger<R>(along, -out) < R{}, find_length(out, along), out);
  }
  template <class R>
  R find_gap(const R& x, const R& rho) const {
    const R d = cos * rho - sin * x, m = cos * x + sin * rho;
    R from_wall = from_inner(d, m);
    if (value(thickness) > 0) from_wall = larger(from_wall, from_outer(d, m));
    return find_corner_distance<R>(from_wall, m - mouth);
  }

  // The signed square of find_gap.
  Two find_square(const Two& x, const Two& rho) const {
    const Two d = cos * rho - sin * x, m = cos * x + sin * rho;
    const Two apart = select(d > both<N>(0), min(m, 0.0), both<N>(0));
    Two from_wall = -square_signed(d) - apart * apart;
    if (value(thickness) > 0) {
      const Two out = d - thickness,
                along = select(out > both<N>(0), min(m + point, 0.0), both<N>(0));
      from_wall = max(from_wall, square_signed(out) + along * along);
    }
    return find_corner_square(from_wall, square_signed(m - mouth));
  }

  void offer_places(const Shaft<N>& shaft, auto& deepest) const {
    // End face and outer face are convex: m' = 0, d' = 0.
    const N by_sin = 1 / sin, by_cos = 1 / cos;
    deepest.offer(shaft.places_of_slopes(shaft.u * Two{-cos * by_sin, sin * by_cos}));
    // The rim circle; in the solid as far from the inner as from the end face: −d = m − mouth. The
    // edge between outer and end face; halfway between inner and outer face. All abreast.
    const N by = 1 / (cos + sin);
    Two ridge = shaft.places_of_line(mouth * by, (sin - cos) * by);
    typename Shaft<N>::Circle rim(shaft, mouth * cos, mouth * sin);
    if (value(thickness) > 0) {
      typename Shaft<N>::Circle edge(shaft, mouth * cos - thickness * sin,
                                     mouth * sin + thickness * cos);
      Two halfway = shaft.places_of_line(0.5 * thickness * by_cos, sin * by_cos);
      for (int i = 0; i < kSteps; ++i) {
        rim.step();
        edge.step();
        ridge = step_ridge(shaft, ridge, mouth, 0, -1);
        halfway = step_ridge(shaft, halfway, thickness, -1, 0);
      }
      edge.finish();
      deepest.offer(halfway);
      deepest.offer(Two{edge.nearer_place(), shaft.place_of_point(-thickness * by_sin)});
      // As far from the outer as from the end face: d − thickness = m − mouth.
      const N flat = cos - sin, by_flat = 1 / select(abs(flat) < 1e-9, N(1e-9), flat);
      deepest.offer(shaft.places_of_line((thickness - mouth) * by_flat, (cos + sin) * by_flat));
    } else {
      for (int i = 0; i < kSteps; ++i) {
        rim.step();
        ridge = step_ridge(shaft, ridge, mouth, 0, -1);
      }
    }
    rim.finish();
    deepest.offer(rim.places);
    deepest.offer(ridge);
  }
  static constexpr int kSteps = 4;

  // In the solid, as deep under another face, by f = f_0 + f_d d + f_m m, as under the inner one, by d,
  // or behind the apex by √(d² + m²):
  //
  //   q = f² − d² − min(m, 0)² = 0
  //
  // One step of Newton's. The first places, without the last part of q, are outside of the roots.
  Two step_ridge(const Shaft<N>& shaft, Two s, const N& f_0, double f_d, double f_m) const {
    s = select(abs(s) < both<N>(1e9), s, both<N>(0));
    const typename Shaft<N>::Slope r =
        shaft.radius_and_slope(s);  // all slopes times r.by: one division
    const Two x = shaft.x(s), d = cos * r.value - sin * x, m = cos * x + sin * r.value;
    const Two x_s = shaft.u * r.by, d_s = cos * r.rise - sin * x_s, m_s = cos * x_s + sin * r.rise;
    const Two f = f_0 + f_d * d + f_m * m, f_s = f_d * d_s + f_m * m_s, behind = min(m, 0.0);
    const Two q = (f - d) * (f + d) - behind * behind;
    const Two q_s = 2 * (f * f_s - d * d_s - behind * m_s);
    return s - q * r.by / select(abs(q_s) < 1e-12 * r.by, r.by, q_s);
  }
};

template <Scalar T>
struct Cone {
  static constexpr std::string_view type = "cone";

  T half_angle{};
  T length{};
  T thickness{};

  static constexpr auto fields() {
    using P = Cone;
    return Schema{
        Field{"half_angle", &P::half_angle, unit::rad, Range::positive, "between axis and wall",
              required},
        Field{"length", &P::length, unit::metre, Range::positive, "along the axis, apex to mouth",
              required},
        Field{"thickness", &P::thickness, unit::metre, Range::not_negative,
              "of the wall; 0 = without end"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (half_angle >= 0.5 * kPi)
      findings.add("half_angle", shown(value(half_angle) * 180 / kPi) +
                                     "° must be below 90°: a wider one is no cone");
  }

  Gradient<T> find_gap(const SurfacePoint<T>& p) const {
    const Gradient<T> rho = find_rounded_radius(find_radius(p.y, p.z), find_rounding());
    return ConeSection<T>(half_angle, length, thickness).find_gap(p.x, rho);
  }

  Plain<T> find_deepest(const Vec3<T>& tip, const Vec3<T>& back, const T& shaft_length) const {
    using N = Plain<T>;
    const Shaft<N> shaft(tip, back, shaft_length, plain(find_rounding()));
    const ConeSection<N> section(plain(half_angle), plain(length), plain(thickness));
    const auto gap = [&](const Two<N>& s) {
      return section.find_square(shaft.x(s), shaft.radius(s));
    };
    Deepest deepest{shaft, gap};
    section.offer_places(shaft, deepest);
    return deepest.place();
  }

  T find_rounding() const { return 1e-7 * length; }  // [m] ε

  Solid draw(double) const {
    return {.kind = Solid::cone, .at = {}, .q = {}, .length = length, .half_angle = half_angle};
  }
};

template <Scalar T>
struct Plane {
  static constexpr std::string_view type = "plane";

  T radius{};

  static constexpr auto fields() {
    using P = Plane;
    return Schema{
        Field{"radius", &P::radius, unit::metre, Range::positive, "of the face", required},
    };
  }

  Gradient<T> find_gap(const SurfacePoint<T>& p) const {
    return find_corner_distance(p.x, find_radius(p.y, p.z) - radius);
  }

  // The post is convex, and so is its gap along a shaft: smallest at an end, nearest the axis, nearest
  // the edge, or where face and side are as far.
  Plain<T> find_deepest(const Vec3<T>& tip, const Vec3<T>& back, const T& shaft_length) const {
    using N = Plain<T>;
    const Shaft<N> shaft(tip, back, shaft_length, N(0.0));
    const N edge = plain(radius);
    const auto gap = [&](const Two<N>& s) {
      return find_corner_square(square_signed(shaft.x(s)), square_signed(shaft.radius(s) - edge));
    };
    typename Shaft<N>::Circle rim(shaft, N(0.0), edge);
    for (int i = 0; i < 4; ++i) rim.step();
    rim.finish();
    Deepest deepest{shaft, gap};
    deepest.offer(shaft.places_of_slopes(both<N>(0)));
    deepest.offer(rim.places);
    deepest.offer(shaft.places_of_line(edge, N(1.0)));
    return deepest.place();
  }

  Solid draw(double) const {
    return {.kind = Solid::plane, .at = {}, .q = {}, .size = {2 * radius, 2 * radius, 0}};
  }
};

template <Scalar T>
struct HalfSpace {
  static constexpr std::string_view type = "half_space";

  static constexpr auto fields() { return Schema{}; }

  Gradient<T> find_gap(const SurfacePoint<T>& p) const { return p.x; }
  Plain<T> find_deepest(const Vec3<T>&, const Vec3<T>& back, const T& shaft_length) const {
    return select(plain(back.x) < 0.0, plain(shaft_length), Plain<T>(0.0));
  }

  Solid draw(double extent) const {
    return {.kind = Solid::plane, .at = {}, .q = {}, .size = {4 * extent, 4 * extent, 0}};
  }
};

static_assert(Surface<Cone<double>, double> && Surface<Plane<double>, double> &&
              Surface<HalfSpace<double>, double>);

}  // namespace berth

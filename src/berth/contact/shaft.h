// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shaft — a straight line of points before a surface of revolution, and the places on it where a gap
// can be smallest.
//
//   p(s) = tip + s b̂,  0 ≤ s ≤ ℓ,  |b̂| = 1          axes of the surface's port, x its axis
//   x(s) = x₀ + u s                                   linear                                     (1)
//   ρ²(s) = a s² + 2 b s + c,  u² + a = 1             ρ is convex, ρ' = (a s + b)/ρ              (2)
//
// The gap of a solid of revolution is put together of functions of x and ρ. Along the line each of
// them is concave (smallest at an end), or convex (smallest where its slope vanishes), or the
// distance from a circle about the axis (smallest at two places at most); where the larger of two
// counts it may be smallest where they are equal. So a short list of places, made by formulas and a
// fixed number of Newton steps, holds the smallest gap. A place that the list has in vain does no
// harm: the gap itself decides (Deepest).
//
// Straight-line code without a branch, two places abreast, on numbers N without slopes: to first order
// the gap does not change with s.

#include "berth/contact/gradient.h"
#include "berth/scalar/two.h"

namespace berth {

template <class N>
struct Shaft {
  using Two = berth::Two<N>;

  N x_0, u, a, b, c, length;
  N determinant;  // D = a c − b²
  N epsilon;      // [m] below it ρ is rounded off (find_rounded_radius)
  N half_by_epsilon;

  template <Scalar T>
  Shaft(const Vec3<T>& tip, const Vec3<T>& back, const T& l, const N& rounding)
      : x_0(plain(tip.x)),
        u(plain(back.x)),
        length(plain(l)),
        epsilon(rounding),
        half_by_epsilon(0.5 / max(rounding, N(1e-300))) {
    const N y = plain(tip.y), z = plain(tip.z), v = plain(back.y), w = plain(back.z);
    a = v * v + w * w;
    b = y * v + z * w;
    c = y * y + z * z;
    determinant = square(y * w - z * v);
  }

  Two x(const Two& s) const { return x_0 + u * s; }
  Two on_shaft(const Two& s) const { return min(max(s, 0.0), length); }

  // ρ as the surface has it.
  Two radius(const Two& s) const {
    const Two squared = radius_squared(s), rho = sqrt(squared);
    return select(rho < both<N>(epsilon), squared * half_by_epsilon + 0.5 * epsilon, rho);
  }
  Two radius_squared(const Two& s) const { return max(s * (a * s + 2 * b) + c, 0.0) + 1e-30; }
  // With its slope rise/by, by being ρ, or ε where it is rounded off.
  struct Slope {
    Two value, rise, by;
  };
  Slope radius_and_slope(const Two& s) const {
    const Two squared = radius_squared(s), rho = sqrt(squared);
    const auto near = rho < both<N>(epsilon);
    return {select(near, squared * half_by_epsilon + 0.5 * epsilon, rho), a * s + b,
            select(near, both<N>(epsilon), rho)};
  }

  // Where ρ' = r. Of (2): a s + b = r √(D/(a − r²)), in the rounded part a s + b = r ε.
  Two places_of_slopes(const Two& r) const {
    const Two free = r * sqrt(determinant / max(a - r * r, 1e-300));
    const N by = 1 / max(a, N(1e-300));
    const Two rho_squared = (free * free + determinant) * by;
    return (select(rho_squared < both<N>(epsilon * epsilon), r * epsilon, free) - b) * by;
  }

  // Where ρ = p + q x: (a − q²u²) s² + 2 (b − q u p₀) s + c − p₀² = 0,  p₀ = p + q x₀.
  Two places_of_line(const N& p, const N& q) const {
    const N p_0 = p + q * x_0, q_0 = q * u;
    const N A = a - q_0 * q_0, B = b - q_0 * p_0, C = c - p_0 * p_0;
    const N sum = -(B + copysign(sqrt(max(B * B - A * C, N(0.0))), B));
    return Two{sum, C} / find_safe(Two{A, sum});
  }

  // Where the distance from the circle x = x_c, ρ = R is smallest, on either side of the place s_a
  // nearest the axis. With e = s₀ − s_a, s₀ the place nearest the circle's centre, k = R √a and
  // σ = s − s_a:
  //
  //   σ − e = k σ/√(σ² + δ²),   δ² = D/a²                                                      (3)
  //
  // For σ > 0 the left side less the right one is convex: Newton's steps from above, σ = e + k, go
  // down to its larger root, which is the minimum; for σ < 0 likewise. Where they would creep (k ≈ δ,
  // e ≈ 0: a shaft that touches the circle along it) a bound by the cubic of (3) is nearer:
  //
  //   σ/√(σ² + δ²) ≤ z − 0.29 z³,  z = σ/δ ≤ 1   =>   z⁴ ≤ max(6.9 |e|/k, (6.9 (1 − δ/k))²)        (4)
  struct Circle {
    const Shaft& shaft;
    N x_c, R, s_0, e;
    Two places;

    Circle(const Shaft& line, const N& x, const N& rho)
        : shaft(line), x_c(x), R(rho), s_0(line.place_of_point(x)) {
      const N by = 1 / max(line.a, N(1e-300)), s_a = -line.b * by;
      e = s_0 - s_a;
      const Two side{-1, 1}, ahead = e * side;
      const N k = R * sqrt(line.a), delta = sqrt(line.determinant) * by;
      const N by_k = 6.9 / max(k, N(1e-300)), flat = square(max((k - delta) * by_k, N(0.0)));
      const Two z = sqrt(sqrt(max(ahead * by_k, flat)));  // (4)
      const Two creeps = max(max(z - 1, delta - 2 * k), delta * z - ahead - k);
      places = select(creeps < both<N>(0), s_a + side * delta * z, s_0 + side * k);
    }
    // Of g(s) = s − s₀ − R ρ', times ρ³: one division.
    void step() {
      const Two squared = shaft.radius_squared(places), cubed = squared * sqrt(squared);
      const Two g = (places - s_0) * cubed - R * (shaft.a * places + shaft.b) * squared;
      const Two slope = cubed - R * shaft.determinant;
      places -= g / select(slope > 1e-6 * cubed, slope, cubed);
    }
    // The last one, with ρ as it is rounded.
    void finish() {
      const Slope r = shaft.radius_and_slope(places);
      const Two by = 1 / r.by, rise = r.rise * by;
      // ρ'' = D/ρ³, or a/ε
      const Two bend =
          select(r.by > both<N>(shaft.epsilon), shaft.determinant * by * by * by, shaft.a * by);
      const Two g = shaft.u * (shaft.x(places) - x_c) + (r.value - R) * rise;
      const Two slope = shaft.u * shaft.u + rise * rise + (r.value - R) * bend;
      places -= g / select(slope > both<N>(1e-6), slope, both<N>(1));
    }
    N nearer_place() const { return select(e < 0, places[0], places[1]); }
  };

  N place_of_point(const N& x_c) const { return -((x_0 - x_c) * u + b); }

  static Two find_safe(const Two& divisor) {
    return select(abs(divisor) < both<N>(1e-300), both<N>(1e-300), divisor);
  }
};

// Signed squares g |g|, which are in the order of the gaps g and need no root.
template <class Pair>
Pair square_signed(const Pair& g) {
  return g * abs(g);
}
// Of find_corner_distance.
template <class Pair>
Pair find_corner_square(const Pair& a, const Pair& b) {
  return max(a, b) + max(min(a, b), 0.0);
}

// The smallest of the gaps at the places that were offered; Gap => their signed squares.
template <class N, class Gap>
struct Deepest {
  using Two = berth::Two<N>;

  const Shaft<N>& shaft;
  const Gap& gap;
  Two places{N(0.0), shaft.length}, least = gap(places);

  void offer(const Two& s) {
    const Two at = shaft.on_shaft(s), here = gap(at);
    places = select(here < least, at, places);
    least = min(here, least);
  }
  N place() const { return select(least[1] < least[0], places[1], places[0]); }
};
template <class N, class Gap>
Deepest(const Shaft<N>&, const Gap&) -> Deepest<N, Gap>;

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A root of g in a bracket. Two kinds of steps take turns: one to where g should vanish, and one a little
// beyond it, so that both ends come in (Alefeld, Potra and Shi, ACM TOMS 21, 1995); none strays so far that
// bisection would have been faster (the projection of ITP, Oliveira and Takahashi, ACM TOMS 47, 2020).
//
//   interpolate   x = a − g_a [a,b] + g_a g_b ([b,c] − [a,b])/(g_c − g_a),   [a,b] = (b − a)/(g_b − g_a)   (1)
//                 the inverse parabola through both ends and the one left last, or the line where it leads outside
//   overshoot     x = u − 2 g_u [a,b]            u the end of smaller |g|: beyond the root by as much   (2)
//   bisect        where three evaluations have not halved the bracket                                 (3)
//   project       x brought within ρ of the middle     ρ = ε 2^(n+s−j) − (b−a)/2, evaluation j, s = 4   (4)
//
// (4) guarantees what Brent's method does not: whatever g does, never more than s evaluations above bisection,
// and up to three that rounding adds. The s are there to be lost: without any to spare, one that gains nothing
// leaves bisection alone. A smooth g takes 3 to 5 down to neighbouring doubles from a narrow bracket, some 7 from a
// wide one.

#include <cmath>
#include <limits>
#include <stdexcept>

namespace berth {

// The final bracket: g changes sign, or vanishes, in (before, after].
struct Root {
  double before, after;
  double g_before, g_after;
  int evaluations;
};

namespace detail {

constexpr int kSpareEvaluations = 4;

// (1); c: the end that was left last, not a number: none yet.
inline double interpolate_root(const Root& r, double c, double g_c) {
  const double d_ab = (r.after - r.before) / (r.g_after - r.g_before);
  const double d_bc = (c - r.after) / (g_c - r.g_after);
  const double line = r.before - r.g_before * d_ab;
  const double bent = line + r.g_before * r.g_after * ((d_bc - d_ab) / (g_c - r.g_before));
  return r.before < bent && bent < r.after ? bent : line;
}

// (2), at most to the middle.
inline double overshoot_root(const Root& r) {
  const double width = r.after - r.before;
  const bool from_before = std::fabs(r.g_before) < std::fabs(r.g_after);
  const double g = from_before ? r.g_before : r.g_after;
  const double step = -2 * g * (width / (r.g_after - r.g_before));
  const double middle = r.before + 0.5 * width;
  return std::fabs(step) < 0.5 * width ? (from_before ? r.before : r.after) + step : middle;
}

}  // namespace detail

// Shrinks [a, b] with g_a = g(a), g_b = g(b) of opposite sign (or g_b = 0) until it is no longer
// than the tolerance; tolerance 0 goes on to neighbouring doubles. The side of a stays the side of
// g_a: `after` has the sign of g_b or is an exact root.
template <class G>
Root solve_root(G&& g, double a, double b, double g_a, double g_b, double tolerance = 0) {
  if (!(a < b) || !((g_a < 0 && g_b >= 0) || (g_a > 0 && g_b <= 0))) {
    throw std::invalid_argument("solve_root: g must change sign between a < b");
  }
  const double ulp = std::numeric_limits<double>::epsilon() * std::fmax(std::fabs(a), std::fabs(b));
  const double epsilon = 0.5 * std::fmax(std::fmax(tolerance, ulp), 1e-300);
  const bool rising = g_a < 0;
  // ε 2^(n + s), with 2^n the first power not below (b − a)/2ε
  int n = 0;
  if (std::frexp((b - a) / (2 * epsilon), &n) == 0.5) --n;
  double reach = std::fmin(std::ldexp(epsilon, n + detail::kSpareEvaluations),
                           std::numeric_limits<double>::max());
  Root r = {a, b, g_a, g_b, 0};

  double c = NAN, g_c = NAN, width_checked = b - a;
  while (r.g_after != 0 && r.after - r.before > tolerance) {
    const double width = r.after - r.before;
    const double middle = r.before + 0.5 * width;
    if (!(r.before < middle && middle < r.after)) break;  // neighbours

    bool bisects = false;
    if (r.evaluations % 3 == 0 && r.evaluations > 0) {  // (3)
      bisects = width > 0.5 * width_checked;
      width_checked = width;
    }
    double x = bisects                  ? middle
               : r.evaluations % 2 == 0 ? detail::interpolate_root(r, c, g_c)
                                        : detail::overshoot_root(r);
    // No closer to an end than makes a difference.
    const double first = std::fmax(std::nextafter(r.before, b), r.before + 0.5 * tolerance);
    const double last = std::fmin(std::nextafter(r.after, a), r.after - 0.5 * tolerance);
    x = std::fmin(std::fmax(x, first), last);
    const double rho = reach - 0.5 * width;
    if (!(std::fabs(x - middle) <= rho)) x = x < middle ? middle - rho : middle + rho;  // (4)
    if (!(r.before < x && x < r.after)) x = middle;

    const double g_x = g(x);
    ++r.evaluations;
    reach *= 0.5;
    const bool crossed = rising ? g_x >= 0 : g_x <= 0;
    c = crossed ? r.after : r.before;
    g_c = crossed ? r.g_after : r.g_before;
    (crossed ? r.after : r.before) = x;
    (crossed ? r.g_after : r.g_before) = g_x;
  }
  return r;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A root of g in a bracket, by the ITP method (Oliveira and Takahashi, ACM TOMS 47, 2020).
//
//   interpolate   x_f = (g_b a − g_a b)/(g_b − g_a)                   regula falsi              (1)
//   truncate      x_t = x_f moved towards the middle by δ = κ (b−a)²                            (2)
//   project       x   = x_t, brought within ρ of the middle           ρ = ε 2^(m−j) − (b−a)/2   (3)
//
// (3) guarantees what Brent's method does not: never more than one evaluation above bisection,
// whatever g does, and superlinear convergence when g is smooth.

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
  const double kappa = 0.2 / (b - a);
  const bool rising = g_a < 0;
  // ε 2^(n + 1), with 2^n the first power not below (b − a)/2ε
  int n = 0;
  if (std::frexp((b - a) / (2 * epsilon), &n) == 0.5) --n;
  double reach = std::ldexp(epsilon, n + 1);
  Root r = {a, b, g_a, g_b, 0};

  while (r.g_after != 0 && r.after - r.before > tolerance) {
    const double width = r.after - r.before;
    const double middle = r.before + 0.5 * width;
    if (!(r.before < middle && middle < r.after)) break;  // neighbours

    const double x_f =
        (r.g_after * r.before - r.g_before * r.after) / (r.g_after - r.g_before);  // (1)
    const double side = middle > x_f ? 1 : -1;
    const double delta = kappa * width * width;
    const double x_t = delta <= std::fabs(middle - x_f) ? x_f + side * delta : middle;  // (2)
    const double rho = reach - 0.5 * width;
    double x = std::fabs(x_t - middle) <= rho ? x_t : middle - side * rho;  // (3)
    if (!(r.before < x && x < r.after)) x = middle;

    const double g_x = g(x);
    ++r.evaluations;
    reach *= 0.5;
    const bool crossed = rising ? g_x >= 0 : g_x <= 0;
    (crossed ? r.after : r.before) = x;
    (crossed ? r.g_after : r.g_before) = g_x;
  }
  return r;
}

}  // namespace berth

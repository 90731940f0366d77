// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events located in time: the first zero crossing of functions g(t) inside one step.
//
//   sample     g at equal intervals of the step                 a sign change brackets a crossing
//   graze      between samples of one sign, where the parabola   a dip below zero and back is two
//              through three of them dips towards zero            crossings, found by its bottom
//   solve      the bracket down to neighbouring doubles (root.h)
//
// The time returned lies on the far side: g there is zero or has its new sign. Hence the event is
// over: continuing from it, the same crossing is not seen again. g exactly zero at the start of the
// step is no crossing (the event just handled), g exactly zero at its end is one.
// "First" is as good as the sampling: of three crossings between two samples any may come out.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "berth/integrate/root.h"

namespace berth {

enum class Way { rising, falling, either };

struct CrossingOptions {
  int samples = 8;       // inside the step, 0 … 62; more catch shorter visits beyond zero
  double tolerance = 0;  // on the time [s]; 0: to the last bit
};

// Does the pair (g before, g after) cross zero in this direction?
constexpr bool crosses(double before, double after, Way direction) {
  const bool rising = before < 0 && after >= 0;
  const bool falling = before > 0 && after <= 0;
  return (rising && direction != Way::falling) || (falling && direction != Way::rising);
}

namespace detail {

inline constexpr std::size_t kMaxSamples = 64;  // both ends included

struct Sample {
  double t, g;
};

// Fills in the times of all samples, the ends exactly; returns how many there are.
inline std::size_t set_sample_times(std::span<double> t, double t_0, double t_1, int inside) {
  const std::size_t n = std::clamp<std::size_t>(std::size_t(std::max(inside, 0)) + 2, 2, t.size());
  const double dt = (t_1 - t_0) / double(n - 1);
  for (std::size_t i = 0; i < n; ++i) t[i] = t_0 + double(i) * dt;
  t[n - 1] = t_1;
  return n;
}

// Where the parabola through three samples turns, and its value there. No turn: NaN.
inline Sample parabola_bottom(const Sample& a, const Sample& b, const Sample& c) {
  const double slope_ab = (b.g - a.g) / (b.t - a.t);
  const double slope_bc = (c.g - b.g) / (c.t - b.t);
  const double bend = (slope_bc - slope_ab) / (c.t - a.t);
  const double slope_b = slope_ab + bend * (b.t - a.t);
  const double t = b.t - slope_b / (2 * bend);
  return {t, b.g - slope_b * slope_b / (4 * bend)};
}

// A point strictly between l and r (g of one sign s there) where g has the other sign, if following
// parabolas to their bottom finds one. `guess` is the bottom suggested by neighbouring samples.
template <class G>
std::optional<Sample> find_dip(G&& g, Sample l, Sample r, Sample guess, double s) {
  constexpr int kRefinements = 6;
  for (int i = 0; i < kRefinements; ++i) {
    // A bottom well above zero is no dip; one at the rim is moved inside.
    if (!(guess.t > l.t && guess.t < r.t)) return std::nullopt;
    if (!(s * guess.g < 0.5 * std::min(s * l.g, s * r.g))) return std::nullopt;
    const double rim = 0.02 * (r.t - l.t);
    const double t = std::clamp(guess.t, l.t + rim, r.t - rim);
    const Sample m = {t, g(t)};
    if (s * m.g < 0) return m;
    // Not below zero yet: look again on the side that holds the bottom of a better parabola.
    guess = parabola_bottom(l, m, r);
    (guess.t < m.t ? r : l) = m;
  }
  return std::nullopt;
}

// The first crossing in a row of samples, looking no further than t_stop.
template <class G>
std::optional<Root> scan(G&& g, std::span<const double> t, std::span<const double> v, Way direction,
                         double tolerance, double t_stop) {
  const auto sample = [&](std::size_t i) { return Sample{t[i], v[i]}; };
  const auto solve = [&](const Sample& l, const Sample& r) {
    return solve_root(g, l.t, r.t, l.g, r.g, tolerance);
  };
  for (std::size_t i = 0; i + 1 < t.size() && t[i] < t_stop; ++i) {
    const Sample l = sample(i), r = sample(i + 1);
    if (crosses(l.g, r.g, direction)) return solve(l, r);
    if (l.g * r.g < 0 || r.g == 0) continue;

    // The same sign on both sides: does either parabola dip towards zero in between?
    const double s = r.g > 0 ? 1 : -1;
    for (std::size_t k = i > 0 ? i - 1 : 0; k <= i && k + 2 < t.size(); ++k) {
      const Sample bottom = parabola_bottom(sample(k), sample(k + 1), sample(k + 2));
      const std::optional<Sample> dip = find_dip(g, l, r, bottom, s);
      if (!dip) continue;
      if (crosses(l.g, dip->g, direction)) return solve(l, *dip);
      if (crosses(dip->g, r.g, direction)) return solve(*dip, r);
    }
  }
  return std::nullopt;
}

}  // namespace detail

// The first crossing of one function g(t) in (t_0, t_1].
template <class G>
std::optional<double> find_crossing(G&& g, double t_0, double t_1, Way direction,
                                    const CrossingOptions& options = {}) {
  std::array<double, detail::kMaxSamples> t, v;
  const std::size_t n = detail::set_sample_times(t, t_0, t_1, options.samples);
  for (std::size_t i = 0; i < n; ++i) v[i] = g(t[i]);
  const std::optional<Root> root = detail::scan(g, std::span(t).first(n), std::span(v).first(n),
                                                direction, options.tolerance, t_1);
  return root ? std::optional(root->after) : std::nullopt;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function of time on pieces of a step, each with its Chebyshev series (chebyshev.h).
//
//   sample      g at 9 points, at 17 where 9 nearly do (8 more), otherwise on both halves
//   error       |g − p| ≤ e = 10 (|c_{n−1}| + |c_n|) + noise              where p is resolved    (1)
//               e = κ (|c_{n−3}| + … + |c_n|) + noise, κ = 5 (n = 8), 25 (n = 16)    elsewhere;
//               the largest ratio at the tip of a kink anywhere in the piece is 3.0 and 18.6  (1a)
//   noise       given + 4 ε max|g| + 2 ulp(t) max|Δg/Δt|    rounding of g and of sample times   (2)
//   resolved    |c_{n−1}| + |c_n| ≤ resolution · range + noise                                  (3)
//               or a tail below 1e-6 that decays no further: g itself is no smoother            (4)
//
// A kink or a jump is closed in on by halving: the half without it is resolved at once.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "berth/integrate/chebyshev.h"

namespace berth {

struct StepFunctionOptions {
  // Sign changes from here on are not wanted [s]: an earlier event is known.
  double stop_after = std::numeric_limits<double>::infinity();
  // The first sign change is all that is asked for.
  bool first_only = false;
  // On the time of a sign change [s]; 0: to neighbouring doubles.
  double tolerance = 0;
  // The sign g had before t_0, if it is known (±1): it counts instead of that of g(t_0), which may
  // be zero or of either sign by rounding where an event has just been handled. 0: that of g(t_0).
  int sign_0 = 0;
  // Of a maximum only one above this matters (the largest so far): where there is none, the largest
  // sample is returned, for less.
  double above = -std::numeric_limits<double>::infinity();
  // Error of the series relative to the range of g in its piece.
  double resolution = 1e-10;
  // Halvings at most; features shorter than 2^−max_depth of the step may be lost at kinks.
  int max_depth = 10;
  // What rounding inside g may amount to, in the unit of g, where it is more than that of g itself:
  // a small difference of large numbers. No piece is halved for less.
  double noise = 0;
  // Evaluations after which no piece is halved any more: g is noise, or not worth it.
  int max_evaluations = 1000;
};

namespace detail {

inline double spacing_of_doubles(double t) {
  return std::nextafter(std::fabs(t), std::numeric_limits<double>::infinity()) - std::fabs(t);
}

struct StepPiece {
  std::size_t n = 8;
  std::array<double, kMaxDegree + 1> t, v;
  ChebyshevSeries series;
  double range = 0, tail = 0, noise = 0, error = 0;
  std::size_t finite = 0;  // samples
  bool resolved = false;

  double length() const { return t[n] - t[0]; }
  double time(double x) const { return 0.5 * (t[0] + t[n]) + 0.5 * length() * x; }
  // Of 9 points: the one of 17 between the points j and j + 1.
  double time_between(std::size_t j) const {
    return std::clamp(time(chebyshev_point(2 * j + 1, 16)), t[0], t[8]);
  }
  bool all_finite() const { return finite == n + 1; }
  // Of 17 points more is to be expected than of halves.
  bool nearly_resolved() const { return all_finite() && n == 8 && tail <= 0.01 * range; }

  void fit(const StepFunctionOptions& options) {
    const auto is_finite = [](double value) { return std::isfinite(value); };
    finite = std::size_t(std::count_if(v.begin(), v.begin() + std::ptrdiff_t(n) + 1, is_finite));
    resolved = false;
    if (!all_finite()) return;

    double low = v[0], high = v[0], slope = 0;
    for (std::size_t j = 1; j <= n; ++j) {
      low = std::min(low, v[j]);
      high = std::max(high, v[j]);
      if (t[j] > t[j - 1])
        slope = std::max(slope, std::fabs((v[j] - v[j - 1]) / (t[j] - t[j - 1])));
    }
    range = high - low;
    const double ulp = spacing_of_doubles(std::max(std::fabs(t[0]), std::fabs(t[n])));
    noise = options.noise +
            4 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(low), std::fabs(high)) +
            2 * ulp * slope;  // (2)

    series = ChebyshevSeries(std::span(v).first(n + 1));
    tail = series.sum(n - 1, n);
    resolved = tail <= options.resolution * range + noise;  // (3)
    if (n == 16 && tail <= 1e-6 * range) {
      resolved = resolved || series.sum(13, 16) >= 0.5 * series.sum(9, 12);  // (4)
    }
    error = (resolved ? 10 * tail : (n == 8 ? 5 : 25) * series.sum(n - 3, n)) + noise;  // (1)
  }

  // The series without the terms that do not matter, for its turning points.
  ChebyshevSeries short_series() const {
    ChebyshevSeries p = series;
    p.trim(1e-13 * range);
    return p;
  }
};

// Walks over the pieces of a step from left to right, refining those that `Search` asks for.
//
//   g(t)                            one value
//   g.fill(times, values)           several, which whoever evaluates may do side by side
//
//   search.settles(piece)           nothing more to find here, by the bounds: no refinement
//   search.doubts(piece)            a resolved piece whose halves would show more
//   search.scan(piece)              a resolved piece
//   search.scan_samples(piece)      one that is not, and will not be halved any more
template <class G>
class PieceWalk {
 public:
  PieceWalk(G& g, const StepFunctionOptions& options) : g_(g), options_(options) {}

  double operator()(double t) {
    ++evaluations_;
    return g_(t);
  }
  const StepFunctionOptions& options() const { return options_; }
  bool exhausted() const { return evaluations_ >= options_.max_evaluations; }

  // The 9 times of a piece; the ends exactly.
  static void set_times(StepPiece& piece, double t_l, double t_r) {
    piece.n = 8;
    piece.t[0] = t_l;
    piece.t[8] = t_r;
    for (std::size_t j = 1; j < 8; ++j) {
      const double x = chebyshev_point(j, 8);
      piece.t[j] = std::clamp(0.5 * (t_l + t_r) + 0.5 * (t_r - t_l) * x, t_l, t_r);
    }
  }
  void sample_inside(StepPiece& piece) {
    fill(std::span(piece.t).subspan(1, 7), std::span(piece.v).subspan(1, 7));
  }

  template <class Search>
  void walk(StepPiece& piece, Search& search, int depth = 0) {
    piece.fit(options_);
    if (search.settles(piece)) return;
    if (!piece.resolved && piece.nearly_resolved()) {
      extend(piece);
      piece.fit(options_);
      if (search.settles(piece)) return;
    }
    const double ulp =
        spacing_of_doubles(std::max(std::fabs(piece.t[0]), std::fabs(piece.t[piece.n])));
    const bool last =
        depth >= options_.max_depth || exhausted() || piece.length() < kFewDoubles * ulp;
    if (piece.resolved && (!search.doubts(piece) || last)) return search.scan(piece);
    if (last) return search.scan_samples(piece);
    const std::size_t middle = piece.n / 2;
    StepPiece half;
    for (const std::size_t left : {std::size_t(0), middle}) {
      if (search.is_over(piece.t[left])) return;
      set_times(half, piece.t[left], piece.t[left + middle]);
      half.v[0] = piece.v[left];
      half.v[8] = piece.v[left + middle];
      sample_inside(half);
      walk(half, search, depth + 1);
    }
  }

 private:
  // From 9 to 17 points, of which every second is known.
  void extend(StepPiece& piece) {
    const StepPiece old = piece;
    std::array<double, 8> t, v;
    for (std::size_t j = 0; j < 8; ++j) t[j] = old.time_between(j);
    fill(t, v);
    piece.n = 16;
    for (std::size_t j = 0; j <= 16; ++j) {
      piece.t[j] = j % 2 == 0 ? old.t[j / 2] : t[j / 2];
      piece.v[j] = j % 2 == 0 ? old.v[j / 2] : v[j / 2];
    }
  }

  void fill(std::span<const double> t, std::span<double> v) {
    evaluations_ += int(t.size());
    g_.fill(t, v);
  }

  static constexpr double kFewDoubles = 256;

  G& g_;
  const StepFunctionOptions& options_;
  int evaluations_ = 0;
};

}  // namespace detail
}  // namespace berth

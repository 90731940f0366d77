// SPDX-License-Identifier: Apache-2.0
#pragma once

// The largest value of g on the pieces of a step (step_piece.h), by branch and bound.
//
//   best       the largest value evaluated so far; at first, of the samples
//   settle     no sample of the piece plus the bend and the error of the series exceeds it, nor
//              options.above; or the best is the end of the piece, the series falls away from it
//              steeply, and its turning points are lower
//   scan       turning points of the series within the error of it are evaluated with g itself: the
//              value is off by the square of the error in time, which vanishes
//   kink       golden section between the neighbours of the largest sample

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "berth/integrate/step_piece.h"

namespace berth {

struct Extremum {
  double t, value;
  bool resolved = true;  // else g is noise in places, or has kinks closer than halving goes
};

namespace detail {

template <class G>
class MaximumSearch {
 public:
  // Before anything finite is seen: −∞, at the start.
  MaximumSearch(PieceWalk<G>& g, double t_0)
      : g_(g), best_{t_0, -std::numeric_limits<double>::infinity()} {}

  const Extremum& best() const { return best_; }

  bool is_over(double) const { return false; }

  bool settles(const StepPiece& piece) {
    for (std::size_t j = 0; j <= piece.n; ++j) offer(piece.t[j], piece.v[j]);
    if (piece.finite == 0) return true;
    if (!piece.all_finite()) return false;
    const double top =
        *std::max_element(piece.v.begin(), piece.v.begin() + std::ptrdiff_t(piece.n) + 1);
    return top + piece.series.find_bend(piece.n) + find_margin(piece) < goal() ||
           is_at_the_end(piece);
  }

  static bool doubts(const StepPiece&) { return false; }

  void scan(const StepPiece& piece) {
    const double margin = find_margin(piece);
    const ChebyshevSeries p = piece.short_series();
    const TurningPoints turns = p.find_turning_points();
    for (std::size_t i = 0; i < turns.count; ++i) {
      if (!(p(turns.x[i]) >= goal() - margin)) continue;
      const double t = std::clamp(piece.time(turns.x[i]), piece.t[0], piece.t[piece.n]);
      offer(t, g_(t));
    }
  }

  void scan_samples(const StepPiece& piece) {
    std::size_t top = 0;
    for (std::size_t j = 1; j <= piece.n; ++j) {
      if (piece.v[j] > piece.v[top] || std::isnan(piece.v[top])) top = j;
    }
    best_.resolved = false;
    if (g_.exhausted()) return;
    constexpr double kGolden = 0.38196601125010515;
    double l = piece.t[top > 0 ? top - 1 : 0], r = piece.t[std::min(top + 1, piece.n)];
    double a = l + kGolden * (r - l), b = r - kGolden * (r - l);
    double g_a = g_(a), g_b = g_(b);
    offer(a, g_a);
    offer(b, g_b);
    for (int i = 0; i < 60 && l < a && a < b && b < r; ++i) {
      if (g_a > g_b) {
        r = b;
        b = a;
        g_b = g_a;
        a = l + kGolden * (r - l);
        offer(a, g_a = g_(a));
      } else {
        l = a;
        a = b;
        g_a = g_b;
        b = r - kGolden * (r - l);
        offer(b, g_b = g_(b));
      }
    }
  }

 private:
  void offer(double t, double value) {
    if (std::isfinite(value) && value > best_.value) best_ = {t, value, best_.resolved};
  }

  // What has to be exceeded.
  double goal() const { return std::max(best_.value, g_.options().above); }

  // Is the maximum certainly at one end of the piece, though the series is not resolved yet? By the
  // inequality of Markov an error e of p is one of n² e of p′; the slope has to be beyond that
  // wherever p is within e of the end.
  bool is_at_the_end(const StepPiece& piece) const {
    if (piece.resolved || !(piece.tail <= 1e-5 * piece.range)) return false;
    const double end = best_.t == piece.t[piece.n] ? 1 : best_.t == piece.t[0] ? -1 : 0;
    if (end == 0) return false;
    const double e = 10 * piece.tail + find_noise(piece);
    const double slope_error = 2 * double(piece.n * piece.n) * e;
    const ChebyshevSeries slope = piece.series.derivative();
    const double reach = 4 * e / (end * slope(end));
    const double x = end * (1 - reach);
    if (!(reach > 0 && reach < 0.1 && end * slope(x) > slope_error) ||
        !(end * slope(end) > slope_error && piece.series(x) < best_.value - 2 * e)) {
      return false;
    }
    const TurningPoints turns = piece.short_series().find_turning_points();
    const auto is_lower = [&](double turn) { return piece.series(turn) < best_.value - 2 * e; };
    const double other = piece.v[end > 0 ? 0 : piece.n];
    return other < best_.value - 2 * e &&
           std::all_of(turns.x.begin(), turns.x.begin() + std::ptrdiff_t(turns.count), is_lower);
  }

  static double find_noise(const StepPiece& piece) { return 11 * piece.noise; }
  static double find_margin(const StepPiece& piece) { return piece.error + 10 * piece.noise; }

  PieceWalk<G>& g_;
  Extremum best_;
};

}  // namespace detail
}  // namespace berth

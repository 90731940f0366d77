// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sign changes of g on the pieces of a step (step_piece.h).
//
//   settle     neighbouring samples of one sign, both further from zero than the bend of the series
//              between them and its error: no sign change, no further evaluation
//   scan       the samples, and between them the turning points of the series that lie beyond zero
//              or within the error of it, evaluated with g itself, are points of known sign
//   graze      a turning point short of zero by less than the error is followed to its bottom by
//              parabolas through g itself
//   solve      two neighbouring points of opposite sign bracket a change: down to neighbouring
//              doubles by root.h
//
// Zero belongs to the new sign on arrival and to the old one on departure: + 0 0 + is a fall to the
// first zero and a rise after the last. Hence changes alternate. A value that is not finite has no
// sign; the next finite one starts afresh.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "berth/integrate/root.h"
#include "berth/integrate/step_piece.h"

namespace berth {

// Neighbouring doubles (or a tolerance apart): g has its old sign at `before`, and its new one or
// is exactly zero at `after`.
struct SignChange {
  double before, after;
  bool rising;
};

namespace detail {

struct SamplePoint {
  double t, v;
};

constexpr int sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

template <class G>
class SignSearch {
 public:
  SignSearch(PieceWalk<G>& g, std::vector<SignChange>& out)
      : g_(g), out_(out), stop_(g.options().stop_after) {}

  bool is_over(double t) const { return t >= stop_; }

  void start(double t_0, double g_0) {
    const int given = g_.options().sign_0;
    if (given != 0 && sign_of(g_0) == -given) g_0 = given * kTiny;
    visit({t_0, g_0});
    if (given != 0) sign_ = given;
  }

  void end(const SamplePoint& last) { visit(last); }

  bool settles(const StepPiece& piece) {
    if (is_over(piece.t[0])) return true;
    if (piece.finite == 0) {
      sign_ = 0;
      return true;
    }
    if (!piece.all_finite()) return false;
    const double bound = piece.series.find_bend(piece.n) + find_margin(piece);
    for (std::size_t j = 0; j <= piece.n; ++j) {
      if (!(sign_ * piece.v[j] > bound)) return false;
    }
    last_ = {piece.t[piece.n], piece.v[piece.n]};
    return true;
  }

  // Several turning points that the series cannot distinguish from zero: the halves, with a range
  // of their own, show more, unless it is g that shows no more.
  bool doubts(const StepPiece& piece) {
    p_ = piece.short_series();
    turns_ = p_.find_turning_points();
    const double margin = find_margin(piece);
    const auto is_near = [&](double x) { return std::fabs(p_(x)) <= margin; };
    return margin > 10 * (piece.error + piece.noise) &&
           std::count_if(turns_.x.begin(), turns_.x.begin() + std::ptrdiff_t(turns_.count),
                         is_near) > 1;
  }

  // After `doubts` of the same piece.
  void scan(const StepPiece& piece) {
    const double margin = find_margin(piece);
    const ChebyshevSeries curvature = p_.derivative().derivative();
    const double per_time = 2 / piece.length();  // dx/dt
    // How far around a turning point the bottom of g may be.
    const auto find_reach = [&](double x) {
      return std::sqrt(20 * margin / std::fabs(curvature(x))) / per_time;
    };
    std::size_t i = 0;
    for (std::size_t j = 1; j <= piece.n && !is_over(last_.t); ++j) {
      const SamplePoint next = {piece.t[j], piece.v[j]};
      const int s = sign_of(next.v);
      for (; i < turns_.count && piece.time(turns_.x[i]) < next.t; ++i) {
        const double x = turns_.x[i], t = piece.time(x);
        // Between two points of one sign only what may lie beyond zero matters.
        const bool same = s != 0 && sign_ == s && last_.v != 0;
        if (!(t > last_.t) || (same && s * p_(x) > margin)) continue;
        SamplePoint turn = {t, g_(t)};
        if (same && s * turn.v > 0 && s * curvature(x) > 0) {
          const double t_r = piece.t[std::min(j + 1, piece.n)];
          turn = follow_graze(turn, s, find_reach(x), last_.t, t_r);
        }
        visit(turn);
      }
      // A sample this close to a doubtful turning point must not stand between it and the bottom.
      if (i < turns_.count && s == sign_ && last_.v != 0 && j < piece.n) {
        const double x = turns_.x[i];
        if (s * p_(x) <= margin && piece.time(x) - next.t < find_reach(x)) continue;
      }
      visit(next);
    }
  }

  // Samples alone, and the bottom between those that are close to zero: a kink, a jump or noise.
  void scan_samples(const StepPiece& piece) {
    double slope = 0;
    for (std::size_t j = 1; j <= piece.n; ++j) {
      const double rate = std::fabs((piece.v[j] - piece.v[j - 1]) / (piece.t[j] - piece.t[j - 1]));
      if (std::isfinite(rate)) slope = std::max(slope, rate);
    }
    for (std::size_t j = 1; j <= piece.n && !is_over(last_.t); ++j) {
      const int s = sign_of(piece.v[j]);
      if (s != 0 && s == sign_ && !g_.exhausted()) {
        visit(descend(last_, {piece.t[j], piece.v[j]}, s, 2 * slope));
      }
      visit({piece.t[j], piece.v[j]});
    }
  }

 private:
  // The next point of known sign, in order of time.
  void visit(const SamplePoint& next) {
    if (!std::isfinite(next.v)) {
      sign_ = 0;
      return;
    }
    const int s = sign_of(next.v);
    if (sign_ == 0) {
      sign_ = s;
      last_ = next;
      return;
    }
    if (!(next.t > last_.t)) return;
    if (s == -sign_ || (s == 0 && last_.v != 0)) {
      solve(next);
      sign_ = -sign_;
    }
    last_ = next;
  }

  void solve(const SamplePoint& next) {
    const double tolerance = g_.options().tolerance;
    // Zero counts as the side it must not be taken for.
    const double zero = (last_.v == 0 ? sign_ : -sign_) * kTiny;
    const auto g = [&](double t) {
      const double v = g_(t);
      return v == 0 ? zero : v;
    };
    Root root = {last_.t, next.t, last_.v == 0 ? zero : last_.v, next.v, 0};
    if (last_.v != 0) {
      root = solve_root(g_, last_.t, next.t, last_.v, next.v, tolerance);
      close_behind(root, tolerance);
    }
    if (root.g_after == 0) root.g_after = zero;
    if (std::isfinite(root.g_before)) {
      root = solve_root(g, root.before, root.after, root.g_before, root.g_after, tolerance);
    }
    if (!(root.before < stop_) || !std::isfinite(root.g_before)) return;
    out_.push_back({root.before, root.after, sign_ < 0});
    if (g_.options().first_only) stop_ = root.before;
  }

  // An exact zero ends the iteration far from the other side of the bracket, which is fetched.
  void close_behind(Root& root, double tolerance) {
    double step = std::max(tolerance, spacing_of_doubles(root.after));
    for (; root.after - step > root.before; step *= 8) {
      const double t = root.after - step, v = g_(t);
      if (!std::isfinite(v)) return;
      if (sign_of(v) == sign_) {
        root.before = t;
        root.g_before = v;
        return;
      }
      root.after = t;
      root.g_after = v;
    }
  }

  // From the turning point of the series to that of g: beyond zero as soon as g is.
  SamplePoint follow_graze(SamplePoint bottom, int s, double reach, double t_l, double t_r) {
    for (int i = 0; i < 6; ++i, reach *= 0.25) {
      const double d = std::min({reach, 0.5 * (bottom.t - t_l), 0.5 * (t_r - bottom.t)});
      const SamplePoint l = evaluate(bottom.t - d), r = evaluate(bottom.t + d);
      if (!(l.t < bottom.t && bottom.t < r.t)) return bottom;
      for (const SamplePoint& side : {l, r}) {
        if (s * side.v < 0) return side;
      }
      const double slope_l = (bottom.v - l.v) / (bottom.t - l.t);
      const double slope_r = (r.v - bottom.v) / (r.t - bottom.t);
      const double bend = s * (slope_r - slope_l) / (r.t - l.t);
      const double slope = s * 0.5 * (slope_l + slope_r);
      if (!(bend > 0)) return bottom;
      // Expected to stay on this side by more than the parabola may err.
      const double gain = slope * slope / (4 * bend);
      if (s * bottom.v > 10 * gain && i > 1) return bottom;
      const double t = bottom.t - std::clamp(slope / (2 * bend), -d, d);
      const SamplePoint next = evaluate(t);
      if (s * next.v < 0) return next;
      for (const SamplePoint& better : {l, r, next}) {
        if (s * better.v < s * bottom.v) bottom = better;
      }
    }
    return bottom;
  }

  // Golden section for a point beyond zero between two of sign s; gives up where g, changing by no
  // more than `slope`, cannot get there.
  SamplePoint descend(SamplePoint l, SamplePoint r, int s, double slope) {
    constexpr double kGolden = 0.38196601125010515;
    const auto reaches = [&] { return s * (l.v + r.v) < slope * (r.t - l.t); };
    if (!reaches()) return r;
    SamplePoint m = evaluate(l.t + kGolden * (r.t - l.t));
    for (int i = 0; i < 60; ++i) {
      if (s * m.v <= 0) return m;
      if (!(l.t < m.t && m.t < r.t) || !reaches()) return r;
      const bool right = r.t - m.t > m.t - l.t;
      const SamplePoint x =
          evaluate(right ? m.t + kGolden * (r.t - m.t) : m.t - kGolden * (m.t - l.t));
      if (s * x.v <= 0) return x;
      if (x.t == m.t || !std::isfinite(x.v)) return r;
      if (s * x.v < s * m.v) {
        (right ? l : r) = m;
        m = x;
      } else {
        (right ? r : l) = x;
      }
    }
    return r;
  }

  SamplePoint evaluate(double t) { return {t, g_(t)}; }

  // Closer to zero than this, the series does not decide.
  static double find_margin(const StepPiece& piece) {
    return std::max(piece.error + 10 * piece.noise, kDoubt * piece.range);
  }

  static constexpr double kDoubt = 1e-9;
  static constexpr double kTiny = std::numeric_limits<double>::min();

  PieceWalk<G>& g_;
  std::vector<SignChange>& out_;
  double stop_;  // [s] nothing after it is asked for
  ChebyshevSeries p_;
  TurningPoints turns_;
  SamplePoint last_ = {};
  int sign_ = 0;
};

}  // namespace detail
}  // namespace berth

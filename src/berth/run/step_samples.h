// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepSamples — what was seen of some smooth numbers g during a step, at its ends and at a few of its
// stages, and what that says about the rest of it.
//
//   R = max g − min g over the samples,   p the polynomial through them                          (1)
//
//   may_cross     zero lies within R/2 of a sample, and within R/10 of p                         (2)
//   may_exceed    likewise for a peak so far, and p turns inside the step                        (3)
//
// An explicit method evaluates everything at its stages anyway; reading a number there costs next to
// nothing, while dense output costs a quarter of a step and each value of it an evaluation. A step
// is short against everything that moves in it (its error is of eighth order), so p of degree four
// misses g by far less than R/10; only where (2) or (3) says so is the step searched.
//
// Where stability and not accuracy limits the step, loads at stages scatter about the motion. Stages
// that lie farther from both ends than the ends of this step and the one before lie from each other
// say nothing; then the parabola through those three ends shows whether g turns in between. So it
// does for variational steps, which have no stages: what is inside costs steps of their own.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace berth {

class StepSamples {
 public:
  static constexpr std::size_t kMostInside = 6;

  void reset(std::size_t numbers) {
    n_ = numbers;
    rows_.assign((kMostInside + 3) * n_, 0.0);
    lo_.resize(n_), hi_.resize(n_), ends_.resize(n_);
    inside_ = 0;
  }
  std::size_t size() const { return n_; }

  // The beginning of the step, its stages, its end. A trial that is made again begins anew.
  std::span<double> first() { return row(0); }
  void begin_trial() { inside_ = 0; }
  std::span<double> add(double t) {
    if (inside_ < kMostInside) t_[inside_++] = t;
    return row(inside_);
  }
  std::span<double> last() { return row(kMostInside + 1); }
  void begin_next() {
    std::copy_n(first().begin(), n_, row(kMostInside + 2).begin());
    std::copy_n(last().begin(), n_, first().begin());
    length_before_ = length_;
    inside_ = 0;
  }
  // Something has happened: the step before says nothing about the next.
  void begin_afresh() {
    std::copy_n(last().begin(), n_, first().begin());
    length_before_ = 0;
    inside_ = 0;
  }
  bool has_inside() const { return inside_ > 0; }

  // Before the questions below.
  void prepare(double t_0, double t_1) {
    length_ = t_1 - t_0;
    find_ranges();
    std::array<double, kMostInside + 2> theta{};
    for (std::size_t i = 0; i < inside_; ++i) theta[i + 1] = (t_[i] - t_0) / (t_1 - t_0);
    theta[inside_ + 1] = 1;
    if (inside_ == known_inside_ && is_known(theta)) return;
    theta_ = theta;
    known_inside_ = inside_;
    build_grid();
  }

  bool may_cross(std::size_t k) const {  // (2)
    const double lo = lo_[k], hi = hi_[k];
    if (!(lo > 0 || hi < 0)) return true;
    if (inside_ == 0) return may_touch_by_ends(k, lo > 0 ? 1 : -1);
    const double range = hi - lo;
    if (std::min(std::fabs(lo), std::fabs(hi)) > 0.5 * range) return false;
    const double side = lo > 0 ? 1 : -1;
    double least = INFINITY;
    for (const double y : find_polynomial(k)) least = std::min(least, side * y);
    return !(least > 0.1 * range);
  }

  // Without regard to where.
  bool may_reach(std::size_t k, double peak) const {
    return hi_[k] + 0.5 * (hi_[k] - lo_[k]) > peak;
  }
  double first_value(std::size_t k) const { return value(0, k); }
  // The first value after the beginning.
  double early(std::size_t k) const { return value(1, k); }

  bool may_exceed(std::size_t k, double peak) const {           // (3)
    if (ends_[k] <= peak && !may_reach(k, peak)) return false;  // mostly
    return is_near_peak(k, peak);
  }

  static void visit_state(auto& a, auto& self) {
    auto& [n, inside, length, length_before, rows, lo, hi, ends, t, known_inside, theta, grid] =
        self;
    a(n, inside, length, length_before, rows, t, known_inside, theta);
    if constexpr (std::remove_cvref_t<decltype(a)>::reads) {
      const bool is_built = known_inside != std::numeric_limits<std::size_t>::max();
      a.check(inside <= kMostInside && (!is_built || known_inside <= kMostInside), "samples");
      a.check(rows.size() % (kMostInside + 3) == 0 && n == rows.size() / (kMostInside + 3),
              "samples");
      if (is_built) self.build_grid();
      lo.resize(n), hi.resize(n), ends.resize(n);
    }
  }

 private:
  static constexpr std::size_t kGrid = 20;
  // A number that changes by less than this part of its peak in a step does not raise it by more.
  static constexpr double kLittle = 1e-9;

  std::span<double> row(std::size_t i) { return std::span(rows_).subspan(i * n_, n_); }
  // Of the samples in hand: 0 first, then the stages, then last.
  double value(std::size_t i, std::size_t k) const {
    return rows_[(i <= inside_ ? i : kMostInside + 1) * n_ + k];
  }
  // Of every number; what is lost once may be anywhere.
  void find_ranges() {
    std::size_t k = 0;
    for (; k + 4 <= n_; k += 4) find_some_ranges<4>(k);
    for (; k < n_; ++k) find_some_ranges<1>(k);
  }
  template <std::size_t some>
  void find_some_ranges(std::size_t k) {
    double lo[some], hi[some], lost[some] = {};
    for (std::size_t f = 0; f < some; ++f) lo[f] = hi[f] = rows_[k + f];
    for (std::size_t i = 0; i < inside_ + 2; ++i) {
      const double* v = rows_.data() + (i <= inside_ ? i : kMostInside + 1) * n_ + k;
      for (std::size_t f = 0; f < some; ++f) {
        lo[f] = v[f] < lo[f] ? v[f] : lo[f];
        hi[f] = v[f] > hi[f] ? v[f] : hi[f];
        lost[f] += v[f] - v[f];
      }
    }
    const double* const end = rows_.data() + (kMostInside + 1) * n_ + k;
    const double* const before = rows_.data() + (kMostInside + 2) * n_ + k;
    const double* const begin = rows_.data() + k;
    const double continues = length_before_ > 0 ? 1 : 0;
    for (std::size_t f = 0; f < some; ++f) {
      lo_[k + f] = lost[f] == 0 ? lo[f] : -INFINITY;
      hi_[k + f] = lost[f] == 0 ? hi[f] : INFINITY;
      const double higher = begin[f] > end[f] ? begin[f] : end[f];
      const double reach =
          std::fabs(end[f] - begin[f]) + continues * std::fabs(begin[f] - before[f]);
      ends_[k + f] = higher + reach;
    }
  }
  double before(std::size_t k) const { return rows_[(kMostInside + 2) * n_ + k]; }
  bool is_plain(std::size_t k) const {
    if (!(length_before_ > 0)) return true;
    const double a = value(0, k), b = value(inside_ + 1, k);
    const double reach = 2 * (std::fabs(b - a) + std::fabs(a - before(k)));
    for (std::size_t i = 1; i <= inside_; ++i)
      if (value(i, k) > std::max(a, b) + reach || value(i, k) < std::min(a, b) - reach)
        return false;
    return true;
  }
  // (3), where ranges do not rule it out.
  bool is_near_peak(std::size_t k, double peak) const {
    const double a = value(0, k), b = value(inside_ + 1, k), ends = std::max(a, b);
    const double little = kLittle * std::fabs(peak);
    const bool continues = length_before_ > 0;
    const double reach = std::fabs(b - a) + (continues ? std::fabs(a - before(k)) : 0.0);
    const double hi = hi_[k], range = hi - lo_[k];
    if (inside_ == 0 || !is_plain(k)) {
      if (!continues) return ends + reach > peak;
      return reach > little && ends + reach > peak && turns_by_ends(k);
    }
    if (range <= little || hi + 0.5 * range <= peak) return false;
    const Grid p = find_polynomial(k);
    double most = -INFINITY;
    for (const double y : p) most = std::max(most, y);
    if (most + 0.1 * range <= peak) return false;
    // Beside an end the turning point may hide between grid and end: by the slope there.
    const double out = b - p.back(), in = p.front() - a;
    const bool turns_late = out<0.02 * range / kGrid, turns_early = in> - 0.02 * range / kGrid;
    return !(most <= ends) || (turns_late && turns_early);
  }
  // The parabola through the ends of two steps turns in this one, or half a step beside it.
  bool turns_by_ends(std::size_t k) const {
    const double now = (value(inside_ + 1, k) - value(0, k)) / length_;
    const double then = (value(0, k) - before(k)) / length_before_;
    const double bend = (now - then) / (length_ + length_before_);
    const double at = -(now / (2 * bend)) / length_ + 0.5;  // in steps, from the beginning
    return bend < 0 && at > -0.5 && at < 1.5;
  }
  // g on this side of zero at both ends: the parabola dips to zero, or comes near it.
  bool may_touch_by_ends(std::size_t k, double side) const {
    const double a = side * value(0, k), b = side * value(inside_ + 1, k);
    if (!(length_before_ > 0)) return std::min(a, b) <= std::fabs(b - a);
    const double p = side * before(k), reach = std::fabs(b - a) + std::fabs(a - p);
    if (std::min(a, b) > reach) return false;
    const double now = (b - a) / length_, then = (a - p) / length_before_;
    const double bend = (now - then) / (length_ + length_before_);
    if (!(bend > 0)) return false;                         // smallest at an end
    const double turn = 0.5 * length_ - now / (2 * bend);  // [s]
    const double s = std::min(std::max(turn, 0.0), length_);
    return a + s * (now + bend * (s - length_)) <= 0.25 * reach;
  }
  bool is_known(const std::array<double, kMostInside + 2>& theta) const {
    for (std::size_t i = 0; i < inside_ + 2; ++i)
      if (std::fabs(theta[i] - theta_[i]) > 1e-6) return false;
    return true;
  }
  // What each sample adds to p at θ = (j + ½)/n, by Lagrange's formula.
  void build_grid() {
    const std::size_t m = known_inside_ + 2;
    for (std::size_t j = 0; j < kGrid; ++j) {
      const double x = (static_cast<double>(j) + 0.5) / kGrid;
      for (std::size_t i = 0; i < m; ++i) {
        double l = 1;
        for (std::size_t o = 0; o < m; ++o)
          if (o != i) l *= (x - theta_[o]) / (theta_[i] - theta_[o]);
        grid_[i][j] = l;
      }
    }
  }
  using Grid = std::array<double, kGrid>;
  // p there, a few points at a time.
  Grid find_polynomial(std::size_t k) const {
    constexpr std::size_t few = 4;
    static_assert(kGrid % few == 0);
    Grid out;
    for (std::size_t j = 0; j < kGrid; j += few) {
      double sum[few] = {};
      for (std::size_t i = 0; i < inside_ + 2; ++i) {
        const double v = value(i, k);
        for (std::size_t f = 0; f < few; ++f) sum[f] += grid_[i][j + f] * v;
      }
      std::copy_n(sum, few, out.begin() + std::ptrdiff_t(j));
    }
    return out;
  }

  std::size_t n_ = 0, inside_ = 0;
  double length_ = 0, length_before_ = 0;  // [s] of this step and the one before; 0: none
  std::vector<double> rows_;
  std::vector<double> lo_, hi_;  // of the samples
  std::vector<double> ends_;     // the higher end, and how far it and the ends before lie apart
  std::array<double, kMostInside> t_{};
  std::size_t known_inside_ = std::numeric_limits<std::size_t>::max();
  std::array<double, kMostInside + 2> theta_{};
  std::array<Grid, kMostInside + 2> grid_{};
};

}  // namespace berth

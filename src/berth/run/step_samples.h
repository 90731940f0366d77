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

#include "berth/run/sample_kernels.h"

namespace berth {

class StepSamples {
 public:
  static constexpr std::size_t kMostInside = 6;

  void reset(std::size_t numbers) {
    n_ = numbers;
    rows_.assign(find_room(n_), 0.0);
    make_room_for_ranges();
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
  // The rows of stages before they are added, one after the other.
  std::span<double> stages(std::size_t count) { return std::span(rows_).subspan(n_, count * n_); }
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
    kSampleKernels.find_ranges(
        {rows_.data(), row(kMostInside + 1).data(), row(kMostInside + 2).data(), n_, inside_,
         length_before_ > 0 ? 1.0 : 0.0},
        lo_.data(), hi_.data(), ends_.data());
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
    const PolynomialRange p = find_polynomial(k);
    return !((lo > 0 ? p.least : -p.most) > 0.1 * range);
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
      a.check(n < rows.size() ? rows.size() == find_room(n) : n == 0 && rows.empty(), "samples");
      if (is_built) self.build_grid();
      self.make_room_for_ranges();
    }
  }

 private:
  // A number that changes by less than this part of its peak in a step does not raise it by more.
  static constexpr double kLittle = 1e-9;

  static constexpr std::size_t find_room(std::size_t numbers) {
    return (kMostInside + 3) * numbers + kSampleChunk;
  }
  void make_room_for_ranges() {
    for (std::vector<double>* v : {&lo_, &hi_, &ends_}) v->resize(n_ + kSampleChunk);
  }
  std::span<double> row(std::size_t i) { return std::span(rows_).subspan(i * n_, n_); }
  // Of the samples in hand: 0 first, then the stages, then last.
  double value(std::size_t i, std::size_t k) const {
    return rows_[(i <= inside_ ? i : kMostInside + 1) * n_ + k];
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
    const PolynomialRange p = find_polynomial(k);
    if (p.most + 0.1 * range <= peak) return false;
    // Beside an end the turning point may hide between grid and end: by the slope there.
    const double little_of_range = 0.02 * range / kSampleGrid;
    const bool turns_late = b - p.back < little_of_range;
    const bool turns_early = p.front - a > -little_of_range;
    return !(p.most <= ends) || (turns_late && turns_early);
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
    for (std::size_t j = 0; j < kSampleGridRoom; ++j) {
      const double x = (static_cast<double>(std::min(j, kSampleGrid - 1)) + 0.5) / kSampleGrid;
      for (std::size_t i = 0; i < m; ++i) {
        double l = 1;
        for (std::size_t o = 0; o < m; ++o)
          if (o != i) l *= (x - theta_[o]) / (theta_[i] - theta_[o]);
        grid_[i * kSampleGridRoom + j] = l;
      }
    }
  }
  PolynomialRange find_polynomial(std::size_t k) const {
    std::array<double, kMostInside + 2> samples;
    for (std::size_t i = 0; i < inside_ + 2; ++i) samples[i] = value(i, k);
    return kSampleKernels.find_polynomial(grid_.data(), samples.data(), inside_ + 2);
  }

  std::size_t n_ = 0, inside_ = 0;
  double length_ = 0, length_before_ = 0;  // [s] of this step and the one before; 0: none
  std::vector<double> rows_;
  std::vector<double> lo_, hi_;  // of the samples
  std::vector<double> ends_;     // the higher end, and how far it and the ends before lie apart
  std::array<double, kMostInside> t_{};
  std::size_t known_inside_ = std::numeric_limits<std::size_t>::max();
  std::array<double, kMostInside + 2> theta_{};
  std::array<double, (kMostInside + 2) * kSampleGridRoom> grid_{};
};

}  // namespace berth

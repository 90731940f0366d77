// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepController — how long the next step should be, from the error ratio of this one.
//
//   elementary   h ← 0.9 h ε^(−1/q)                                      after a rejection      (1)
//   predictive   (1) times min(1, (h/h₋) (ε₋/ε)^(1/q))                   β = 0                  (2)
//   PI           h ← 0.9 h ε₋^β ε^(0.75 β − 1/q)                         β > 0                  (3)
//
// ε is the error ratio (1: just acceptable), q the order of its decay, ₋ marks the accepted step
// before. The factor in (2) is the trend of the ideal step h ε^(−1/q): it sees a periapsis or a
// contact coming and saves a tenth of all evaluations there by rejecting less. (3) damps hunting
// where stability and not accuracy limits the step (Gustafsson; Hairer and Wanner, Solving Ordinary
// Differential Equations II, IV.2 and IV.8).

#include <algorithm>
#include <cmath>

#include "berth/integrate/tableau.h"
#include "berth/scalar/elementary.h"

namespace berth {

class StepController {
 public:
  explicit StepController(const Tableau& method)
      : StepController(method.error_order, method.control_beta, method.control_shrink,
                       method.control_grow) {}

  // q, β and the smallest and largest factor from one step to the next.
  StepController(int error_order, double beta, double shrink, double grow)
      : beta_(beta),
        exponent_(error_order > 0 ? 1.0 / error_order : 0),
        shrink_(shrink),
        grow_(grow),
        smallest_(pow(kSafety / grow, error_order)) {}

  // No step before: an event was handled, the past says nothing.
  void forget() { h_before_ = 0; }

  // The factor on h after a rejected step, below 1.
  double after_rejection(double ratio) const {
    const double least = h_before_ > 0 ? shrink_ : std::min(shrink_, kShrinkAfresh);
    return std::max(least, kSafety * raise(ratio, -exponent_));  // (1)
  }

  // The factor on h after an accepted step of length h.
  double after_acceptance(double ratio, double h) const {
    const double e = std::max(ratio, smallest_);
    double factor = kSafety * raise(e, -exponent_);
    if (h_before_ > 0 && beta_ == 0) {
      factor *= std::min(1.0, h / h_before_ * raise(ratio_before_ / e, exponent_));  // (2)
    } else if (h_before_ > 0) {
      factor *= raise(std::max(ratio_before_, 1e-4), beta_) * raise(e, 0.75 * beta_);  // (3)
    }
    return std::clamp(factor, shrink_, grow_);
  }

  void remember(double ratio, double h) {
    ratio_before_ = std::max(ratio, smallest_);
    h_before_ = h;
  }

  static void visit_state(auto& a, auto& self) { a(self.ratio_before_, self.h_before_); }

 private:
  static constexpr double kSafety = 0.9;
  // After an event the length of the steps before it may be wrong by orders of magnitude: a contact
  // has closed. The error says so at once.
  static constexpr double kShrinkAfresh = 0.02;

  // x^y to a few units of the last place, in a third of the time of `pow`.
  static double raise(double x, double y) { return exp(y * log(x)); }

  double beta_, exponent_, shrink_, grow_;
  double smallest_;                         // ratio below which growth is limited by grow_ alone
  double ratio_before_ = 1, h_before_ = 0;  // of the accepted step before; 0: none
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contraction — watches a Newton iteration and says whether it is worth going on.
//
//   rate       Θ = ‖Δ‖ / ‖Δ₋‖                    Δ: the last change, ₋ the one before
//   done       ‖Δ‖ Θ/(1 − Θ) ≤ κ                 what all further changes add up to             (1)
//   hopeless   ‖Δ‖ Θᵐ/(1 − Θ) > κ                the same after m more, as many as are left     (2)
//   stalled    Θ > ½ twice, ‖Δ‖ ≤ 1              only rounding is left: done as well            (3)
//
// Norms are error ratios (error_norm.h), so the tolerance is in them. (2) is for iterations with a
// frozen Jacobian, which converge linearly; (3) for those with fresh ones, which may go astray at
// first, then converge quadratically and have no other reason to stall. Rounding matters there:
// positions known to ε x make velocities of ε x/h on a stiff spring, and shorter steps worse ones.

#include <cmath>

#include "berth/scalar/elementary.h"

namespace berth {

class Contraction {
 public:
  enum class Verdict { go_on, done, hopeless };
  enum class Jacobian { frozen, fresh };

  Contraction(double kappa, int most, Jacobian jacobian)
      : kappa_(kappa), left_(most), fresh_(jacobian == Jacobian::fresh) {}

  // After a change of this size.
  Verdict judge(double size) {
    const bool first = before_ == 0;
    const double theta = first ? 0 : size / before_;
    --left_;
    before_ = size;
    if (size == 0) return Verdict::done;
    if (first) return Verdict::go_on;
    if (theta < 1 && size * theta / (1 - theta) <= kappa_) return Verdict::done;  // (1)
    stalls_ = theta > 0.5 ? stalls_ + 1 : 0;
    if (fresh_ && stalls_ >= 2 && size <= 1) return Verdict::done;  // (3)
    if (left_ <= 0) return Verdict::hopeless;
    if (fresh_) return Verdict::go_on;
    const bool in_time = theta < 1 && size * pow(theta, left_) / (1 - theta) <= kappa_;  // (2)
    return in_time ? Verdict::go_on : Verdict::hopeless;
  }

 private:
  double kappa_;
  int left_;
  bool fresh_;
  int stalls_ = 0;
  double before_ = 0;  // ‖Δ₋‖; 0: none yet
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/system/ledger.h"

#include <algorithm>
#include <cmath>

namespace berth {

void Ledger::add(const Balance<double>& b) {
  if (!started_) first_ = b;
  started_ = true;
  const Balance<double>& f = first_;
  // Differences term by term: what was there at the start cancels before anything is summed.
  const double energy = (b.kinetic - f.kinetic) + (b.potential - f.potential) -
                        (b.supplied - f.supplied) + (b.lost - f.lost);
  const double linear = norm((b.linear - f.linear) - (b.impulse - f.impulse));
  const double angular = norm((b.angular - f.angular) - (b.angular_impulse - f.angular_impulse));
  energy_error_ = std::max(energy_error_, std::fabs(energy));
  linear_error_ = std::max(linear_error_, linear);
  angular_error_ = std::max(angular_error_, angular);
  energy_scale_ = std::max(energy_scale_, std::fabs(b.kinetic) + std::fabs(b.potential) +
                                              std::fabs(b.supplied) + std::fabs(b.lost));
  linear_scale_ = std::max(linear_scale_, b.linear_scale + norm(b.impulse));
  angular_scale_ = std::max(angular_scale_, b.angular_scale + norm(b.angular_impulse));
  // A NaN must not hide behind max(), which would drop it.
  if (std::isnan(energy)) energy_error_ = energy;
  if (std::isnan(linear)) linear_error_ = linear;
  if (std::isnan(angular)) angular_error_ = angular;
}

Audit Ledger::audit() const {
  // Where nothing moves, rounding must not be divided by rounding.
  constexpr double nothing = 1e-12;  // [J], [kg·m/s], [kg·m²/s]
  const auto relative = [&](double error, double scale) {
    return error / std::max(scale, nothing);
  };
  return {relative(energy_error_, energy_scale_), relative(linear_error_, linear_scale_),
          relative(angular_error_, angular_scale_)};
}

}  // namespace berth

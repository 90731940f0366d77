// SPDX-License-Identifier: Apache-2.0
#pragma once

// Linearised — ∂ẋ/∂x of a system, exact, four columns per pass with Dual numbers.

#include "berth/scalar/dual.h"
#include "berth/system/system.h"

namespace berth {

class Linearised {
 public:
  explicit Linearised(const System<double>& system);

  // After the system was changed: a dock latched, a part switched.
  void refresh(const System<double>& system);

  // J, n × n column by column, is filled completely. Ledgers drive nothing: their columns are zero.
  void find_jacobian(double t, std::span<const double> x, const Mode<double>& mode,
                     std::span<double> J);

 private:
  System<Dual> system_;
  Workspace<Dual> work_;
  std::vector<Dual> x_, x_dot_;
};

}  // namespace berth

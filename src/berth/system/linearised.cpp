// SPDX-License-Identifier: Apache-2.0
#include "berth/system/linearised.h"

#include "berth/system/lift_system.h"

namespace berth {

Linearised::Linearised(const System<double>& system)
    : system_(lift_system<Dual>(system)),
      work_(system_),
      x_(static_cast<std::size_t>(work_.layout.size)),
      x_dot_(x_.size()) {}

void Linearised::refresh(const System<double>& system) { *this = Linearised(system); }

void Linearised::find_jacobian(double t, std::span<const double> x, const Mode<double>& mode,
                               std::span<double> J) {
  const Mode<Dual> lifted = lift_mode<Dual>(mode);
  std::copy(x.begin(), x.end(), x_.begin());
  std::fill(J.begin(), J.end(), 0.0);
  const int columns = work_.layout.ledger;
  for (int first = 0; first < columns; first += kSlopes) {
    const int count = std::min(kSlopes, columns - first);
    for (int k = 0; k < count; ++k) set_slope(x_[static_cast<std::size_t>(first + k)], k, 1.0);
    find_derivative<Dual>(system_, t, x_, lifted, work_, x_dot_);
    for (int k = 0; k < count; ++k) {
      double* column = J.data() + static_cast<std::size_t>(first + k) * x_dot_.size();
      for (std::size_t i = 0; i < x_dot_.size(); ++i) column[i] = slope(x_dot_[i], k);
      x_[static_cast<std::size_t>(first + k)] = x[static_cast<std::size_t>(first + k)];
    }
  }
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ledgers — what a run claims to conserve, and by how much it fails to.
//
//   energy            T + V − ∫ power in + ∫ power lost                                        (1)
//   linear momentum   p − ∫ external force                                                     (2)
//   angular momentum  h − ∫ external torque          about O, N axes                           (3)
//
// Each must stay at its initial value. The error is divided by the largest sum of absolute
// contributions met over the run, never by a total that may vanish.

#include "berth/system/system.h"

namespace berth {

// The terms of (1)–(3) at one instant, counted from O.
template <Scalar T>
struct Balance {
  T kinetic{}, potential{}, supplied{}, lost{};
  Vec3<T> linear, impulse;
  Vec3<T> angular, angular_impulse;
  T linear_scale{}, angular_scale{};  // sums of absolute contributions of the bodies
};

// Expects motion_stage (and command_stage) to have run for x.
template <Scalar T>
Balance<T> find_balance(const System<T>& system, std::span<const T> x, const Workspace<T>& w);

struct Audit {
  double energy = 0, linear_momentum = 0, angular_momentum = 0;
};

// Follows the balances of one run.
class Ledger {
 public:
  void add(const Balance<double>& b);
  Audit audit() const;

  static void visit_state(auto& a, auto& self) {
    auto& [started, first, energy_error, energy_scale, linear_error, linear_scale, angular_error,
           angular_scale] = self;
    a(started, first, energy_error, energy_scale, linear_error, linear_scale, angular_error,
      angular_scale);
  }

 private:
  bool started_ = false;
  Balance<double> first_;
  double energy_error_ = 0, energy_scale_ = 0;
  double linear_error_ = 0, linear_scale_ = 0;
  double angular_error_ = 0, angular_scale_ = 0;
};

}  // namespace berth

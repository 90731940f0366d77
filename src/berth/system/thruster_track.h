// SPDX-License-Identifier: Apache-2.0
#pragma once

// ThrusterTrack — what one thruster set has done during a run. With levels lᵢ, thrusts Fᵢ along d̂ᵢ:
//
//   on-time   ∫ Σ lᵢ dt                                                                           (1)
//   impulse   ∫ Σ lᵢ Fᵢ dt            what propellant is spent on                                  (2)
//   ΔV        ∫ |Σ lᵢ Fᵢ d̂ᵢ| / m dt   m: of its body and all that is joined to it at the time       (3)
//
// by the trapezium rule over accepted steps. Valves of a pulsed set switch where a step ends: of it the
// sums are exact. What is joined to the ground has no ΔV.

#include <cmath>

#include "berth/system/system.h"

namespace berth {

class ThrusterTrack {
 public:
  // At an accepted state. Where no time has passed something has happened: levels and mass are new.
  void add(const System<double>& system, const ThrusterSet<double>& set, double t,
           const std::vector<double>& levels);

  double on_time() const { return sum_.on; }      // [s]
  double impulse() const { return sum_.thrust; }  // [N·s]
  double delta_v() const { return sum_.push; }    // [m/s]

  static void visit_state(auto& a, auto& self) {
    auto& [sum, last, t, mass] = self;
    a(sum.on, sum.thrust, sum.push, last.on, last.thrust, last.push, t, mass);
  }

 private:
  // Integrands of (1) … (3), or their integrals.
  struct Rates {
    double on = 0, thrust = 0, push = 0;
  };
  Rates sum_, last_;
  double t_ = INFINITY;  // [s] of last_
  double mass_ = 0;      // [kg] m
};

}  // namespace berth

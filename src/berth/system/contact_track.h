// SPDX-License-Identifier: Apache-2.0
#pragma once

// ContactTrack — what one contact went through during a run, and the energy it gave.
//
// E is the work of its force on both bodies. A contact that took energy is passive; one that gave it
// back to the last digit lossless; one that gave more than it took active, which no real contact is:
// the loop around it is too slow.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "berth/system/contacts.h"

namespace berth {

struct ContactTrack {
  std::uint64_t touches = 0;
  double force_peak = 0, penetration_peak = 0;             // [N], [m]
  double force_peak_time = NAN;                            // [s]
  double energy = 0;                                       // [J] E now
  double energy_min = 0, energy_max = 0;                   // [J]
  double settled_max = -INFINITY, settled_min = INFINITY;  // [J] E after each contact
  // The first contact: speed into the wall at its beginning, and out of it once all is over.
  double speed_in = 0, speed_out = NAN;  // [m/s]

  void add_energy(double E) {
    energy = E;
    energy_min = std::min(energy_min, E);
    energy_max = std::max(energy_max, E);
  }
  void settle(double E, double speed) {
    settled_max = std::max(settled_max, E);
    settled_min = std::min(settled_min, E);
    if (std::isnan(speed_out)) speed_out = speed;
  }

  // NaN before the first contact is over.
  double restitution() const { return speed_out / speed_in; }
  std::string_view verdict() const {
    if (touches == 0) return "untouched";
    // While it lasts, what a spring holds is on its way back; what was given beyond that stays given.
    const bool over = settled_max >= settled_min;
    const double most = std::max(settled_max, energy), least = over ? settled_min : energy;
    const double nothing = 1e-12 + 1e-7 * std::max(energy_max, -energy_min);
    if (most > nothing) return "active";
    return least < -nothing ? "passive" : "lossless";
  }
};

}  // namespace berth

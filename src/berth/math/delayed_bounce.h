// SPDX-License-Identifier: Apache-2.0
#pragma once

// One bounce of a unit mass on a spring and damper whose force arrives late.
//
//   before     x = v₀ t                                            contact from t = 0
//   force      ẍ(t) = −[k x + b ẋ](t−h) if contact was active at t−h, else 0              (1)
//   contact    adhesive   active while x > 0
//              repulsive  active while x > 0 and k x + b ẋ ≥ 0; once lost, until x ≤ 0
//
// (1) is linear, so v₀ drops out. The linear loop can be stable while the bounce gains energy: the
// force of the last h before separation comes when it no longer brakes.

namespace berth {

struct DelayedBounce {
  double duration;      // from the first touch to the last contact; infinite when not ended [s]
  double energy_ratio;  // energy gained when the last force has come, over ½ v₀²
  bool ended;           // false: came to rest in contact, or still there after very long
};

// k [1/s²] and b [1/s] per unit of mass, h [s], none negative. Work grows as 1/(h √k).
DelayedBounce find_delayed_bounce(double k, double b, double h, bool adhesive);

// The smallest h > 0 at which the bounce neither loses nor gains energy; 0 without damping. Infinite
// when there is none: no force at all, or an adhesive damper without spring, which cannot gain.
double find_neutral_delay(double k, double b, bool adhesive);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// ForceSensor — force and torque between a robot and the mock-up of the probe, and what the facility's
// software makes of them. B are the axes of the mock-up, S those of the sensor, at r_SB_B.
//
//   on the mock-up   F = f + w,  M = (r_Q − r_S) × f + (r_C − r_S) × w        f at the contact point Q    (1)
//                    w = m (g − a_C)   weight and inertia of a point mass m at C
//                    a_C = a_B + α × r_CB + ω × (ω × r_CB)
//   reads            y = s R_SB (F, M) + bias,  s = ±1;  τ dy_f/dt = y − y_f;  then noise is added        (2)
//   tare             less what (2) is at the start: at rest, out of contact, without noise                (3)
//   compensated      less what (1) to (3) give for f = 0, no bias and the mass (1 + ε) m                  (4)
//   answers          f = R_BS s y,  and its torque about Q:  M − (r_Q − r_S) × f                          (5)
//
// (4) passes through the same filter, so that what it takes out is as late as what the sensor adds. Between
// two ticks y varies linearly, for which the filter is exact. Noise is a function of seed and tick.

#include <cstdint>

#include "berth/live/lab_motion.h"
#include "berth/math/spatial.h"
#include "berth/scenario/spec/live_spec.h"

namespace berth {

class ForceSensor {
 public:
  ForceSensor(const ForceSensorSpec& spec, const Vec3<double>& gravity_N, std::uint64_t seed);

  // As before the first tick, which is the start.
  void clear() { started_ = false; }

  struct Measured {
    Wrench<double> reading;  // sensor axes, at the sensor
    Wrench<double> contact;  // (5), axes of the mock-up, about Q
  };
  // `force_N` acts on the mock-up at `r_QB_N` from its origin.
  Measured measure(std::uint64_t tick, double t, const LabMotion& probe,
                   const Vec3<double>& force_N, const Vec3<double>& r_QB_N);

  const Mat3<double>& R_BS() const { return R_BS_; }

 private:
  // First-order, exact for what varies linearly between ticks.
  struct Filter {
    Wrench<double> in, out;
  };

  Wrench<double> find_weight(const LabMotion& probe, bool at_rest) const;
  Wrench<double> to_sensor(const Wrench<double>& on_mock_up_B) const;
  void advance(Filter& filter, const Wrench<double>& in, double dt) const;
  Wrench<double> find_noise(std::uint64_t tick) const;

  ForceSensorSpec spec_;
  Vec3<double> gravity_N_;
  std::uint64_t seed_;
  Mat3<double> R_BS_;
  bool started_ = false;
  double t_ = 0;           // [s] of the last tick
  Filter sensor_, model_;  // of (2), of (4)
  Wrench<double> tare_;    // (3)
  Wrench<double> model_tare_;
};

}  // namespace berth

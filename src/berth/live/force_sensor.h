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
// (4) passes through the same filter, so that what it takes out is as late as what the sensor adds. The
// filter is exact for parabolas: y is taken at both ends of an interval and in its middle. Noise is a function
// of seed and tick.

#include <cstdint>

#include "berth/live/lab_motion.h"
#include "berth/math/spatial.h"
#include "berth/scenario/spec/live_spec.h"

namespace berth {

class ForceSensor {
 public:
  ForceSensor(const ForceSensorSpec& spec, const Vec3<double>& gravity_N, std::uint64_t seed);

  // What acts on it at an instant.
  struct Load {
    LabMotion probe;       // of the mock-up
    Vec3<double> force_N;  // [N] on the mock-up,
    Vec3<double> r_QB_N;   // [m] here from its origin
  };
  struct Measured {
    Wrench<double> reading;  // sensor axes, at the sensor
    Wrench<double> contact;  // (5), axes of the mock-up, about Q
  };

  // A run begins, at rest: the tare, and the filter settled.
  void start(const Load& load);
  // A time dt [s] passes.
  void advance(double dt, const Load& middle, const Load& end);
  // What is read at this tick, the load being that of its instant.
  Measured measure(std::uint64_t tick, const Load& load) const;

  bool has_filter() const { return spec_.filter_time > 0; }
  const Mat3<double>& R_BS() const { return R_BS_; }

 private:
  // Of (2) or (4).
  struct Filter {
    Wrench<double> in, out;
  };
  // What goes into each of them.
  struct Inputs {
    Wrench<double> sensor, model;
  };

  Wrench<double> find_weight(const LabMotion& probe, bool at_rest) const;
  Wrench<double> to_sensor(const Wrench<double>& on_mock_up_B) const;
  Vec3<double> find_lever(const Load& load) const;
  Inputs find_inputs(const Load& load) const;
  void advance(Filter& filter, const Wrench<double>& middle, const Wrench<double>& end,
               double dt) const;
  Wrench<double> find_noise(std::uint64_t tick) const;

  ForceSensorSpec spec_;
  Vec3<double> gravity_N_;
  std::uint64_t seed_;
  double assumed_mass_;  // [kg] (1 + ε) m; 0 where nothing is compensated
  Wrench<double> bias_;
  Mat3<double> R_BS_;
  Filter sensor_, model_;  // of (2), of (4)
  Wrench<double> tare_;    // (3)
  Wrench<double> model_tare_;
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Robot — moves a mock-up as it is commanded, late, with a lag, and no faster than it can.
//
//   dead time   h_k at tick k: from t_{k−1} to t_k it follows what was commanded h_k before          (1)
//   lag         ẍ = ω² (u − x) − 2ζω ẋ of each axis; of the attitude on its rotation vector from what is
//               commanded, θ = log(q_c* q), the attitude q_c being that of the tick before            (2)
//   limits      from one instant to the next no farther than v_max Δt and ω_max Δt towards what (2) gives        (3)
//
// (2) is solved exactly (second_order_lag.h) on each piece between commanded ticks. It begins on the
// commanded motion. With neither of them the robot is where it was commanded to be, bit for bit.

#include "berth/live/commanded_motion.h"
#include "berth/live/second_order_lag.h"

namespace berth {

struct RobotLimits {
  double max_speed = 0;  // [m/s]; 0 = none
  double max_rate = 0;   // [rad/s]; likewise
};

class Robot {
 public:
  Robot(const SecondOrderLag& lag, const RobotLimits& limits) : lag_(lag), limits_(limits) {}

  // As before the first tick; remembers so many of them.
  void clear(std::size_t most_ticks);
  // A tick: what is commanded at t, and the dead time [s] of all until the next.
  void command(double t, const LabMotion& commanded, double dead_time);
  // On to t, at most that of the last tick; the first time it is there at once.
  void move_to(double t);

  const LabMotion& commanded() const { return commanded_; }
  const LabMotion& motion() const { return motion_; }

 private:
  LabMotion find_lagged(double from, double to);
  void limit(LabMotion& wanted, double dt);

  SecondOrderLag lag_;
  RobotLimits limits_;
  CommandedMotion past_;
  double dead_time_ = 0;  // [s] h_k
  double t_ = 0;          // [s] where it has moved to
  bool moved_ = false;
  LabMotion commanded_;  // at the last tick
  LabMotion lagged_;     // as (2) has it, without limits
  LabMotion motion_;
  bool slides_ = false, turns_ = false;  // was limited at the last tick: position, attitude
};

}  // namespace berth

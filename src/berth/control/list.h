// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every controller there is. A controller reads an instant and its own states z and says what its
// actuators shall do:
//
//   find_output(now, z, out)         the law
//   find_state_rate(now, z, z_dot)   its integral states
//   apply(out, command)              hands the output to the actuators
//
// With sample_time > 0 the output is computed once per period, held, and reaches the actuators
// `latency` seconds later; its integral states then move in steps of the period.

#include "berth/control/approach.h"
#include "berth/control/attitude_control.h"
#include "berth/control/computed_torque.h"
#include "berth/control/external.h"
#include "berth/control/joint_effort.h"
#include "berth/control/joint_pd.h"
#include "berth/control/thrust.h"

namespace berth {

template <Scalar T>
using Controls = PartList<AttitudeControl<T>,  //
                          JointPd<T>,          //
                          JointEffort<T>,      //
                          ComputedTorque<T>,   //
                          Approach<T>,         //
                          Thrust<T>>;

// Externals have a table of their own. They come last.
template <Scalar T>
using AllControls = Extended<Controls<T>, External<T>>;

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every sensor there is. Controllers read them by name; sensor_part.h has what one states.

#include "berth/sensors/gyro.h"
#include "berth/sensors/relative_pose.h"

namespace berth {

template <Scalar T>
using Sensors = PartList<RelativePose<T>,  //
                         Gyro<T>>;

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every component there is. A line here is all the rest of the program needs to know of one.

#include "berth/components/hinged_panel.h"
#include "berth/components/reaction_wheel.h"
#include "berth/components/rigid_payload.h"
#include "berth/components/robot_arm.h"
#include "berth/components/slosh_mass.h"
#include "berth/components/slosh_pendulum.h"

namespace berth {

template <Scalar T>
using Components = PartList<ReactionWheel<T>,  //
                            HingedPanel<T>,    //
                            SloshMass<T>,      //
                            SloshPendulum<T>,  //
                            RobotArm<T>,       //
                            RigidPayload<T>>;

}  // namespace berth

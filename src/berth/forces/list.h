// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every force element there is, besides those the components bring along.

#include "berth/forces/external_load.h"
#include "berth/forces/joint_spring.h"
#include "berth/forces/orbital_gravity.h"
#include "berth/forces/spring_damper.h"
#include "berth/forces/thruster_set.h"
#include "berth/forces/uniform_gravity.h"

namespace berth {

// Those that a file names under [[force]].
template <Scalar T>
using ListedForces = PartList<SpringDamper<T>,  //
                              JointSpring<T>,   //
                              ExternalLoad<T>,  //
                              ThrusterSet<T>>;

// Gravity and orbit have tables of their own.
template <Scalar T>
using Forces = Extended<ListedForces<T>, UniformGravity<T>, OrbitalGravity<T>>;

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
//
// How far two libraries are apart on the same model and state.
#pragma once

#include <vector>

#include "../dual_arm.h"
#include "../stack.h"

namespace berth::bench {

// The largest relative difference over five groups: hub accelerations, hub angular accelerations,
// wheels, panels, slosh masses (each of both craft). In a group: the largest |a − b| divided by
// the largest |a| or |b|, so that a component that happens to vanish does not decide; a group that
// vanishes altogether is divided by 1e-6 m/s² or rad/s². A NaN gives infinity.
double largest_disagreement(const StackAcceleration& a, const StackAcceleration& b);

// The same over three: base acceleration, base angular acceleration, joints.
double largest_disagreement(const DualArmAcceleration& a, const DualArmAcceleration& b);

// The same over positions (hub places and attitudes, joint coordinates) of two states; attitudes
// as unit quaternions up to sign. Absolute, in m or rad: positions have no natural scale.
double largest_distance(const StackState& a, const StackState& b);

// One group only.
double largest_disagreement(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace berth::bench

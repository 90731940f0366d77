// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measure — what a user wants to see: how one frame stands to another, or how hard two grasps
// press what they hold.
//
//   frames   r = position of P2 from P1, P1 axes;  distance |r|, gap r_x, lateral |(r_y, r_z)|;
//            R = R_P1P2 and the angle of its rotation; of ports that are to mate R = R_P1P2 faceᵀ
//            with face = diag(−1, −1, 1), R_P1P2 when x is antiparallel and z parallel
//   grasps   squeeze ½ (f₁ − f₂)·n, with f the forces on the body both hold and n the unit vector
//            from the first grasp to the second: the part of both that moves nothing, positive when
//            they press, negative when they pull

#include <string>

#include "berth/model/model.h"

namespace berth {

template <Scalar T>
struct Measure {
  std::string name;
  Port<T> port_1, port_2;
  bool mating = false;             // attitude and angle are counted from the mated attitude
  int grasp_1 = -1, grasp_2 = -1;  // indices of docks; −1: frames are measured
  int held = -1;                   // the body both grasps hold
};

}  // namespace berth

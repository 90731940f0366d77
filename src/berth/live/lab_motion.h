// SPDX-License-Identifier: Apache-2.0
#pragma once

// Motion of a mock-up in the laboratory. Its axes are those of N; its origin L is where the mock-up of the
// surface stands at the start.

#include "berth/math/rotation.h"

namespace berth {

struct LabMotion {
  Vec3<double> r_BL_N;      // [m]
  Quaternion<double> q_BN;  // unit length
  Vec3<double> v_BL_N;      // [m/s]
  Vec3<double> omega_BN_B;  // [rad/s]
  Vec3<double> a_BL_N;      // [m/s²]
  Vec3<double> alpha_BN_B;  // [rad/s²]
};

// Rotation vector from a to b, axes of a (and of b).
inline Vec3<double> find_rotation(const Quaternion<double>& a, const Quaternion<double>& b) {
  return rotation_vector(conjugate(a) * b);
}

}  // namespace berth

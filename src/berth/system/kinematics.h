// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kinematics of the forest, parents first.
//
//   find_motion        (q, v) => R_NB, r_BN_N, ω_BN_N, v_BN_N, c.m. and inertia in N axes
//   find_rates         (q, v) => q̇

#include <cmath>

#include "berth/model/motion.h"

namespace berth {

template <Scalar T>
void find_motion(const Model<T>& model, std::span<const T> q, std::span<const T> v,
                 Motion<T>& motion);

template <Scalar T>
void find_rates(const Model<T>& model, std::span<const T> q, std::span<const T> v,
                std::span<T> q_dot);

// q ⊕ h v, with v like speeds: attitudes are turned by turn(h ω), a quaternion of any length.
template <Scalar T, class Turn>
void displace(const Model<T>& model, const T* v, double h, T* q, Turn&& turn) {
  const auto rotate_by = [&](T* at, const T* omega) {
    const Quaternion<T> fresh = Quaternion<T>{at[0], at[1], at[2], at[3]} *
                                turn(Vec3<T>{h * omega[0], h * omega[1], h * omega[2]});
    const T s = 1.0 / sqrt(norm_squared(fresh));
    at[0] = s * fresh.w, at[1] = s * fresh.x, at[2] = s * fresh.y, at[3] = s * fresh.z;
  };
  for (const Body<T>& b : model.bodies) {
    const T* by = v + b.v;
    T* to = q + b.q;
    switch (b.joint) {
      case JointType::free:
        for (int k = 0; k < 3; ++k) to[k] = to[k] + h * by[k];
        rotate_by(to + 3, by + 3);
        break;
      case JointType::spherical: rotate_by(to, by); break;
      default:
        for (int k = 0; k < shape(b.joint).speeds; ++k) to[k] = to[k] + h * by[k];
    }
  }
}

// Brings every quaternion in q back to unit length.
template <Scalar T>
void normalise_quaternions(const Model<T>& model, std::span<T> q);

}  // namespace berth

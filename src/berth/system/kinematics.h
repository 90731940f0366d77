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
template <class Turn>
void displace(const Model<double>& model, const double* v, double h, double* q, Turn&& turn) {
  const auto rotate_by = [&](double* at, const double* omega) {
    const Quaternion<double> fresh = Quaternion<double>{at[0], at[1], at[2], at[3]} *
                                     turn(Vec3<double>{h * omega[0], h * omega[1], h * omega[2]});
    const double s = 1 / std::sqrt(norm_squared(fresh));
    at[0] = s * fresh.w, at[1] = s * fresh.x, at[2] = s * fresh.y, at[3] = s * fresh.z;
  };
  for (const Body<double>& b : model.bodies) {
    const double* by = v + b.v;
    double* to = q + b.q;
    switch (b.joint) {
      case JointType::free:
        for (int k = 0; k < 3; ++k) to[k] += h * by[k];
        rotate_by(to + 3, by + 3);
        break;
      case JointType::spherical: rotate_by(to, by); break;
      default:
        for (int k = 0; k < shape(b.joint).speeds; ++k) to[k] += h * by[k];
    }
  }
}

// Brings every quaternion in q back to unit length.
template <Scalar T>
void normalise_quaternions(const Model<T>& model, std::span<T> q);

}  // namespace berth

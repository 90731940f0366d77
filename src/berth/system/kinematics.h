// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kinematics of the forest, parents first.
//
//   find_motion        (q, v) => R_NB, r_BN_N, ω_BN_N, v_BN_N, c.m. and inertia in N axes
//   find_rates         (q, v) => q̇

#include "berth/model/motion.h"

namespace berth {

template <Scalar T>
void find_motion(const Model<T>& model, std::span<const T> q, std::span<const T> v,
                 Motion<T>& motion);

template <Scalar T>
void find_rates(const Model<T>& model, std::span<const T> q, std::span<const T> v,
                std::span<T> q_dot);

// Brings every quaternion in q back to unit length.
template <Scalar T>
void normalise_quaternions(const Model<T>& model, std::span<T> q);

}  // namespace berth

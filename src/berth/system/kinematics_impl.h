// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "berth/system/kinematics.h"

namespace berth {

template <Scalar T>
BERTH_INLINE Quaternion<T> quaternion_at(const T* q) {
  return {q[0], q[1], q[2], q[3]};
}
template <Scalar T>
BERTH_INLINE Vec3<T> vector_at(const T* v) {
  return {v[0], v[1], v[2]};
}

// (1) and (2) of CarriedMass.
template <Scalar T>
BERTH_INLINE void carry(const CarriedMass<T>& at, const SinCos<T>& of_q, BodyMotion<T>& m) {
  const T &c = of_q.cos, &s = of_q.sin, c_2 = c * c - s * s, s_2 = 2.0 * (s * c);
  m.r_CB_P = at.r[0] + (c * at.r[1] + s * at.r[2]);
  m.I_C_P = at.I[0] + (c * at.I[1] + s * at.I[2]) + (c_2 * at.I[3] + s_2 * at.I[4]);
}

template <Scalar T>
void find_motion(const Model<T>& model, std::span<const T> q_all, std::span<const T> v_all,
                 Motion<T>& motion) {
  motion.q = q_all;
  motion.v = v_all;
  BodyMotion<T>* const out = motion.bodies.data();
  for (const int i : model.order) {
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& p = out[b.parent];
    BodyMotion<T>& m = out[i];
    const T* q = q_all.data() + b.q;
    const T* v = v_all.data() + b.v;

    // The joint frame carried along by the parent; the joint then adds its own motion.
    const Vec3<T> r_FP_N = p.R_NB * b.r_FP_P;
    switch (b.joint) {
      case JointType::free: {
        m.R_NB = rotation_matrix(quaternion_at(q + 3));
        m.r_BN_N = vector_at(q);
        m.v_BN_N = vector_at(v);
        m.omega_BN_N = m.R_NB * vector_at(v + 3);
        break;
      }
      case JointType::fixed: {
        m.R_NB = p.R_NB * b.R_PF;
        m.r_BN_N = p.r_BN_N + r_FP_N;
        m.omega_BN_N = p.omega_BN_N;
        m.v_BN_N = p.velocity_at(r_FP_N);
        break;
      }
      case JointType::revolute: {
        const SinCos<T> sc = sin_cos(q[0]);
        m.R_NB = p.R_NB * (b.R_PF + (sc.sin * b.R_PF_a + (1.0 - sc.cos) * b.R_PF_aa));
        if (b.is_simple_leaf() && !b.carried.rests) carry(b.carried, sc, m);
        m.axis_N = p.R_NB * b.axis_P;
        m.r_BN_N = p.r_BN_N + r_FP_N;
        m.omega_BN_N = p.omega_BN_N + v[0] * m.axis_N;
        m.v_BN_N = p.velocity_at(r_FP_N);
        break;
      }
      case JointType::prismatic: {
        m.axis_N = p.R_NB * b.axis_P;
        const Vec3<T> r_BP_N = r_FP_N + q[0] * m.axis_N;
        m.r_BN_N = p.r_BN_N + r_BP_N;
        m.omega_BN_N = p.omega_BN_N;
        m.v_BN_N = p.velocity_at(r_BP_N) + v[0] * m.axis_N;
        if (b.particle) {
          m.R_NB = p.R_NB;
          continue;  // its c.m. offset and inertia stay zero
        }
        m.R_NB = p.R_NB * b.R_PF;
        break;
      }
      case JointType::planar: {
        const Mat3<T> R_NF = p.R_NB * b.R_PF;
        const Vec3<T> e_x = R_NF.column_x(), e_y = R_NF.column_y();
        const SinCos<T> sc = sin_cos(q[2]);
        m.axis_N = R_NF.column_z();
        m.R_NB =
            Mat3<T>::columns(sc.cos * e_x + sc.sin * e_y, sc.cos * e_y - sc.sin * e_x, m.axis_N);
        const Vec3<T> r_BP_N = r_FP_N + q[0] * e_x + q[1] * e_y;
        m.r_BN_N = p.r_BN_N + r_BP_N;
        m.omega_BN_N = p.omega_BN_N + v[2] * m.axis_N;
        m.v_BN_N = p.velocity_at(r_BP_N) + v[0] * e_x + v[1] * e_y;
        break;
      }
      case JointType::spherical: {
        m.R_NB = p.R_NB * (b.R_PF * rotation_matrix(quaternion_at(q)));
        m.r_BN_N = p.r_BN_N + r_FP_N;
        m.omega_BN_N = p.omega_BN_N + m.R_NB * vector_at(v);
        m.v_BN_N = p.velocity_at(r_FP_N);
        break;
      }
    }
    if (b.is_simple_leaf()) {
      if (b.joint != JointType::revolute || b.carried.rests)
        m.r_CB_P = b.carried.r[0], m.I_C_P = b.carried.I[0];
      m.r_CB_N = p.R_NB * m.r_CB_P;
      m.I_C_N = rotate(p.R_NB, m.I_C_P);
    } else {
      m.r_CB_N = m.R_NB * b.r_CB_B;
      m.I_C_N = rotate(m.R_NB, b.I_C_B);
    }
  }
}

template <Scalar T>
void find_rates(const Model<T>& model, std::span<const T> q_all, std::span<const T> v_all,
                std::span<T> q_dot) {
  const int n = model.body_count();
  for (int i = 1; i < n; ++i) {
    const Body<T>& b = model.body(i);
    const T* q = q_all.data() + b.q;
    const T* v = v_all.data() + b.v;
    T* out = q_dot.data() + b.q;
    const auto write_quaternion = [&](T* to, const T* at, const T* omega) {
      const Quaternion<T> d = quaternion_rate(quaternion_at(at), vector_at(omega));
      to[0] = d.w, to[1] = d.x, to[2] = d.y, to[3] = d.z;
    };
    switch (b.joint) {
      case JointType::free:
        for (int k = 0; k < 3; ++k) out[k] = v[k];
        write_quaternion(out + 3, q + 3, v + 3);
        break;
      case JointType::spherical: write_quaternion(out, q, v); break;
      case JointType::fixed:  // the coordinates of a welded hub rest
        if (b.hub) std::fill_n(out, shape(JointType::free).coordinates, T(0.0));
        break;
      default:
        for (int k = 0; k < shape(b.joint).speeds; ++k) out[k] = v[k];
    }
  }
}

template <Scalar T>
void normalise_quaternions(const Model<T>& model, std::span<T> q) {
  for (const Body<T>& b : model.bodies) {
    if (b.joint != JointType::free && b.joint != JointType::spherical) continue;
    T* at = q.data() + b.q + (b.joint == JointType::free ? 3 : 0);
    const T s = 1.0 / sqrt(norm_squared(quaternion_at(at)));
    for (int k = 0; k < 4; ++k) at[k] = s * at[k];
  }
}

}  // namespace berth

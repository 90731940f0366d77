// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one joint does to the articulated-body recursion (dynamics_impl.h).

#include "berth/system/dynamics.h"

namespace berth {

template <Scalar T>
BERTH_INLINE void write_vector(T* at, const Vec3<T>& v) {
  at[0] = v.x, at[1] = v.y, at[2] = v.z;
}

// The columns S of a joint with up to three speeds: speed k adds S[k] v_k to the body's motion.
template <Scalar T>
BERTH_INLINE int joint_columns(const Body<T>& b, const BodyMotion<T>& m, const BodyMotion<T>& p,
                               Motion6<T> (&S)[3]) {
  switch (b.joint) {
    case JointType::revolute: S[0] = {m.axis_N, {}}; return 1;
    case JointType::prismatic: S[0] = {{}, m.axis_N}; return 1;
    case JointType::planar: {
      const Mat3<T> R_NF = p.R_NB * b.R_PF;
      S[0] = {{}, R_NF.column_x()};
      S[1] = {{}, R_NF.column_y()};
      S[2] = {m.axis_N, {}};
      return 3;
    }
    case JointType::spherical:
      S[0] = {m.R_NB.column_x(), {}};
      S[1] = {m.R_NB.column_y(), {}};
      S[2] = {m.R_NB.column_z(), {}};
      return 3;
    default: return 0;
  }
}

// c: what the velocities alone add to the acceleration across the joint.
//   angular  ω_P × ω_rel          linear  ω_P × (ω_P × r) + 2 ω_P × v_rel
template <Scalar T>
BERTH_INLINE Motion6<T> joint_bias(const Body<T>& b, const BodyMotion<T>& m, const BodyMotion<T>& p,
                                   const Vec3<T>& r_BP, const T* v) {
  if (b.joint == JointType::free) return {};
  const Vec3<T>& w = p.omega_BN_N;
  const Vec3<T> w_r = cross(w, r_BP);
  switch (b.joint) {
    case JointType::prismatic: return {{}, cross(w, w_r + (2.0 * v[0]) * m.axis_N)};
    case JointType::planar: {
      const Vec3<T> v_rel = m.v_BN_N - p.v_BN_N - w_r;
      return {cross(w, m.omega_BN_N), cross(w, w_r + 2.0 * v_rel)};
    }
    case JointType::fixed: return {{}, cross(w, w_r)};
    default:  // ω_P × ω_B = ω_P × ω_rel
      return {cross(w, m.omega_BN_N), cross(w, w_r)};
  }
}

// Bias wrench of one rigid body about its origin, the bias acceleration c of its joint included:
// with a_C = c.linear + c.angular × r_C + ω × (ω × r_C) the acceleration of its c.m.,
//   force m a_C,   torque I_C c.angular + ω × I_C ω + r_C × m a_C,   minus what is applied.
template <Scalar T>
BERTH_INLINE Wrench<T> rigid_bias(const Body<T>& b, const BodyMotion<T>& m, const Motion6<T>& c,
                                  const Wrench<T>& applied) {
  if (b.particle) return {-applied.torque, b.mass * c.linear - applied.force};
  const Vec3<T>& omega = m.omega_BN_N;
  const Vec3<T> f =
      b.mass * (c.linear + cross(c.angular, m.r_CB_N) + cross(omega, cross(omega, m.r_CB_N)));
  const Vec3<T> n = m.I_C_N * c.angular + cross(omega, m.I_C_N * omega) + cross(m.r_CB_N, f);
  return {n - applied.torque, f - applied.force};
}

template <Scalar T>
BERTH_INLINE T column_dot(const Motion6<T>& S, const Wrench<T>& w) {
  return dot(S.angular, w.torque) + dot(S.linear, w.force);
}

template <Scalar T>
BERTH_INLINE Sym3<T> joint_inertia(const Motion6<T> (&S)[3], const Wrench<T> (&U)[3]) {
  return {column_dot(S[0], U[0]), column_dot(S[1], U[1]), column_dot(S[2], U[2]),
          column_dot(S[0], U[1]), column_dot(S[0], U[2]), column_dot(S[1], U[2])};
}

// The joint of one speed: U, 1/D and u of a leaf straight from its mass properties …
template <Scalar T>
BERTH_INLINE void yield_leaf(const Body<T>& b, const BodyMotion<T>& m, const T& tau,
                             ArticulatedBody<T>& w) {
  const Vec3<T>& a = m.axis_N;
  if (b.joint == JointType::revolute) {
    w.U[0] = turn_rigid(b.mass, m.r_CB_N, m.I_C_N, a);
    w.D_inv = 1.0 / dot(a, w.U[0].torque);
    w.u[0] = tau - dot(a, w.p.torque);
  } else {
    const Vec3<T> f = b.mass * a;
    w.U[0] = {b.particle ? Vec3<T>{} : cross(m.r_CB_N, f), f};
    w.D_inv = 1.0 / dot(a, f);
    w.u[0] = tau - dot(a, w.p.force);
  }
}
// … and of a body that carries others.
template <Scalar T>
BERTH_INLINE void yield_branch(const Body<T>& b, const BodyMotion<T>& m, const T& tau,
                               ArticulatedBody<T>& w) {
  const Vec3<T>& a = m.axis_N;
  if (b.joint == JointType::revolute) {
    w.U[0] = {w.A.I * a, transposed_times(w.A.H, a)};
    w.D_inv = 1.0 / dot(a, w.U[0].torque);
    w.u[0] = tau - dot(a, w.p.torque);
  } else {
    w.U[0] = {w.A.H * a, w.A.M * a};
    w.D_inv = 1.0 / dot(a, w.U[0].force);
    w.u[0] = tau - dot(a, w.p.force);
  }
}

// Three speeds at once, for planar and spherical joints: what the joint leaves of A and p,
//   A − U D⁻¹ Uᵀ   and   p + U D⁻¹ u.
template <Scalar T>
void yield_three(const Motion6<T> (&S)[3], const T* tau, ArticulatedBody<T>& w, Inertia6<T>& A,
                 Wrench<T>& p) {
  for (int k = 0; k < 3; ++k) {
    w.U[k] = w.A * S[k];
    w.u[k] = tau[k] - column_dot(S[k], w.p);
  }
  // D = L Δ Lᵀ makes the three columns independent: V = U L⁻ᵀ, each subtracted like a single one.
  const Sym3Factor<T> D(joint_inertia(S, w.U));
  const auto minus = [](const Wrench<T>& a, const T& s, const Wrench<T>& b) {
    return Wrench<T>{a.torque - s * b.torque, a.force - s * b.force};
  };
  const Wrench<T> V0 = w.U[0];
  const Wrench<T> V1 = minus(w.U[1], D.l10, V0);
  const Wrench<T> V2 = minus(minus(w.U[2], D.l20, V0), D.l21, V1);
  const T e0 = w.u[0], e1 = w.u[1] - D.l10 * e0, e2 = w.u[2] - D.l20 * e0 - D.l21 * e1;
  A = w.A;
  p = w.p;
  const auto take = [&](const Wrench<T>& V, const T& d_inv, const T& e) {
    subtract_outer(A, V, d_inv);
    const T k = d_inv * e;
    p += Wrench<T>{k * V.torque, k * V.force};
  };
  take(V0, D.d0, e0);
  take(V1, D.d1, e1);
  take(V2, D.d2, e2);
}

// What a wrench about its origin does to a free body that carries nothing: about its centre of mass
// translation and rotation part.
template <Scalar T>
BERTH_INLINE Motion6<T> solve_rigid(const Body<T>& b, const BodyMotion<T>& m, const Wrench<T>& w) {
  const Vec3<T> alpha = Sym3Factor<T>(m.I_C_N).solve(w.torque - cross(m.r_CB_N, w.force));
  return {alpha, (1.0 / b.mass) * w.force - cross(alpha, m.r_CB_N)};
}

}  // namespace berth

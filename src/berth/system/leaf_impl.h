// SPDX-License-Identifier: Apache-2.0
#pragma once

// Leaves in the articulated-body recursion (dynamics_impl.h): bodies that carry nothing, on joints of one speed
// at most, in the axes of the body P that carries them. What BodyMotion names _N is in P here.
//
//   p = ( I_C c_ang + ω × I_C ω + r_C × m a_C,  m a_C ) − applied      with c of the joint        (1)
//   revolute    U = ( I_C a + r_C × m (a × r_C),  m (a × r_C) )        a: axis                     (2)
//   prismatic   U = ( r_C × m a,  m a )
//   D = a · U,   u = τ − a · p                                                                     (3)
//   P gets      A += rigid − U Uᵀ/D,   p += p + U u/D                  shifted by r_BP             (4)
//
// Units: p and applied N·m and N; U per rad/s² or m/s²; D kg·m² or kg.

#include "berth/system/joint_impl.h"
#include "berth/system/kinematics_impl.h"

namespace berth {

// A simple leaf as the body that carries it sees it: what turns and where its mass is, in the axes of that
// body, of which omega is the rate.
template <Scalar T>
BERTH_INLINE BodyMotion<T> find_carried_motion(const Body<T>& b, const BodyMotion<T>& m,
                                               const Vec3<T>& omega, const T* v) {
  BodyMotion<T> seen{};
  seen.axis_N = b.axis_P;
  seen.omega_BN_N = b.joint == JointType::revolute ? omega + v[0] * b.axis_P : omega;
  seen.r_CB_N = m.r_CB_P;
  seen.I_C_N = m.I_C_P;
  return seen;
}
template <Scalar T>
BERTH_INLINE Vec3<T> find_carried_place(const Body<T>& b, const T* q) {
  return b.joint == JointType::prismatic ? b.r_FP_P + q[0] * b.axis_P : b.r_FP_P;
}

// What a body that carries leaves has of its own, in its axes: turned when all leaves are there.
template <Scalar T>
BERTH_INLINE void begin_gathering(const Body<T>& b, const BodyMotion<T>& m, const T* v,
                                  ArticulatedBody<T>& w) {
  w.omega_B =
      b.joint == JointType::free ? vector_at(v + 3) : transposed_times(m.R_NB, m.omega_BN_N);
  BodyMotion<T> own{};
  own.omega_BN_N = w.omega_B;
  own.r_CB_N = b.r_CB_B;
  own.I_C_N = b.I_C_B;
  w.p = rigid_bias(b, own, Motion6<T>{}, Wrench<T>{});
  w.A = rigid_inertia(b.mass, b.r_CB_B, b.I_C_B);
}

// The bias wrench that a body hands to its parent through a joint of one speed at most.
template <Scalar T>
BERTH_INLINE Wrench<T> find_handed(const ArticulatedBody<T>& w, bool fixed) {
  Wrench<T> p = w.p;
  if (!fixed) {
    const T k = w.D_inv * w.u[0];
    p += Wrench<T>{k * w.U[0].torque, k * w.U[0].force};
  }
  return shift(p, w.r_BP);
}

// A simple leaf in the axes of the body P that carries it, up to what P feels of it. given: the acceleration of
// its joint, where that is prescribed.
template <Scalar T>
BERTH_INLINE void solve_leaf(const Body<T>& b, const BodyMotion<T>& m, const T* q, const T* v,
                             const T* tau, const Wrench<T>& applied, const Mat3<T>& R_NP,
                             const T* given, ArticulatedBody<T>& parent, ArticulatedBody<T>& w) {
  const CarriedMass<T>& carried = b.carried;
  const bool fixed = b.joint == JointType::fixed || given, rests = carried.rests && !given;
  BodyMotion<T> carrier{};
  carrier.omega_BN_N = parent.omega_B;
  const BodyMotion<T> seen = find_carried_motion(b, m, parent.omega_B, v);
  w.r_BP = find_carried_place(b, q);
  w.c = joint_bias(b, seen, carrier, w.r_BP, v);
  if (given) (b.joint == JointType::revolute ? w.c.angular : w.c.linear) += *given * b.axis_P;
  w.p = rigid_bias(b, seen, w.c, rotate_back(R_NP, applied));
  if (fixed) {
    w.U[0] = {};
    w.D_inv = T(0.0);
  } else if (rests) {
    w.U[0] = carried.U;
    w.D_inv = carried.D_inv;
    w.u[0] = *tau - dot(b.axis_P, w.p.torque);
  } else {
    yield_leaf(b, seen, *tau, w);
  }
  if (b.parent == kGround) return;
  if (rests) {
    parent.A += carried.A;
  } else {
    const Vec3<T> r = w.r_BP + seen.r_CB_N;
    if (b.particle) {
      add_point(parent.A, b.mass, r);
    } else {
      add_rigid(parent.A, b.mass, r, seen.I_C_N);
    }
    if (!fixed) subtract_outer(parent.A, shift(w.U[0], w.r_BP), w.D_inv);
  }
  parent.p += find_handed(w, fixed);
}

}  // namespace berth

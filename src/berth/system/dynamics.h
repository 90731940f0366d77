// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dynamics of the forest: the articulated-body recursion and what goes with it.
//
//   solve_accelerations   loads    => v̇             M v̇ = τ + Jᵀw − bias, in O(n)
//   find_joint_efforts    v̇, loads => τ             the same equation read the other way
//   find_mass_matrix                => M             composite bodies
//   find_jacobian         body      => J             (ω_BN_N; v_PN_N) = J v, P fixed in the body
//   find_momentum                   => h, p          about a point, N axes
//   find_kinetic_energy             => T
//
// All recursions run in inertial axes about each body's own origin. In body axes every pass would
// rotate 21 numbers of articulated inertia per joint; about one common point the inertia of a small
// rotor far out would drown in m r². Here moving to the parent is one shift along r_BP.
//
// Leaves are the exception: wheels, panels, fuel. On the body P that carries them little of them moves, and
// what rests is a number known beforehand when a system is recorded. They are seen in the axes of P, which
// gathers them with its own mass and is turned into inertial axes once.

#include "berth/model/motion.h"

namespace berth {

// Scratch of solve_accelerations for one body. With a the acceleration of the body's origin and c
// its part that velocities alone make across the joint, the wrench through the joint is
// f = A (a − c) + p. All in inertial axes; p, c, r_BP, U and a of a simple leaf in those of P.
template <Scalar T>
struct ArticulatedBody {
  Inertia6<T> A;  // articulated inertia about the body's origin (left unset for leaves)
  Wrench<T> p;    // bias wrench; A c is already in it
  Motion6<T> c;
  Vec3<T> r_BP;    // body origin from the parent's origin
  Wrench<T> U[3];  // A S, one per speed of the joint (up to three)
  T D_inv;         // 1 / (Sᵀ A S), joints of one speed
  T u[3];          // τ − Sᵀ p
  Motion6<T> a;
  // Of a body that carries leaves, in its axes.
  Vec3<T> omega_B;
  Motion6<T> a_B;
};

template <Scalar T>
struct Articulated {
  std::vector<ArticulatedBody<T>> bodies;
  void resize(const Model<T>& model) { bodies.resize(model.bodies.size()); }
};

// Joints of one speed whose acceleration is given; their efforts become the unknowns.
template <Scalar T>
struct Prescribed {
  std::vector<char> is;         // per body
  std::vector<T> acceleration;  // per body
};

// With `given`, the prescribed joints take their accelerations from it and whatever effort that
// needs; find_joint_wrench() then gives it.
template <Scalar T>
void solve_accelerations(const Model<T>& model, const Motion<T>& motion, const Effort<T>& effort,
                         Articulated<T>& work, std::span<T> v_dot,
                         const Prescribed<T>* given = nullptr);

// What further wrenches do to a forest whose accelerations are known: the same recursion, with the
// articulated inertias as they stand. M δv̇ = Jᵀf.
template <Scalar T>
struct Response {
  std::vector<Wrench<T>> f;               // per body; given, then with what came from outboard
  std::vector<Motion6<T>> a;              // per body: change of acceleration
  std::vector<T> v_dot;                   // per speed
  std::vector<Inertia6Factor<T>> factor;  // per body; of hubs

  void resize(const Model<T>& model) {
    f.resize(model.bodies.size());
    a.resize(model.bodies.size());
    v_dot.assign(model.v0.size(), T(0.0));
    factor.resize(model.bodies.size());
  }
  void clear(std::span<const int> bodies) {
    for (int i : bodies) f[static_cast<std::size_t>(i)] = {};
  }
};

// Factors the inertias of the hubs among `bodies`, after solve_accelerations.
template <Scalar T>
void factor_hubs(const Model<T>& model, const Articulated<T>& work, std::span<const int> bodies,
                 Response<T>& response);

// Only the given bodies are visited: parents first, and with each its ancestors.
template <Scalar T>
void find_response(const Model<T>& model, const Motion<T>& motion, const Articulated<T>& work,
                   std::span<const int> bodies, Response<T>& response);

// How the body's origin accelerates, N axes, after solve_accelerations.
template <Scalar T>
BERTH_INLINE Motion6<T> find_acceleration(const Model<T>& model, const Motion<T>& motion,
                                          const Articulated<T>& work, int body) {
  const Body<T>& b = model.body(body);
  const Motion6<T>& a = work.bodies[static_cast<std::size_t>(body)].a;
  return b.is_simple_leaf() ? rotate(motion.body(b.parent).R_NB, a) : a;
}

// The wrench the joint of `body` transmits from its parent, about the body's origin, after
// solve_accelerations.
template <Scalar T>
Wrench<T> find_joint_wrench(const Model<T>& model, const Motion<T>& motion,
                            const Articulated<T>& work, int body);

template <Scalar T>
void find_joint_efforts(const Model<T>& model, const Motion<T>& motion, const Effort<T>& effort,
                        std::span<const T> v_dot, std::span<T> tau);

// Row-major, speed_count² numbers. `composite`: scratch, one per body.
template <Scalar T>
void find_mass_matrix(const Model<T>& model, const Motion<T>& motion,
                      std::span<Inertia6<T>> composite, std::span<T> M);
template <Scalar T>
void find_mass_matrix(const Model<T>& model, const Motion<T>& motion, std::span<T> M) {
  std::vector<Inertia6<T>> composite(model.bodies.size());
  find_mass_matrix<T>(model, motion, composite, M);
}

// Row-major 6 × speed_count: rows ω_x ω_y ω_z v_x v_y v_z of the point at r_PB_B on the body.
template <Scalar T>
void find_jacobian(const Model<T>& model, const Motion<T>& motion, int body, const Vec3<T>& r_PB_B,
                   std::span<T> J);

template <Scalar T>
struct Momentum {
  Vec3<T> linear;   // [kg·m/s]
  Vec3<T> angular;  // [kg·m²/s] about the origin of N
};

template <Scalar T>
Momentum<T> find_momentum(const Model<T>& model, const Motion<T>& motion);

template <Scalar T>
T find_kinetic_energy(const Model<T>& model, const Motion<T>& motion);

}  // namespace berth

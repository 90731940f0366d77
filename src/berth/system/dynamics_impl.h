// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/system/dynamics.h"
#include "berth/system/kinematics_impl.h"

namespace berth {

// The columns S of a joint with up to three speeds: speed k adds S[k] v_k to the body's motion.
template <Scalar T>
BERTH_INLINE int joint_columns(const Body<T>& b, const BodyMotion<T>& m, const BodyMotion<T>& p,
                               Motion6<T> (&S)[3]) {
  switch (b.joint) {
    case JointType::revolute:
      S[0] = {m.axis_N, {}};
      return 1;
    case JointType::prismatic:
      S[0] = {{}, m.axis_N};
      return 1;
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
    default:
      return 0;
  }
}

// c: what the velocities alone add to the acceleration across the joint.
//   angular  ω_P × ω_rel          linear  ω_P × (ω_P × r) + 2 ω_P × v_rel
template <Scalar T>
BERTH_INLINE Motion6<T> joint_bias(const Body<T>& b, const BodyMotion<T>& m,
                                   const BodyMotion<T>& p, const Vec3<T>& r_BP_N) {
  if (b.joint == JointType::free) return {};
  const Vec3<T>& w = p.omega_BN_N;
  const Vec3<T> w_r = cross(w, r_BP_N);
  Motion6<T> c{{}, cross(w, w_r)};
  if (b.joint == JointType::revolute || b.joint == JointType::spherical ||
      b.joint == JointType::planar)
    c.angular = cross(w, m.omega_BN_N);  // ω_P × ω_B = ω_P × ω_rel
  if (b.joint == JointType::prismatic || b.joint == JointType::planar) {
    const Vec3<T> v_rel = m.v_BN_N - p.v_BN_N - w_r;
    c.linear += 2.0 * cross(w, v_rel);
  }
  return c;
}

// Inertia, bias force and joint bias of one body before anything outboard is added.
//   p = (ω × I_B ω, m ω × (ω × c)) − applied wrench
template <Scalar T>
BERTH_INLINE void start_body(const Body<T>& b, const BodyMotion<T>& m, const BodyMotion<T>& parent,
                             const Wrench<T>& applied, ArticulatedBody<T>& w) {
  w.A = rigid_inertia(b.mass, m.r_CB_N, m.I_C_N);
  const Vec3<T>& omega = m.omega_BN_N;
  w.p = {cross(omega, w.A.I * omega) - applied.torque,
         b.mass * cross(omega, cross(omega, m.r_CB_N)) - applied.force};
  w.r_BP_N = m.r_BN_N - parent.r_BN_N;
  w.c = joint_bias(b, m, parent, w.r_BP_N);
}

template <Scalar T>
BERTH_INLINE T column_dot(const Motion6<T>& S, const Wrench<T>& w) {
  return dot(S.angular, w.torque) + dot(S.linear, w.force);
}

// A −= U Uᵀ / D
template <Scalar T>
BERTH_INLINE void subtract_outer(Inertia6<T>& A, const Wrench<T>& U, const T& D_inv) {
  const Vec3<T> n = D_inv * U.torque, f = D_inv * U.force;
  A.I = A.I - Sym3<T>{n.x * U.torque.x, n.y * U.torque.y, n.z * U.torque.z,
                      n.x * U.torque.y, n.x * U.torque.z, n.y * U.torque.z};
  A.H = A.H - outer(n, U.force);
  A.M = A.M - Sym3<T>{f.x * U.force.x, f.y * U.force.y, f.z * U.force.z,
                      f.x * U.force.y, f.x * U.force.z, f.y * U.force.z};
}

// Hands what is left of a body's inertia and bias, after its joint has yielded, to its parent.
template <Scalar T>
BERTH_INLINE void add_to_parent(const Inertia6<T>& A, const Wrench<T>& p, const ArticulatedBody<T>& w,
                                ArticulatedBody<T>& parent) {
  parent.A += shift(A, w.r_BP_N);
  parent.p += shift(p, w.r_BP_N);
}

template <Scalar T>
BERTH_INLINE Sym3<T> joint_inertia(const Motion6<T> (&S)[3], const Wrench<T> (&U)[3]) {
  return {column_dot(S[0], U[0]), column_dot(S[1], U[1]), column_dot(S[2], U[2]),
          column_dot(S[0], U[1]), column_dot(S[0], U[2]), column_dot(S[1], U[2])};
}

template <Scalar T>
void solve_accelerations(const Model<T>& model, const Motion<T>& motion, const Effort<T>& effort,
                         Articulated<T>& work, std::span<T> v_dot, const Prescribed<T>* given) {
  const int n = model.body_count();
  const BodyMotion<T>* const moving = motion.bodies.data();
  ArticulatedBody<T>* const art = work.bodies.data();
  const T* const tau = effort.tau.data();

  for (int i = 1; i < n; ++i) {
    const Body<T>& b = model.body(i);
    start_body(b, moving[i], moving[b.parent], effort.body(i), art[i]);
  }

  // A joint with prescribed acceleration is a fixed one whose bias contains that acceleration.
  const auto joint_of = [&](int i) {
    const JointType type = model.body(i).joint;
    return given && given->is[static_cast<std::size_t>(i)] ? JointType::fixed : type;
  };
  if (given) {
    for (int i = 1; i < n; ++i) {
      if (!given->is[static_cast<std::size_t>(i)]) continue;
      const Vec3<T> a = given->acceleration[static_cast<std::size_t>(i)] * moving[i].axis_N;
      (model.body(i).joint == JointType::revolute ? art[i].c.angular : art[i].c.linear) += a;
    }
  }

  // Inward, children first: what each body feels of everything outboard of it.
  for (int i = n - 1; i > 0; --i) {
    const Body<T>& b = model.body(i);
    ArticulatedBody<T>& w = art[i];
    const BodyMotion<T>& m = moving[i];
    const bool on_ground = b.parent == kGround;
    switch (joint_of(i)) {
      case JointType::free:
        break;
      case JointType::fixed:
        if (!on_ground) {
          Wrench<T> p = w.A * w.c;
          p += w.p;
          add_to_parent(w.A, p, w, art[b.parent]);
        }
        break;
      case JointType::revolute:
      case JointType::prismatic: {
        const bool turns = b.joint == JointType::revolute;
        const Vec3<T>& a = m.axis_N;
        Wrench<T>& U = w.U[0];
        if (turns) {
          U = {w.A.I * a, transposed_times(w.A.H, a)};
          w.D_inv = 1.0 / dot(a, U.torque);
          w.u[0] = tau[b.v] - dot(a, w.p.torque);
        } else {
          U = {w.A.H * a, w.A.M * a};
          w.D_inv = 1.0 / dot(a, U.force);
          w.u[0] = tau[b.v] - dot(a, w.p.force);
        }
        if (!on_ground) {
          Inertia6<T> A = w.A;
          subtract_outer(A, U, w.D_inv);
          Wrench<T> p = A * w.c;
          const T k = w.D_inv * w.u[0];
          p.torque += w.p.torque + k * U.torque;
          p.force += w.p.force + k * U.force;
          add_to_parent(A, p, w, art[b.parent]);
        }
        break;
      }
      case JointType::planar:
      case JointType::spherical: {
        Motion6<T> S[3];
        joint_columns(b, m, moving[b.parent], S);
        for (int k = 0; k < 3; ++k) {
          w.U[k] = w.A * S[k];
          w.u[k] = tau[b.v + k] - column_dot(S[k], w.p);
        }
        if (!on_ground) {
          // A − U D⁻¹ Uᵀ and p + … + U D⁻¹ u, column by column: G = U D⁻¹.
          const Sym3Factor<T> D(joint_inertia(S, w.U));
          const Vec3<T> g = D.solve({w.u[0], w.u[1], w.u[2]});
          const auto row = [&](auto part, int axis) {
            return D.solve({part(w.U[0])[axis], part(w.U[1])[axis], part(w.U[2])[axis]});
          };
          const auto torque = [](const Wrench<T>& x) -> const Vec3<T>& { return x.torque; };
          const auto force = [](const Wrench<T>& x) -> const Vec3<T>& { return x.force; };
          Vec3<T> Gn[3], Gf[3];
          for (int axis = 0; axis < 3; ++axis) Gn[axis] = row(torque, axis), Gf[axis] = row(force, axis);
          const auto times = [&](const Vec3<T>& G, auto part, int axis) {
            return G.x * part(w.U[0])[axis] + G.y * part(w.U[1])[axis] + G.z * part(w.U[2])[axis];
          };
          Inertia6<T> A = w.A;
          A.I = A.I - Sym3<T>{times(Gn[0], torque, 0), times(Gn[1], torque, 1),
                              times(Gn[2], torque, 2), times(Gn[0], torque, 1),
                              times(Gn[0], torque, 2), times(Gn[1], torque, 2)};
          A.H = A.H - Mat3<T>{times(Gn[0], force, 0), times(Gn[0], force, 1), times(Gn[0], force, 2),
                              times(Gn[1], force, 0), times(Gn[1], force, 1), times(Gn[1], force, 2),
                              times(Gn[2], force, 0), times(Gn[2], force, 1), times(Gn[2], force, 2)};
          A.M = A.M - Sym3<T>{times(Gf[0], force, 0), times(Gf[1], force, 1),
                              times(Gf[2], force, 2), times(Gf[0], force, 1),
                              times(Gf[0], force, 2), times(Gf[1], force, 2)};
          Wrench<T> p = A * w.c;
          p += w.p;
          const T gk[3] = {g.x, g.y, g.z};
          for (int k = 0; k < 3; ++k)
            p += Wrench<T>{gk[k] * w.U[k].torque, gk[k] * w.U[k].force};
          add_to_parent(A, p, w, art[b.parent]);
        }
        break;
      }
    }
  }

  // Outward, parents first: accelerations.
  art[kGround].a = {};
  for (int i = 1; i < n; ++i) {
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = moving[i];
    ArticulatedBody<T>& w = art[i];
    T* const out = v_dot.data() + b.v;
    if (b.joint == JointType::free) {
      const T* t = tau + b.v;
      const Wrench<T> push{m.R_NB * vector_at(t + 3) - w.p.torque, vector_at(t) - w.p.force};
      w.a = solve(w.A, push);
      const Vec3<T> alpha_B = transposed_times(m.R_NB, w.a.angular);
      out[0] = w.a.linear.x, out[1] = w.a.linear.y, out[2] = w.a.linear.z;
      out[3] = alpha_B.x, out[4] = alpha_B.y, out[5] = alpha_B.z;
      continue;
    }
    Motion6<T> a = shift(art[b.parent].a, w.r_BP_N);
    a.angular += w.c.angular;
    a.linear += w.c.linear;
    switch (joint_of(i)) {
      case JointType::revolute: {
        const T qdd = w.D_inv * (w.u[0] - power(w.U[0], a));
        a.angular += qdd * m.axis_N;
        out[0] = qdd;
        break;
      }
      case JointType::prismatic: {
        const T qdd = w.D_inv * (w.u[0] - power(w.U[0], a));
        a.linear += qdd * m.axis_N;
        out[0] = qdd;
        break;
      }
      case JointType::planar:
      case JointType::spherical: {
        Motion6<T> S[3];
        joint_columns(b, m, moving[b.parent], S);
        const Sym3Factor<T> D(joint_inertia(S, w.U));
        const Vec3<T> qdd = D.solve(
            {w.u[0] - power(w.U[0], a), w.u[1] - power(w.U[1], a), w.u[2] - power(w.U[2], a)});
        for (int k = 0; k < 3; ++k) {
          out[k] = qdd[k];
          a.angular += qdd[k] * S[k].angular;
          a.linear += qdd[k] * S[k].linear;
        }
        break;
      }
      default:
        if (given && given->is[static_cast<std::size_t>(i)])
          out[0] = given->acceleration[static_cast<std::size_t>(i)];
        break;
    }
    w.a = a;
  }
}

template <Scalar T>
void find_joint_efforts(const Model<T>& model, const Motion<T>& motion, const Effort<T>& effort,
                        std::span<const T> v_dot, std::span<T> tau) {
  const int n = model.body_count();
  std::vector<ArticulatedBody<T>> art(static_cast<std::size_t>(n));
  const auto at = [&](int i) -> ArticulatedBody<T>& { return art[static_cast<std::size_t>(i)]; };
  // Outward: accelerations from the given v̇, and each body's own inertia force.
  for (int i = 1; i < n; ++i) {
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = motion.body(i);
    ArticulatedBody<T>& w = at(i);
    start_body(b, m, motion.body(b.parent), effort.body(i), w);
    const T* in = v_dot.data() + b.v;
    if (b.joint == JointType::free) {
      w.a = {m.R_NB * vector_at(in + 3), vector_at(in)};
    } else {
      w.a = shift(at(b.parent).a, w.r_BP_N);
      w.a.angular += w.c.angular;
      w.a.linear += w.c.linear;
      Motion6<T> S[3];
      const int columns = joint_columns(b, m, motion.body(b.parent), S);
      for (int k = 0; k < columns; ++k) {
        w.a.angular += in[k] * S[k].angular;
        w.a.linear += in[k] * S[k].linear;
      }
    }
    w.p += w.A * w.a;
  }
  // Inward: what each joint must transmit.
  for (int i = n - 1; i > 0; --i) {
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = motion.body(i);
    const ArticulatedBody<T>& w = at(i);
    T* const out = tau.data() + b.v;
    if (b.joint == JointType::free) {
      const Vec3<T> torque_B = transposed_times(m.R_NB, w.p.torque);
      for (int k = 0; k < 3; ++k) out[k] = w.p.force[k], out[3 + k] = torque_B[k];
    } else {
      Motion6<T> S[3];
      const int columns = joint_columns(b, m, motion.body(b.parent), S);
      for (int k = 0; k < columns; ++k) out[k] = column_dot(S[k], w.p);
      at(b.parent).p += shift(w.p, w.r_BP_N);
    }
  }
}

// Unit motions of all speeds of a joint, the free joint included.
template <Scalar T>
int all_columns(const Body<T>& b, const BodyMotion<T>& m, const BodyMotion<T>& p,
                Motion6<T> (&S)[6]) {
  if (b.joint == JointType::free) {
    for (int k = 0; k < 3; ++k) {
      S[k] = {};
      S[k].linear[k] = T(1.0);
    }
    S[3] = {m.R_NB.column_x(), {}};
    S[4] = {m.R_NB.column_y(), {}};
    S[5] = {m.R_NB.column_z(), {}};
    return 6;
  }
  Motion6<T> some[3];
  const int columns = joint_columns(b, m, p, some);
  for (int k = 0; k < columns; ++k) S[k] = some[k];
  return columns;
}

template <Scalar T>
void find_mass_matrix(const Model<T>& model, const Motion<T>& motion, std::span<T> M) {
  const int n = model.body_count();
  const std::size_t speeds = static_cast<std::size_t>(model.speed_count());
  for (T& x : M) x = T(0.0);
  // Composite inertias: each body with everything outboard frozen to it.
  std::vector<Inertia6<T>> composite(static_cast<std::size_t>(n));
  const auto at = [&](int i) -> Inertia6<T>& { return composite[static_cast<std::size_t>(i)]; };
  for (int i = 1; i < n; ++i)
    at(i) = rigid_inertia(model.body(i).mass, motion.body(i).r_CB_N, motion.body(i).I_C_N);
  for (int i = n - 1; i > 0; --i) {
    const Body<T>& b = model.body(i);
    // Force needed to give this joint unit acceleration, carried inward past every ancestor.
    Motion6<T> S[6];
    const int columns = all_columns(b, motion.body(i), motion.body(b.parent), S);
    for (int k = 0; k < columns; ++k) {
      Wrench<T> f = at(i) * S[k];
      const std::size_t row = static_cast<std::size_t>(b.v + k);
      for (int j = i; j != kGround; j = model.body(j).parent) {
        const Body<T>& a = model.body(j);
        Motion6<T> Sj[6];
        const int cj = all_columns(a, motion.body(j), motion.body(a.parent), Sj);
        for (int l = 0; l < cj; ++l) {
          const std::size_t col = static_cast<std::size_t>(a.v + l);
          const T value = column_dot(Sj[l], f);
          M[row * speeds + col] = value;
          M[col * speeds + row] = value;
        }
        f = shift(f, motion.body(j).r_BN_N - motion.body(a.parent).r_BN_N);
      }
    }
    if (b.parent != kGround)
      at(b.parent) += shift(at(i), motion.body(i).r_BN_N - motion.body(b.parent).r_BN_N);
  }
}

template <Scalar T>
void find_jacobian(const Model<T>& model, const Motion<T>& motion, int body, const Vec3<T>& r_PB_B,
                   std::span<T> J) {
  const std::size_t speeds = static_cast<std::size_t>(model.speed_count());
  for (T& x : J) x = T(0.0);
  const Vec3<T> r_PN_N = motion.body(body).r_BN_N + motion.body(body).R_NB * r_PB_B;
  for (int j = body; j != kGround; j = model.body(j).parent) {
    const Body<T>& b = model.body(j);
    Motion6<T> S[6];
    const int columns = all_columns(b, motion.body(j), motion.body(b.parent), S);
    for (int k = 0; k < columns; ++k) {
      const Motion6<T> at_P = shift(S[k], r_PN_N - motion.body(j).r_BN_N);
      const std::size_t col = static_cast<std::size_t>(b.v + k);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        J[axis * speeds + col] = at_P.angular[static_cast<int>(axis)];
        J[(3 + axis) * speeds + col] = at_P.linear[static_cast<int>(axis)];
      }
    }
  }
}

template <Scalar T>
Momentum<T> find_momentum(const Model<T>& model, const Motion<T>& motion) {
  Momentum<T> sum{};
  for (int i = 1; i < model.body_count(); ++i) {
    const BodyMotion<T>& m = motion.body(i);
    const Vec3<T> p = model.body(i).mass * m.velocity_at(m.r_CB_N);
    sum.linear += p;
    sum.angular += m.I_C_N * m.omega_BN_N + cross(m.r_BN_N + m.r_CB_N, p);
  }
  return sum;
}

template <Scalar T>
T find_kinetic_energy(const Model<T>& model, const Motion<T>& motion) {
  T sum(0.0);
  for (int i = 1; i < model.body_count(); ++i) {
    const BodyMotion<T>& m = motion.body(i);
    const Vec3<T> v = m.velocity_at(m.r_CB_N);
    sum += 0.5 * (model.body(i).mass * norm_squared(v) +
                  dot(m.omega_BN_N, m.I_C_N * m.omega_BN_N));
  }
  return sum;
}

}  // namespace berth

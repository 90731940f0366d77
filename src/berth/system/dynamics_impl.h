// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/system/dynamics.h"
#include "berth/system/joint_impl.h"
#include "berth/system/kinematics_impl.h"
#include "berth/system/leaf_impl.h"

namespace berth {

template <Scalar T>
void solve_accelerations(const Model<T>& model, const Motion<T>& motion, const Effort<T>& effort,
                         Articulated<T>& work, std::span<T> v_dot, const Prescribed<T>* given) {
  const int n = model.body_count();
  const BodyMotion<T>* const moving = motion.bodies.data();
  ArticulatedBody<T>* const art = work.bodies.data();
  const T* const tau = effort.tau.data();
  const T *const q = motion.q.data(), *const v = motion.v.data();
  const int* const order = model.order.data();
  // A joint with prescribed acceleration is a fixed one whose bias contains that acceleration.
  const auto is_given = [&](int i) { return given && given->is[static_cast<std::size_t>(i)]; };
  const auto is_fixed = [&](int i) {
    return model.body(i).joint == JointType::fixed || is_given(i);
  };
  const auto given_at = [&](int i) {
    return is_given(i) ? &given->acceleration[static_cast<std::size_t>(i)] : nullptr;
  };

  // Every body on its own: bias of its joint, bias wrench, rigid inertia. Leaves go to those who carry them.
  art[kGround].omega_B = {};
  for (int j = 0; j < n - 1; ++j) {
    const int i = order[j];
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = moving[i];
    ArticulatedBody<T>& w = art[i];
    if (b.is_simple_leaf()) {
      solve_leaf(b, m, q + b.q, v + b.v, tau + b.v, effort.body(i), moving[b.parent].R_NB,
                 given_at(i), art[b.parent], w);
      continue;
    }
    w.r_BP = m.r_BN_N - moving[b.parent].r_BN_N;
    w.c = joint_bias(b, m, moving[b.parent], w.r_BP, v + b.v);
    if (const T* a = given_at(i))
      (b.joint == JointType::revolute ? w.c.angular : w.c.linear) += *a * m.axis_N;
    if (b.carries) {
      begin_gathering(b, m, v + b.v, w);
    } else {
      w.p = rigid_bias(b, m, Motion6<T>{}, effort.body(i));
      w.A = rigid_inertia(b.mass, m.r_CB_N, m.I_C_N);
    }
  }
  for (int i = 1; i < n; ++i) {
    if (!model.body(i).carries) continue;
    art[i].A = rotate(moving[i].R_NB, art[i].A);
    art[i].p = rotate(moving[i].R_NB, art[i].p);
    art[i].p -= effort.body(i);
  }

  // Inward, children first: what each body feels of everything outboard of it.
  for (int o = n - 2; o >= 0; --o) {
    const int i = order[o];
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = moving[i];
    ArticulatedBody<T>& w = art[i];
    if (b.joint == JointType::free || b.is_simple_leaf()) continue;
    const bool fixed = is_fixed(i);
    if (fixed) {  // yields to nothing, however it is pushed afterwards
      w.U[0] = {};
      w.D_inv = T(0.0);
    }
    // All children are in A by now, and A c completes the bias.
    w.p += w.A * w.c;
    if (fixed || shape(b.joint).speeds == 1) {
      if (!fixed) yield_branch(b, m, tau[b.v], w);
      if (b.parent == kGround) continue;
      art[b.parent].A += shift(w.A, w.r_BP);
      if (!fixed) subtract_outer(art[b.parent].A, shift(w.U[0], w.r_BP), w.D_inv);
      art[b.parent].p += find_handed(w, fixed);
    } else {
      Motion6<T> S[3];
      joint_columns(b, m, moving[b.parent], S);
      Inertia6<T> A;
      Wrench<T> p;
      yield_three(S, tau + b.v, w, A, p);
      if (b.parent == kGround) continue;
      art[b.parent].A += shift(A, w.r_BP);
      art[b.parent].p += shift(p, w.r_BP);
    }
  }

  // Outward, parents first: accelerations.
  art[kGround].a = art[kGround].a_B = {};
  for (int j = 0; j < n - 1; ++j) {
    const int i = order[j];
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = moving[i];
    ArticulatedBody<T>& w = art[i];
    const ArticulatedBody<T>& parent = art[b.parent];
    T* const out = v_dot.data() + b.v;
    if (b.joint == JointType::free) {
      const T* t = tau + b.v;
      const Wrench<T> push{m.R_NB * vector_at(t + 3) - w.p.torque, vector_at(t) - w.p.force};
      w.a = b.leaf ? solve_rigid(b, m, push) : solve(w.A, push);
      w.a_B = rotate_back(m.R_NB, w.a);
      write_vector(out, w.a.linear);
      write_vector(out + 3, w.a_B.angular);
      continue;
    }
    const bool in_P = b.is_simple_leaf();
    const Motion6<T> a = shift(in_P ? parent.a_B : parent.a, w.r_BP);
    w.a = {a.angular + w.c.angular, a.linear + w.c.linear};
    if (is_given(i)) {
      out[0] = given->acceleration[static_cast<std::size_t>(i)];
    } else if (shape(b.joint).speeds == 1) {
      out[0] = w.D_inv * (w.u[0] - power(w.U[0], a));
      (b.joint == JointType::revolute ? w.a.angular : w.a.linear) +=
          out[0] * (in_P ? b.axis_P : m.axis_N);
    } else if (b.joint != JointType::fixed) {
      Motion6<T> S[3];
      joint_columns(b, m, moving[b.parent], S);
      const Vec3<T> v_dot_B = Sym3Factor<T>(joint_inertia(S, w.U))
                                  .solve({w.u[0] - power(w.U[0], a), w.u[1] - power(w.U[1], a),
                                          w.u[2] - power(w.U[2], a)});
      for (int k = 0; k < 3; ++k) {
        out[k] = v_dot_B[k];
        w.a.angular += v_dot_B[k] * S[k].angular;
        w.a.linear += v_dot_B[k] * S[k].linear;
      }
    } else if (b.hub) {
      std::fill_n(out, shape(JointType::free).speeds, T(0.0));
    }
    if (b.carries) w.a_B = rotate_back(m.R_NB, w.a);
  }
}

template <Scalar T>
void factor_hubs(const Model<T>& model, const Articulated<T>& work, std::span<const int> bodies,
                 Response<T>& r) {
  for (const int i : bodies)
    if (model.body(i).joint == JointType::free)
      r.factor[static_cast<std::size_t>(i)] =
          Inertia6Factor<T>(work.bodies[static_cast<std::size_t>(i)].A);
}

template <Scalar T>
void find_response(const Model<T>& model, const Motion<T>& motion, const Articulated<T>& work,
                   std::span<const int> bodies, Response<T>& r) {
  const BodyMotion<T>* const moving = motion.bodies.data();
  const ArticulatedBody<T>* const art = work.bodies.data();
  Wrench<T>* const f = r.f.data();
  T* const v_dot = r.v_dot.data();

  // Inward: each joint yields and hands the rest to its parent. v̇ keeps Sᵀf until the way back.
  for (std::size_t o = bodies.size(); o-- > 0;) {
    const int i = bodies[o];
    const Body<T>& b = model.body(i);
    const ArticulatedBody<T>& w = art[i];
    if (b.joint == JointType::free) continue;
    const bool in_P = b.is_simple_leaf();  // the axes of the body that carries it
    const Mat3<T>& R_NP = moving[b.parent].R_NB;
    Wrench<T> rest = in_P ? rotate_back(R_NP, f[i]) : f[i];
    const auto yield = [&](const T& k, const Wrench<T>& U) {
      rest -= Wrench<T>{k * U.torque, k * U.force};
    };
    if (shape(b.joint).speeds == 1) {
      const Vec3<T>& axis = in_P ? b.axis_P : moving[i].axis_N;
      const T u = dot(axis, b.joint == JointType::revolute ? rest.torque : rest.force);
      v_dot[b.v] = u;
      yield(w.D_inv * u, w.U[0]);
    } else if (shape(b.joint).speeds == 3) {
      Motion6<T> S[3];
      joint_columns(b, moving[i], moving[b.parent], S);
      const Vec3<T> u{column_dot(S[0], f[i]), column_dot(S[1], f[i]), column_dot(S[2], f[i])};
      const Vec3<T> k = Sym3Factor<T>(joint_inertia(S, w.U)).solve(u);
      for (int s = 0; s < 3; ++s) {
        v_dot[b.v + s] = u[s];
        yield(k[s], w.U[s]);
      }
    }
    if (b.parent == kGround) continue;
    const Wrench<T> handed = shift(rest, w.r_BP);
    f[b.parent] += in_P ? rotate(R_NP, handed) : handed;
  }

  // Outward.
  r.a[kGround] = {};
  for (const int i : bodies) {
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = moving[i];
    const ArticulatedBody<T>& w = art[i];
    Motion6<T>& a = r.a[static_cast<std::size_t>(i)];
    if (b.joint == JointType::free) {
      a = r.factor[static_cast<std::size_t>(i)].solve(f[i]);
      write_vector(v_dot + b.v, a.linear);
      write_vector(v_dot + b.v + 3, transposed_times(m.R_NB, a.angular));
      continue;
    }
    const bool in_P = b.is_simple_leaf();
    const Mat3<T>& R_NP = moving[b.parent].R_NB;
    const Motion6<T>& of_parent = r.a[static_cast<std::size_t>(b.parent)];
    a = shift(in_P ? rotate_back(R_NP, of_parent) : of_parent, w.r_BP);
    if (shape(b.joint).speeds == 1) {
      v_dot[b.v] = w.D_inv * (v_dot[b.v] - power(w.U[0], a));
      (b.joint == JointType::revolute ? a.angular : a.linear) +=
          v_dot[b.v] * (in_P ? b.axis_P : m.axis_N);
    } else if (shape(b.joint).speeds == 3) {
      Motion6<T> S[3];
      joint_columns(b, m, moving[b.parent], S);
      const Vec3<T> v =
          Sym3Factor<T>(joint_inertia(S, w.U))
              .solve({v_dot[b.v] - power(w.U[0], a), v_dot[b.v + 1] - power(w.U[1], a),
                      v_dot[b.v + 2] - power(w.U[2], a)});
      for (int s = 0; s < 3; ++s) {
        v_dot[b.v + s] = v[s];
        a.angular += v[s] * S[s].angular;
        a.linear += v[s] * S[s].linear;
      }
    }
    if (in_P) a = rotate(R_NP, a);
  }
}

template <Scalar T>
Wrench<T> find_joint_wrench(const Model<T>& model, const Motion<T>& motion,
                            const Articulated<T>& work, int body) {
  const Body<T>& b = model.body(body);
  const BodyMotion<T>& m = motion.body(body);
  const ArticulatedBody<T>& w = work.bodies[static_cast<std::size_t>(body)];
  const Motion6<T> a{w.a.angular - w.c.angular, w.a.linear - w.c.linear};
  if (!b.is_simple_leaf()) return w.A * a + w.p;
  const Wrench<T> in_P = rigid_inertia(b.mass, m.r_CB_P, m.I_C_P) * a + w.p;
  return rotate(motion.body(b.parent).R_NB, in_P);
}

template <Scalar T>
void find_joint_efforts(const Model<T>& model, const Motion<T>& motion, const Effort<T>& effort,
                        std::span<const T> v_dot, std::span<T> tau) {
  const int n = model.body_count();
  std::vector<ArticulatedBody<T>> art(static_cast<std::size_t>(n));
  const auto at = [&](int i) -> ArticulatedBody<T>& { return art[static_cast<std::size_t>(i)]; };
  // Outward: accelerations from the given v̇, and each body's own inertia force.
  for (const int i : model.order) {
    const Body<T>& b = model.body(i);
    const BodyMotion<T>& m = motion.body(i);
    ArticulatedBody<T>& w = at(i);
    w.r_BP = m.r_BN_N - motion.body(b.parent).r_BN_N;
    w.c = joint_bias(b, m, motion.body(b.parent), w.r_BP, motion.v.data() + b.v);
    const T* in = v_dot.data() + b.v;
    if (b.joint == JointType::free) {
      w.a = {m.R_NB * vector_at(in + 3), vector_at(in)};
    } else {
      w.a = shift(at(b.parent).a, w.r_BP);
      w.a.angular += w.c.angular;
      w.a.linear += w.c.linear;
      Motion6<T> S[3];
      const int columns = joint_columns(b, m, motion.body(b.parent), S);
      for (int k = 0; k < columns; ++k) {
        w.a.angular += in[k] * S[k].angular;
        w.a.linear += in[k] * S[k].linear;
      }
    }
    w.p = rigid_bias(b, m, w.a, effort.body(i));
  }
  // Inward: what each joint must transmit.
  for (int o = n - 2; o >= 0; --o) {
    const int i = model.order[static_cast<std::size_t>(o)];
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
      if (columns == 0 && b.hub) std::fill_n(out, shape(JointType::free).speeds, T(0.0));
      at(b.parent).p += shift(w.p, w.r_BP);
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

// f(k, what a wrench about the body's origin does along speed k of its joint).
template <Scalar T, class F>
BERTH_INLINE void for_each_push(const Body<T>& b, const BodyMotion<T>& m, const BodyMotion<T>& p,
                                const Wrench<T>& w, F&& f) {
  switch (b.joint) {
    case JointType::revolute: f(0, dot(m.axis_N, w.torque)); break;
    case JointType::prismatic: f(0, dot(m.axis_N, w.force)); break;
    case JointType::free: {
      const Vec3<T> torque_B = transposed_times(m.R_NB, w.torque);
      for (int k = 0; k < 3; ++k) f(k, w.force[k]);
      for (int k = 0; k < 3; ++k) f(3 + k, torque_B[k]);
      break;
    }
    default: {
      Motion6<T> S[3];
      const int columns = joint_columns(b, m, p, S);
      for (int k = 0; k < columns; ++k) f(k, column_dot(S[k], w));
    }
  }
}

template <Scalar T>
void find_mass_matrix(const Model<T>& model, const Motion<T>& motion,
                      std::span<Inertia6<T>> composite, std::span<T> M) {
  const int n = model.body_count();
  const std::size_t speeds = static_cast<std::size_t>(model.speed_count());
  for (T& x : M) x = T(0.0);
  // Composite inertias: each body with everything outboard frozen to it.
  const auto at = [&](int i) -> Inertia6<T>& { return composite[static_cast<std::size_t>(i)]; };
  for (int i = 1; i < n; ++i)
    at(i) = rigid_inertia(model.body(i).mass, motion.body(i).r_CB_N, motion.body(i).I_C_N);
  for (int o = n - 2; o >= 0; --o) {
    const int i = model.order[static_cast<std::size_t>(o)];
    const Body<T>& b = model.body(i);
    // A welded hub has no speeds; a unit mass in their place keeps M invertible.
    if (b.hub && b.joint == JointType::fixed)
      for (std::size_t k = 0; k < 6; ++k)
        M[(static_cast<std::size_t>(b.v) + k) * (speeds + 1)] = T(1.0);
    // Force needed to give this joint unit acceleration, carried inward past every ancestor.
    Motion6<T> S[6];
    const int columns = all_columns(b, motion.body(i), motion.body(b.parent), S);
    for (int k = 0; k < columns; ++k) {
      Wrench<T> f = at(i) * S[k];
      const std::size_t row = static_cast<std::size_t>(b.v + k);
      for (int j = i; j != kGround; j = model.body(j).parent) {
        const Body<T>& a = model.body(j);
        for_each_push(a, motion.body(j), motion.body(a.parent), f, [&](int l, const T& value) {
          const std::size_t col = static_cast<std::size_t>(a.v + l);
          M[row * speeds + col] = value;
          M[col * speeds + row] = value;
        });
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
    sum += 0.5 * (model.body(i).mass * norm_squared(v) + dot(m.omega_BN_N, m.I_C_N * m.omega_BN_N));
  }
  return sum;
}

}  // namespace berth

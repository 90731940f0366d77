// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/math/ldl.h"
#include "berth/math/qr.h"
#include "berth/system/docks.h"
#include "berth/system/dynamics_impl.h"
#include "berth/system/rests.h"

namespace berth {

// Where P2 is and how it moves, against B1.
template <Scalar T>
BERTH_INLINE void find_pair_motion(const Closure<T>& closure, const Motion<T>& motion,
                                   ClosureMotion<T>& m) {
  const BodyMotion<T>& b1 = motion.body(closure.port_1.body);
  const BodyMotion<T>& b2 = motion.body(closure.port_2.body);
  m.lever_2 = b2.R_NB * closure.port_2.r_PB_B;
  m.lever_1 = (b2.r_BN_N - b1.r_BN_N) + m.lever_2;
  const Vec3<T> v_N = b2.velocity_at(m.lever_2) - b1.velocity_at(m.lever_1);
  m.pair.d = transposed_times(b1.R_NB, m.lever_1) - closure.port_1.r_PB_B;
  m.pair.d_dot = transposed_times(b1.R_NB, v_N);
  m.pair.omega = transposed_times(b1.R_NB, b2.omega_BN_N - b1.omega_BN_N);
}

template <Scalar T>
void find_dock_motion(const System<T>& system, std::span<const T> x, std::size_t k,
                      Workspace<T>& w) {
  const Dock<T>& dock = system.docks[k];
  DockMotion<T>& m = w.docks[k];
  const BodyMotion<T>& b1 = w.motion.body(dock.port_1.body);
  const BodyMotion<T>& b2 = w.motion.body(dock.port_2.body);
  find_pair_motion(dock, w.motion, m);
  m.pair.R = transpose(b1.R_NB) * b2.R_NB * transpose(dock.R_12);
  m.pair.arm = dock.arm;
  with_part(dock.constraint, [&](const auto& c) { c.find_rows(m.pair, m.rows); });
  m.forces = dock.force_count();
  m.count = dock.row_count();
  if (dock.first_state >= 0)
    for (std::size_t r = 0; r < static_cast<std::size_t>(m.count); ++r)
      m.integral[r] = x[static_cast<std::size_t>(w.layout.docks + dock.first_state) + r];
}

template <Scalar T>
void find_rest_motion(const System<T>& system, const Mode<T>& mode, std::size_t k,
                      Workspace<T>& w) {
  const Rest<T>& rest = system.rests[k];
  const ContactMode<T>& state = mode.contacts[static_cast<std::size_t>(rest.contact)];
  RestMotion<T>& m = w.rests[k];
  find_pair_motion(rest, w.motion, m);
  rest.find_normal_row(m.pair, m.rows.row[0]);
  m.forces = m.count = state.now.sticking ? rest.most_rows : 1;
  if (!rest.rough) return;
  const Vec3<T> r_CQ_N = w.motion.body(rest.port_1.body).R_NB * (rest.radius * rest.normal);
  m.lever_1 -= r_CQ_N;
  m.lever_2 -= r_CQ_N;
  rest.find_friction(state.heading, state.sliding, m);
}

template <Scalar T>
void closure_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w) {
  const auto clear = [](ClosureMotion<T>& m) {
    for (T& load : m.load) load = T(0.0);
    m.wrench = {};
  };
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    clear(w.docks[k]);
    if (system.docks[k].engaged || w.sees_idle) find_dock_motion(system, x, k, w);
  }
  for (std::size_t k = 0; k < system.rests.size(); ++k) {
    clear(w.rests[k]);
    w.rests[k].power = T(0.0);
    if (is_resting(system.rests[k], mode)) find_rest_motion(system, mode, k, w);
  }
}

// The loads along the rows as one wrench at P2, N axes.
template <Scalar T>
BERTH_INLINE void gather_wrench(const Mat3<T>& R_N1, ClosureMotion<T>& m) {
  Vec3<T> f{}, n{};
  for (int r = 0; r < m.count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    (r < m.forces ? f : n) += m.load[at] * m.rows.row[at].direction;
  }
  m.wrench = {R_N1 * n, R_N1 * f};
}

template <Scalar T>
void push_docks(const System<T>& system, Workspace<T>& w) {
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<T>& dock = system.docks[k];
    if (!dock.engaged || dock.enforce != Enforce::penalty) continue;
    DockMotion<T>& m = w.docks[k];
    for (int r = 0; r < m.count; ++r) {
      const auto at = static_cast<std::size_t>(r);
      const RowGains<T>& g = r < m.forces ? dock.force_gains : dock.torque_gains;
      m.load[at] =
          -(g.stiffness * m.rows.row[at].violation) - g.damping * m.rows.row[at].rate;  // (2)
      if (dock.first_state >= 0) m.load[at] -= g.integral * m.integral[at];
    }
    gather_wrench(w.motion.body(dock.port_1.body).R_NB, m);
    w.internal.body(dock.port_2.body) += shift(m.wrench, m.lever_2);
    w.internal.body(dock.port_1.body) -= shift(m.wrench, m.lever_1);
  }
}

template <Scalar T>
T find_energy(const Dock<T>& dock, const DockMotion<T>& m) {
  if (!dock.engaged || dock.enforce != Enforce::penalty) return T(0.0);
  T e = dock.force_gains.stiffness * m.rows.strain;
  if (m.count > m.forces) e += dock.torque_gains.stiffness * m.rows.twist;
  return e;
}
template <Scalar T>
T find_power_lost(const Dock<T>& dock, const DockMotion<T>& m) {
  T lost(0.0);
  if (!dock.engaged || dock.enforce != Enforce::penalty) return lost;
  for (int r = 0; r < m.count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    lost +=
        (r < m.forces ? dock.force_gains : dock.torque_gains).damping * square(m.rows.row[at].rate);
  }
  return lost;
}
template <Scalar T>
T find_power_supplied(const Dock<T>& dock, const DockMotion<T>& m) {
  T supplied(0.0);
  if (!dock.engaged || dock.enforce != Enforce::penalty || dock.first_state < 0) return supplied;
  for (int r = 0; r < m.count; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const T& gain = (r < m.forces ? dock.force_gains : dock.torque_gains).integral;
    supplied -= gain * m.integral[at] * m.rows.row[at].rate;
  }
  return supplied;
}

// How a closure's pair accelerates: d̈ and ω̇ as seen in B1, B1 axes. find_pair_response has the part that
// loads make, find_pair_acceleration all of it, the velocity terms included.
template <Scalar T>
struct PairAcceleration {
  Vec3<T> d, omega;
  BERTH_INLINE T along(const ClosureMotion<T>& m, int r) const {
    return dot(m.rows.row[static_cast<std::size_t>(r)].direction, r < m.forces ? d : omega);
  }
};
template <Scalar T>
BERTH_INLINE PairAcceleration<T> find_pair_response(const Closure<T>& closure,
                                                    const ClosureMotion<T>& m, const Mat3<T>& R_N1,
                                                    const Response<T>& response) {
  const Motion6<T>& a1 = response.a[static_cast<std::size_t>(closure.port_1.body)];
  const Motion6<T>& a2 = response.a[static_cast<std::size_t>(closure.port_2.body)];
  const Vec3<T> a =
      (a2.linear + cross(a2.angular, m.lever_2)) - (a1.linear + cross(a1.angular, m.lever_1));
  return {transposed_times(R_N1, a), transposed_times(R_N1, a2.angular - a1.angular)};
}
template <Scalar T>
BERTH_INLINE PairAcceleration<T> find_pair_acceleration(const Closure<T>& closure,
                                                        const ClosureMotion<T>& m,
                                                        const Model<T>& model,
                                                        const Motion<T>& motion,
                                                        const Articulated<T>& work) {
  const BodyMotion<T>& b1 = motion.body(closure.port_1.body);
  const BodyMotion<T>& b2 = motion.body(closure.port_2.body);
  const Motion6<T> a1 = find_acceleration(model, motion, work, closure.port_1.body);
  const Motion6<T> a2 = find_acceleration(model, motion, work, closure.port_2.body);
  const auto at = [](const Motion6<T>& a, const BodyMotion<T>& b, const Vec3<T>& r) {
    return a.linear + cross(a.angular, r) + cross(b.omega_BN_N, cross(b.omega_BN_N, r));
  };
  const Vec3<T> d_dot_N = b2.velocity_at(m.lever_2) - b1.velocity_at(m.lever_1);
  const Vec3<T> a =
      at(a2, b2, m.lever_2) - at(a1, b1, m.lever_1) - 2.0 * cross(b1.omega_BN_N, d_dot_N);
  const Vec3<T> alpha =
      a2.angular - a1.angular - cross(b1.omega_BN_N, b2.omega_BN_N - b1.omega_BN_N);
  return {transposed_times(b1.R_NB, a), transposed_times(b1.R_NB, alpha)};
}

// A load on B2 at P2 and its reaction on B1 at the same point, about the bodies' origins.
template <Scalar T>
BERTH_INLINE void push_pair(const Closure<T>& closure, const ClosureMotion<T>& m,
                            const Wrench<T>& w, Response<T>& response) {
  response.f[static_cast<std::size_t>(closure.port_2.body)] += shift(w, m.lever_2);
  response.f[static_cast<std::size_t>(closure.port_1.body)] -= shift(w, m.lever_1);
}

// A unit load along a row, N axes.
template <Scalar T>
BERTH_INLINE Wrench<T> find_unit_load(const System<T>& system, const ActiveRow& row,
                                      const Workspace<T>& w) {
  const ClosureMotion<T>& m = closure_at(w, row.closure);
  const Vec3<T> along = w.motion.body(closure_at(system, row.closure).port_1.body).R_NB *
                        m.rows.row[static_cast<std::size_t>(row.row)].direction;
  return row.row < m.forces ? Wrench<T>{{}, along} : Wrench<T>{along, {}};
}

// What friction adds to a unit load along the normal of a closure; nothing where none acts.
template <Scalar T>
BERTH_INLINE Wrench<T> find_unit_drag(const System<T>& system, const Mode<T>& mode, int k,
                                      const Workspace<T>& w) {
  const auto at = static_cast<std::size_t>(k), docks = system.docks.size();
  if (at < docks) return {};
  const Rest<T>& rest = system.rests[at - docks];
  if (!mode.contacts[static_cast<std::size_t>(rest.contact)].sliding) return {};
  return {{}, -(w.motion.body(rest.port_1.body).R_NB * w.rests[at - docks].drag)};
}

template <Scalar T>
void find_row_matrix(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                     bool with_drag) {
  const std::size_t n = mode.rows.size();
  T* const S = w.multipliers.S.data();
  factor_hubs(system.model, w.articulated, mode.touched, w.response);
  for (std::size_t i = 0; i < n; ++i) {
    w.response.clear(mode.chain);
    Wrench<T> load = find_unit_load(system, mode.rows[i], w);
    if (with_drag) load += find_unit_drag(system, mode, mode.rows[i].closure, w);
    push_pair(closure_at(system, mode.rows[i].closure), closure_at(w, mode.rows[i].closure), load,
              w.response);
    if (mode.hubs_only) {  // nothing lies between the ports and the hubs
      for (const int b : mode.chain) {
        const auto at = static_cast<std::size_t>(b);
        w.response.a[at] = w.response.factor[at].solve(w.response.f[at]);
      }
    } else {
      find_response<T>(system.model, w.motion, w.articulated, mode.chain, w.response);
    }
    // Column i, where S is symmetric from the diagonal down.
    const std::size_t first = with_drag ? 0 : i;
    PairAcceleration<T> a{};
    const ClosureMotion<T>* m = nullptr;
    for (std::size_t j = first; j < n; ++j) {
      const ActiveRow& other = mode.rows[j];
      if (j == first || other.closure != mode.rows[j - 1].closure) {
        const Closure<T>& c = closure_at(system, other.closure);
        m = &closure_at(w, other.closure);
        a = find_pair_response(c, *m, w.motion.body(c.port_1.body).R_NB, w.response);
      }
      S[j * n + i] = a.along(*m, other.row);
    }
  }
}

// Response of the touched trees to the loads in w.multipliers.lambda along mode.rows.
template <Scalar T>
void find_load_response(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                        bool with_drag) {
  w.response.clear(mode.touched);
  w.response.f[kGround] = {};
  for (std::size_t i = 0; i < mode.rows.size(); ++i)
    closure_at(w, mode.rows[i].closure).load[static_cast<std::size_t>(mode.rows[i].row)] =
        w.multipliers.lambda[i];
  for_each_held(system, mode, [&](int k) {
    const Closure<T>& c = closure_at(system, k);
    ClosureMotion<T>& m = closure_at(w, k);
    gather_wrench(w.motion.body(c.port_1.body).R_NB, m);
    if (with_drag) m.wrench.force += m.load[0] * find_unit_drag(system, mode, k, w).force;
    push_pair(c, m, m.wrench, w.response);
  });
  // What the ground takes is not carried further.
  w.multipliers.on_ground = w.response.f[kGround];
  find_response<T>(system.model, w.motion, w.articulated, mode.touched, w.response);
}

// f(i, what row i must still be accelerated by): −(J a_free + γ [+ 2β ψ̇ + α² ψ]).
template <Scalar T, class F>
BERTH_INLINE void find_row_targets(const System<T>& system, const Mode<T>& mode,
                                   const Workspace<T>& w, F&& f) {
  PairAcceleration<T> a{};
  for (std::size_t i = 0; i < mode.rows.size(); ++i) {
    const int k = mode.rows[i].closure, r = mode.rows[i].row;
    const ClosureMotion<T>& m = closure_at(w, k);
    const Row<T>& row = m.rows.row[static_cast<std::size_t>(r)];
    if (i == 0 || k != mode.rows[i - 1].closure)
      a = find_pair_acceleration(closure_at(system, k), m, system.model, w.motion, w.articulated);
    T target = -(a.along(m, r) + row.curvature);
    if (const Dock<T>* dock = find_dock(system, k); dock && dock->enforce == Enforce::baumgarte)
      target -= 2.0 * dock->beta * row.rate + dock->alpha * dock->alpha * row.violation;
    f(i, target);
  }
}

// The bodies' accelerations, and the wrenches through joints, as they are with the response.
template <Scalar T>
void feel_loads(const Model<T>& model, const Mode<T>& mode, Workspace<T>& w) {
  for (const int i : mode.touched) {
    const auto at = static_cast<std::size_t>(i);
    const Body<T>& b = model.body(i);
    Motion6<T> a = w.response.a[at];
    Wrench<T> f = w.response.f[at];
    if (b.is_simple_leaf()) {
      a = rotate_back(w.motion.body(b.parent).R_NB, a);
      f = rotate_back(w.motion.body(b.parent).R_NB, f);
    }
    ArticulatedBody<T>& art = w.articulated.bodies[at];
    art.a.angular += a.angular;
    art.a.linear += a.linear;
    art.p -= f;
  }
  w.internal.body(kGround) += w.multipliers.on_ground;
}

template <Scalar T>
void solve_sliding(const Mode<T>& mode, Workspace<T>& w) {
  const std::size_t n = mode.rows.size(), width = n + 1;
  auto& m = w.multipliers;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m.QR[i * width + j] = m.S[i * n + j];
    m.QR[i * width + n] = m.lambda[i];
  }
  factor_qr(m.QR.data(), n, width, m.diagonal.data());
  solve_upper(m.QR.data(), n, width, m.diagonal.data(), n);
  for (std::size_t i = 0; i < n; ++i) m.lambda[i] = m.QR[i * width + n];
}

template <Scalar T>
void solve_multipliers(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                       std::span<T> v_dot, bool joints_given) {
  const std::size_t n = mode.rows.size();
  if (n == 0) return;
  const bool slides = mode.slides && !joints_given;
  find_row_matrix(system, mode, w, slides);
  T *const S = w.multipliers.S.data(), *const lambda = w.multipliers.lambda.data();
  find_row_targets(system, mode, w, [&](std::size_t i, const T& x) { lambda[i] = x; });
  if (slides) {
    solve_sliding(mode, w);
  } else {
    if (joints_given) {
      factor_ldl(S, n, [&](std::size_t i) { return mode.rows[i].least; });
    } else {
      factor_ldl(S, n);
    }
    solve_ldl(S, n, lambda);
  }
  find_load_response(system, mode, w, slides);
  if (slides)
    for_each_sliding(system, mode, [&](std::size_t k) {
      w.rests[k].power = -(w.rests[k].load[0] * dot(w.rests[k].drag, w.rests[k].slip));
    });
  for (const int i : mode.touched) {
    const Body<T>& b = system.model.body(i);
    for (int s = 0; s < shape(b.joint).speeds; ++s)
      v_dot[static_cast<std::size_t>(b.v + s)] +=
          w.response.v_dot[static_cast<std::size_t>(b.v + s)];
  }
  feel_loads(system.model, mode, w);
}

// [rad] 0 … π of a rotation, to all digits at both ends: tan φ = |ax(R − Rᵀ)| / (tr R − 1).
template <Scalar T>
T find_rotation_angle(const Mat3<T>& R) {
  const Vec3<T> ax{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
  return atan2(norm(ax), R.xx + R.yy + R.zz - 1.0);
}

template <Scalar T>
Violation<T> find_violation(const Dock<T>& dock, const DockMotion<T>& m) {
  T position(0.0);
  for (int r = 0; r < m.forces; ++r)
    position += square(m.rows.row[static_cast<std::size_t>(r)].violation);
  // The angle itself, not the rows: they vanish again half a turn away.
  T angle(0.0);
  if (const auto* hinge = std::get_if<Hinge<T>>(&dock.constraint)) {
    const Vec3<T> carried = m.pair.R * hinge->axis;
    angle = atan2(norm(cross(hinge->axis, carried)), dot(hinge->axis, carried));
  } else if (m.count > m.forces) {
    angle = find_rotation_angle(m.pair.R);
  }
  return {sqrt(position), angle};
}

template <Scalar T>
LoadAxes<T> find_load_axes(const Model<T>& model, const Dock<T>& dock, const Motion<T>& motion) {
  if (!dock.loop) return {};
  const int b1 = dock.port_1.body, common = model.common_ancestor(b1, dock.port_2.body);
  const bool apart = common == kGround && !model.stands_on_ground(b1);
  if (apart) return {motion.body(b1).R_NB * dock.port_1.R_BP, "port 1"};
  return {motion.body(common).R_NB, model.names[static_cast<std::size_t>(common)]};
}

template <Scalar T>
int find_weldable_hub(const Model<T>& model, const Dock<T>& dock) {
  const int b1 = dock.port_1.body, b2 = dock.port_2.body;
  const auto is_free_hub = [&](int i) {
    return i != kGround && model.body(i).hub && model.body(i).joint == JointType::free;
  };
  if (is_free_hub(b2) && !model.hangs_on(b1, b2)) return b2;
  if (is_free_hub(b1) && !model.hangs_on(b2, b1)) return b1;
  return -1;
}

template <Scalar T>
void weld(Model<T>& model, const Dock<T>& dock) {
  const int b1 = dock.port_1.body, b2 = dock.port_2.body;
  const int hub = find_weldable_hub(model, dock);
  if (hub < 0)
    throw std::invalid_argument("dock " + dock.name +
                                ": cannot be fused: its craft are joined already, or neither port "
                                "is on a free hub; use exact");
  // B2 in B1, when mated.
  const Vec3<T> r = dock.port_1.r_PB_B + dock.arm - dock.R_12 * dock.port_2.r_PB_B;
  if (hub == b2) {
    model.weld(b2, b1, dock.R_12, r);
  } else {
    model.weld(b1, b2, transpose(dock.R_12), -transposed_times(dock.R_12, r));
  }
}

template <Scalar T>
void find_fused_loads(const System<T>& system, Workspace<T>& w) {
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<T>& dock = system.docks[k];
    if (!dock.engaged || dock.enforce != Enforce::fused) continue;
    const Model<T>& model = system.model;
    DockMotion<T>& m = w.docks[k];
    // The joint of the welded hub transmits it, about that hub's origin.
    const auto through = [&](int hub) {
      return find_joint_wrench(model, w.motion, w.articulated, hub);
    };
    const int b1 = dock.port_1.body, b2 = dock.port_2.body;
    if (model.body(b2).joint == JointType::fixed && model.body(b2).parent == b1) {
      m.wrench = shift(through(b2), -m.lever_2);
    } else {
      m.wrench = shift(-through(b1), -m.lever_1);
    }
  }
}

}  // namespace berth

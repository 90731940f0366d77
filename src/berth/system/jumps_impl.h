// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/math/rotation.h"
#include "berth/system/dynamics.h"
#include "berth/system/jumps.h"
#include "berth/system/kinematics.h"

namespace berth {

template <Scalar T>
void find_rows(const System<T>& system, const Mode<T>& mode, Workspace<T>& w) {
  // Articulated inertias at the present motion; loads do not matter.
  solve_accelerations<T>(system.model, w.motion, w.total, w.articulated, w.v_dot);
  find_row_matrix<T>(system, mode, w);
}

template <Scalar T>
void factor_rows(const System<T>& system, const Mode<T>& mode, Workspace<T>& w) {
  find_rows<T>(system, mode, w);
  factor_ldl(w.multipliers.S.data(), mode.rows.size());
}

template <Scalar T>
void displace(const Model<T>& model, std::span<const T> delta, std::span<T> q) {
  displace(model, delta.data(), 1.0, q.data(), quaternion_from_rotation_vector<T>);
}

// Newton with the matrix as it stands.
template <Scalar T>
void pull_positions(const System<T>& system, const T& t, std::span<T> x, const Mode<T>& mode,
                    Workspace<T>& w, int newton_steps) {
  std::vector<T> delta(w.v_dot.size(), T(0.0));
  for (int step = 0; step < newton_steps; ++step) {
    respond(system, mode, w, [&](const ActiveRow& at, const Row<T>& r) {
      return is_projected(system, at) ? -r.violation : T(0.0);
    });
    for_each_speed(system, mode, [&](std::size_t s) { delta[s] = w.response.v_dot[s]; });
    displace<T>(system.model, delta, x.first(static_cast<std::size_t>(w.layout.v)));
    motion_stage<T>(system, t, x, mode, w);
  }
}

template <Scalar T>
void add_response(const System<T>& system, const Mode<T>& mode, const Workspace<T>& w,
                  std::span<T> x) {
  for_each_speed(system, mode, [&](std::size_t s) {
    T& speed = x[static_cast<std::size_t>(w.layout.v) + s];
    speed = speed + w.response.v_dot[s];
  });
}

// Velocities: linear, so once is enough. An impulse along a normal brings its friction along.
template <Scalar T>
void pull_rates(const System<T>& system, std::span<T> x, const Mode<T>& mode, Workspace<T>& w) {
  if (mode.slides) find_row_matrix<T>(system, mode, w, true);
  respond(
      system, mode, w,
      [&](const ActiveRow& at, const Row<T>& r) {
        return is_projected(system, at) ? -r.rate : T(0.0);
      },
      mode.slides);
  add_response(system, mode, w, x);
}

template <Scalar T>
void stop_rows(const System<T>& system, const T& t, std::span<T> x, const Mode<T>& mode,
               Workspace<T>& w, std::span<Wrench<T>> impulses) {
  constexpr int passes = 2;  // the second takes off the rounding of the first
  for (int pass = 0; pass < passes; ++pass) {
    respond(system, mode, w, [](const ActiveRow&, const Row<T>& r) { return -r.rate; });
    for (std::size_t k = 0; k < impulses.size(); ++k) impulses[k] += w.docks[k].wrench;
    add_response(system, mode, w, x);
    motion_stage<T>(system, t, x, mode, w);
  }
}

template <Scalar T>
Group<T> find_group(const System<T>& system, const Mode<T>& mode, int dock,
                    const Motion<T>& motion) {
  const Model<T>& model = system.model;
  const auto roots = [&](int k) {
    const Closure<T>& c = closure_at(system, k);
    return std::array{model.root_of(c.port_1.body), model.root_of(c.port_2.body)};
  };
  // Roots that are reached over closures, one after the other.
  std::vector<char> in(model.bodies.size(), 0);
  for (const int root : roots(dock)) in[static_cast<std::size_t>(root)] = 1;
  for (bool grew = true; grew;) {
    grew = false;
    for_each_held(system, mode, [&](int k) {
      const auto [a, b] = roots(k);
      char &in_a = in[static_cast<std::size_t>(a)], &in_b = in[static_cast<std::size_t>(b)];
      grew |= in_a != in_b;
      in_a = in_b = in_a | in_b;
    });
  }
  Group<T> out;
  for (int i = 0; i < model.body_count(); ++i) {
    if (!in[static_cast<std::size_t>(i)]) continue;
    if (i == kGround || model.body(i).joint != JointType::free) return {};
    out.hubs.push_back(i);
  }
  const auto for_each_member = [&](auto&& f) {
    for (int i = 1; i < model.body_count(); ++i)
      if (in[static_cast<std::size_t>(model.root_of(i))]) f(model.body(i), motion.body(i));
  };
  for_each_member([&](const Body<T>& b, const BodyMotion<T>& m) {
    const Vec3<T> r = m.r_BN_N + m.r_CB_N, p = b.mass * m.velocity_at(m.r_CB_N);
    out.mass = out.mass + b.mass;
    out.r_CN_N += b.mass * r;
    out.linear_N += p;
    out.angular_N += m.I_C_N * m.omega_BN_N + cross(r, p);
  });
  out.r_CN_N = (1.0 / out.mass) * out.r_CN_N;
  for_each_member([&](const Body<T>& b, const BodyMotion<T>& m) {
    out.I_C_N += m.I_C_N + point_inertia(b.mass, m.r_BN_N + m.r_CB_N - out.r_CN_N);
  });
  return out;
}

template <Scalar T>
void restore_momentum(const System<T>& system, const Mode<T>& mode, int dock, const Group<T>& was,
                      const Motion<T>& motion, std::span<T> q, std::span<T> v) {
  const Group<T> now = find_group(system, mode, dock, motion);
  const Vec3<T> back = was.r_CN_N - now.r_CN_N;
  // Shifted back, its angular momentum is another one by back × p.
  const Vec3<T> linear = was.linear_N - now.linear_N;
  const Vec3<T> angular =
      was.angular_N - now.angular_N - cross(back, now.linear_N) - cross(was.r_CN_N, linear);
  const Vec3<T> turn = Sym3Factor<T>(now.I_C_N).solve(angular), shift = (1.0 / now.mass) * linear;
  const auto add = [](std::span<T> to, int at, const Vec3<T>& by) {
    for (int k = 0; k < 3; ++k) {
      T& number = to[static_cast<std::size_t>(at + k)];
      number = number + by[k];
    }
  };
  for (const int i : was.hubs) {
    const BodyMotion<T>& m = motion.body(i);
    const Body<T>& hub = system.model.body(i);
    add(q, hub.q, back);
    add(v, hub.v, shift + cross(turn, m.r_BN_N - now.r_CN_N));
    add(v, hub.v + 3, transposed_times(m.R_NB, turn));
  }
}

template <Scalar T>
void write_hub(const Model<T>& model, int hub, const Motion<T>& motion, std::span<T> q,
               std::span<T> v) {
  const BodyMotion<T>& m = motion.body(hub);
  const Quaternion<T> a = quaternion(m.R_NB);
  const Vec3<T> omega = transposed_times(m.R_NB, m.omega_BN_N);
  T* to = q.data() + model.body(hub).q;
  T* rate = v.data() + model.body(hub).v;
  for (int k = 0; k < 3; ++k) {
    to[k] = m.r_BN_N[k];
    rate[k] = m.v_BN_N[k];
    rate[3 + k] = omega[k];
  }
  to[3] = a.w, to[4] = a.x, to[5] = a.y, to[6] = a.z;
}

}  // namespace berth

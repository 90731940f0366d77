// SPDX-License-Identifier: Apache-2.0

// Docks as geometry: how far from mated, the craft they hold together as one body, freezing and cutting.

#include <cmath>

#include "berth/system/docks.h"

namespace berth {

Group find_group(const System<double>& system, const Mode<double>& mode, int dock,
                 const Motion<double>& motion) {
  const Model<double>& model = system.model;
  const auto roots = [&](int k) {
    const Closure<double>& c = closure_at(system, k);
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
  Group out;
  for (int i = 0; i < model.body_count(); ++i) {
    if (!in[static_cast<std::size_t>(i)]) continue;
    if (i == kGround || model.body(i).joint != JointType::free) return {};
    out.hubs.push_back(i);
  }
  const auto for_each_member = [&](auto&& f) {
    for (int i = 1; i < model.body_count(); ++i)
      if (in[static_cast<std::size_t>(model.root_of(i))]) f(model.body(i), motion.body(i));
  };
  for_each_member([&](const Body<double>& b, const BodyMotion<double>& m) {
    const Vec3<double> r = m.r_BN_N + m.r_CB_N, p = b.mass * m.velocity_at(m.r_CB_N);
    out.mass += b.mass;
    out.r_CN_N += b.mass * r;
    out.linear_N += p;
    out.angular_N += m.I_C_N * m.omega_BN_N + cross(r, p);
  });
  out.r_CN_N = (1 / out.mass) * out.r_CN_N;
  for_each_member([&](const Body<double>& b, const BodyMotion<double>& m) {
    out.I_C_N += m.I_C_N + point_inertia(b.mass, m.r_BN_N + m.r_CB_N - out.r_CN_N);
  });
  return out;
}

void restore_momentum(const System<double>& system, const Mode<double>& mode, int dock,
                      const Group& was, const Motion<double>& motion, std::span<double> q,
                      std::span<double> v) {
  const Group now = find_group(system, mode, dock, motion);
  const Vec3<double> back = was.r_CN_N - now.r_CN_N;
  // Shifted back, its angular momentum is another one by back × p.
  const Vec3<double> linear = was.linear_N - now.linear_N;
  const Vec3<double> angular =
      was.angular_N - now.angular_N - cross(back, now.linear_N) - cross(was.r_CN_N, linear);
  const Vec3<double> turn = Sym3Factor<double>(now.I_C_N).solve(angular),
                     shift = (1 / now.mass) * linear;
  for (const int i : was.hubs) {
    const BodyMotion<double>& m = motion.body(i);
    const Vec3<double> rate = shift + cross(turn, m.r_BN_N - now.r_CN_N);
    const Vec3<double> turn_B = transposed_times(m.R_NB, turn);
    for (int k = 0; k < 3; ++k) {
      q[static_cast<std::size_t>(system.model.body(i).q + k)] += back[k];
      v[static_cast<std::size_t>(system.model.body(i).v + k)] += rate[k];
      v[static_cast<std::size_t>(system.model.body(i).v + 3 + k)] += turn_B[k];
    }
  }
}

void lock_here(Dock<double>& dock, const PairMotion<double>& pair) {
  dock.arm = pair.d;
  dock.R_12 = pair.R * dock.R_12;
}

void cut(Model<double>& model, const Dock<double>& dock, const Motion<double>& motion,
         std::span<double> q, std::span<double> v) {
  const int b1 = dock.port_1.body, b2 = dock.port_2.body;
  const bool second = model.body(b2).joint == JointType::fixed && model.body(b2).parent == b1;
  const int hub = second ? b2 : b1;
  model.cut(hub);
  const BodyMotion<double>& m = motion.body(hub);
  const Quaternion<double> a = quaternion(m.R_NB);
  const Vec3<double> omega = transposed_times(m.R_NB, m.omega_BN_N);
  double* to = q.data() + model.body(hub).q;
  double* rate = v.data() + model.body(hub).v;
  for (int k = 0; k < 3; ++k) {
    to[k] = m.r_BN_N[k];
    rate[k] = m.v_BN_N[k];
    rate[3 + k] = omega[k];
  }
  to[3] = a.w, to[4] = a.x, to[5] = a.y, to[6] = a.z;
}

}  // namespace berth

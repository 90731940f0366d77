// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "berth/system/contacts.h"

namespace berth {

template <Scalar T>
Gradient<T> find_gap(const Contact<T>& contact, const Vec3<T>& p_S) {
  Gradient<T> gap;
  with_part(contact.surface, [&](const auto& s) { gap = s.find_gap(surface_point(p_S)); });
  return gap;
}

// Both parts of the force for a normal force f_n.
template <Scalar T>
ContactSignal<T> find_signal(const Contact<T>& contact, const ContactMotion<T>& m, const Grip& grip,
                             const T& f_n) {
  ContactSignal<T> out;
  if (!grip.touching) return out;
  out.normal = f_n;
  out.normal_N = f_n * (m.R_NS * m.n_S);
  with_part(contact.friction, [&](const auto& friction) {
    const T press = contact.adhesive ? abs(f_n) : -f_n;
    Vec3<T> f_S = friction.find_sliding_force(press, m.slip_S);
    if constexpr (std::remove_cvref_t<decltype(friction)>::sticks)
      if (grip.sticking)
        f_S =
            friction.find_sticking_force(find_law_stiffness(contact), m.stretch_S, m.n_S, m.slip_S);
    out.friction_N = m.R_NS * f_S;
  });
  return out;
}

template <Scalar T>
ContactMotion<T> find_contact_motion(const Contact<T>& contact, const Motion<T>& motion,
                                     const T* states, const Grip& grip) {
  ContactMotion<T> m;
  m.touching = grip.touching;
  const BodyMotion<T>&b1 = motion.body(contact.port_1.body), &b2 = motion.body(contact.port_2.body);
  const Mat3<T> R_NP = b1.R_NB * contact.port_1.R_BP;
  m.R_NS = b2.R_NB * contact.port_2.R_BP;
  const Vec3<T> r_S = b2.r_BN_N + b2.R_NB * contact.port_2.r_PB_B;
  m.centre_S = transposed_times(m.R_NS, (b1.r_BN_N + b1.R_NB * contact.port_1.r_PB_B) - r_S);
  T radius(0.0), length(0.0);
  with_part(contact.probe,
            [&](const auto& p) { radius = p.find_radius(), length = p.find_length(); });
  if (value(length) > 0) {
    const Vec3<T> back_S = -transposed_times(m.R_NS, R_NP.column_x());
    // The state moves this place, but to first order not the gap there: it may be kept.
    Plain<T> behind{};
    with_part(contact.surface,
              [&](const auto& s) { behind = s.find_deepest(m.centre_S, back_S, length); });
    m.centre_S += T(behind) * back_S;
  }

  // As it is.
  const Gradient<T> gap = find_gap(contact, m.centre_S);
  m.gap = gap.v - radius;
  m.n_N = m.R_NS * (-gap.d);
  const Vec3<T> r_Q = r_S + m.R_NS * (m.centre_S - radius * gap.d);
  m.lever_1 = r_Q - b1.r_BN_N;
  m.lever_2 = r_Q - b2.r_BN_N;
  m.v_N = b1.velocity_at(m.lever_1) - b2.velocity_at(m.lever_2);
  const T approach = dot(m.n_N, m.v_N);
  m.gap_rate = -approach;
  m.slip_N = m.v_N - approach * m.n_N;

  // As the robot has it.
  Vec3<T> p_S = m.centre_S, v_S;
  Gradient<T> seen = gap;
  if (contact.has_lag()) {
    const T* lag = states + (contact.lag_state() - contact.first_state);
    p_S = {lag[0], lag[1], lag[2]};
    v_S = {lag[3], lag[4], lag[5]};
    seen = find_gap(contact, p_S);
  } else {
    v_S = transposed_times(m.R_NS, m.v_N);
  }
  m.n_S = -seen.d;
  m.in.depth = radius - seen.v;
  m.in.rate = dot(m.n_S, v_S);
  m.in.n_P1 = transposed_times(R_NP, m.R_NS * m.n_S);
  m.slip_S = v_S - m.in.rate * m.n_S;
  if (contact.can_stick()) {
    const T* s = states + (contact.slip_state() - contact.first_state);
    m.stretch_S = {s[0], s[1], s[2]};
    if (grip.touching && grip.sticking) m.stretch_rate_S = m.slip_S;
  }
  with_part(contact.law, [&](const auto& law) { m.law_force = law.find_force(m.in); });
  m.raw = m.signal = find_signal(contact, m, grip, m.law_force);
  if (contact.has_filter()) {
    const T* f = states + (contact.filter_state() - contact.first_state);
    m.signal = {f[0], {f[1], f[2], f[3]}, {f[4], f[5], f[6]}};
  }
  return m;
}

template <Scalar T>
ContactSignal<T> find_model_signal(const Contact<T>& contact, const ContactMotion<T>& m,
                                   const Grip& grip) {
  T f(0.0);
  with_part(contact.compensation, [&](const auto& compensation) {
    if constexpr (std::remove_cvref_t<decltype(compensation)>::has_model)
      f = compensation.find_force(m.in);
  });
  // At f = 0 with the slopes of f: there a loop is linearised.
  return find_signal(contact, m, grip, contact.adhesive ? f : select(f > T(0.0), T(0.0), f));
}

template <Scalar T>
void start_contacts(const System<T>& system, std::span<T> x) {
  const Layout at = system.layout();
  for (const Contact<T>& c : system.contacts) {
    if (!c.has_lag()) continue;
    Motion<T> motion;
    motion.bodies.resize(system.model.bodies.size());
    find_motion<T>(system.model, x.first(static_cast<std::size_t>(at.v)),
                   x.subspan(static_cast<std::size_t>(at.v), static_cast<std::size_t>(at.z - at.v)),
                   motion);
    T* states = x.data() + at.contacts + c.first_state;
    const ContactMotion<T> m = find_contact_motion(c, motion, states, Grip{});
    write_vector(states + 2, m.centre_S);
    write_vector(states + 5, transposed_times(m.R_NS, m.v_N));
  }
}

template <Scalar T>
void find_contact(const System<T>& system, std::span<const T> x, const Mode<T>& mode, std::size_t k,
                  Workspace<T>& w) {
  const Contact<T>& c = system.contacts[k];
  const T* states = x.data() + w.layout.contacts + c.first_state;
  w.contacts[k] = find_contact_motion(c, w.motion, states, mode.contacts[k].now);
  ContactMotion<T>& m = w.contacts[k];
  const Grip& now = mode.contacts[k].now;
  if (mode.contacts[k].given) {
    m.signal = mode.contacts[k].held;
    m.normal_N = m.signal.normal_N;
    m.friction_N = m.signal.friction_N;  // what a compensation adds
    m.torque_N = mode.contacts[k].torque;
    m.spin_N = w.motion.body(c.port_1.body).omega_BN_N - w.motion.body(c.port_2.body).omega_BN_N;
    return;
  }
  ContactSignal<T> fed = m.signal;
  if (c.is_sampled()) fed = mode.contacts[k].held;
  if (c.is_delayed()) fed = has_model(c) ? find_model_signal(c, m, now) : w.arriving[k];
  if (c.biased) {
    const Vec3<T> bias_N = m.R_NS * c.bias;
    fed.normal += dot(m.n_N, bias_N);
    fed.normal_N += bias_N;
  }
  m.normal_N = fed.normal_N;
  m.friction_N = fed.friction_N;
  if (!c.along_normal || c.is_ideal()) return;
  m.normal_N = fed.normal * m.n_N;
  if (!c.is_sampled()) m.friction_N = {};
  with_part(c.friction, [&](const auto& friction) {
    m.friction_N += friction.find_sliding_force(abs(fed.normal), m.slip_N);
  });
}

template <Scalar T>
void contact_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w) {
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    if (w.sees_idle || !is_idle(system.contacts[k], mode.contacts[k])) {
      find_contact(system, x, mode, k, w);
    } else {
      w.contacts[k] = {};
    }
  }
}

template <Scalar T>
void push_contacts(const System<T>& system, Workspace<T>& w) {
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const ContactMotion<T>& m = w.contacts[k];
    w.internal.add_force_at(system.contacts[k].port_1.body, m.lever_1, m.force_N());
    w.internal.add_force_at(system.contacts[k].port_2.body, m.lever_2, -m.force_N());
    if (!system.contacts[k].external) continue;
    w.internal.body(system.contacts[k].port_1.body).torque += m.torque_N;
    w.internal.body(system.contacts[k].port_2.body).torque -= m.torque_N;
  }
}

template <Scalar T>
void find_contact_rates(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                        T* out) {
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const Contact<T>& c = system.contacts[k];
    const ContactMotion<T>& m = w.contacts[k];
    const T* states = x.data() + w.layout.contacts + c.first_state;
    T* rate = out + c.first_state;
    rate[0] = dot(m.normal_N, m.v_N);
    rate[1] = dot(m.friction_N, m.v_N) + dot(m.torque_N, m.spin_N);
    if (c.has_lag()) {
      const T* lag = states + 2;
      const T& omega = c.robot_frequency;
      for (int i = 0; i < 3; ++i) {
        rate[2 + i] = lag[3 + i];
        rate[5 + i] =
            square(omega) * (m.centre_S[i] - lag[i]) - 2.0 * c.robot_damping * omega * lag[3 + i];
      }
    }
    if (c.has_filter()) {
      const ContactSignal<T>& in = m.raw;
      const T* state = x.data() + w.layout.contacts + c.filter_state();
      T* to = out + c.filter_state();
      const T now[7] = {in.normal,       in.normal_N.x,   in.normal_N.y,  in.normal_N.z,
                        in.friction_N.x, in.friction_N.y, in.friction_N.z};
      for (int i = 0; i < 7; ++i) to[i] = (now[i] - state[i]) / c.filter_time;
    }
    if (c.can_stick()) write_vector(out + c.slip_state(), m.stretch_rate_S);
  }
  for (std::size_t k = 0; k < system.rests.size(); ++k) {
    const auto contact = static_cast<std::size_t>(system.rests[k].contact);
    out[system.contacts[contact].first_state + 1] = w.rests[k].power;
  }
}

template <Scalar T>
T find_press_margin(const Contact<T>& contact, const ContactMotion<T>& m) {
  T margin(0.0);
  with_part(contact.law, [&](const auto& law) { margin = law.find_press(m.in, m.law_force); });
  return margin;
}

template <Scalar T>
T find_stick_margin(const Contact<T>& contact, const ContactMotion<T>& m, const Grip& grip) {
  T margin(1.0);
  with_part(contact.friction, [&](const auto& friction) {
    if constexpr (std::remove_cvref_t<decltype(friction)>::sticks)
      if (grip.touching)
        margin = grip.sticking ? friction.find_sticking_margin(m.law_force, m.raw.friction_N)
                               : friction.find_sliding_margin(m.slip_S);
  });
  return margin;
}

}  // namespace berth

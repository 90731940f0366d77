// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contacts in the equations of motion.
//
//   find_contact_motion   poses, rates => gap, normal, slip, f_n and the signal of one contact
//   contact_stage         the same for all, and the forces that are fed back
//   push_contacts         those => effort
//   find_contact_rates    => rates of work, lag, filter and slip
//
// A continuous delayed force is no function of the state: the run interpolates it from the past and
// leaves it in Workspace::arriving before the derivative is asked for.

#include "berth/system/system.h"

namespace berth {

// Lags start where the probe is.
template <Scalar T>
void start_contacts(const System<T>& system, std::span<T> x);

// `states` are those of this contact: work, lag, filter, slip.
template <Scalar T>
ContactMotion<T> find_contact_motion(const Contact<T>& contact, const Motion<T>& motion,
                                     const T* states, const Grip& grip);

// A contact that pushes nothing whatever the state: open, and no loop in which a force may be on its
// way; an impact.
template <Scalar T>
bool is_idle(const Contact<T>& c, const ContactMode<T>& mode) {
  return c.is_impact() || (!mode.now.touching && !c.external && c.is_ideal());
}

// [N/m] of the law.
template <Scalar T>
T find_law_stiffness(const Contact<T>& contact) {
  T k(0.0);
  with_part(contact.law, [&](const auto& law) { k = law.find_stiffness(); });
  return k;
}

// Whether what a compensation knows takes the place of what was measured, and that.
template <Scalar T>
bool has_model(const Contact<T>& contact) {
  bool found = false;
  with_part(contact.compensation, [&](const auto& c) { found = c.has_model; });
  return found;
}
template <Scalar T>
ContactSignal<T> find_model_signal(const Contact<T>& contact, const ContactMotion<T>& m,
                                   const Grip& grip);

template <Scalar T>
void contact_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w);
template <Scalar T>
void push_contacts(const System<T>& system, Workspace<T>& w);
template <Scalar T>
void find_contact_rates(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                        T* out);

// [m/s] The gap changes no faster: gaps are 1-Lipschitz, and this no point of the probe exceeds.
template <Scalar T>
T find_speed_bound(const Contact<T>& contact, const Motion<T>& motion, const ContactMotion<T>& m) {
  const Vec3<T> turn =
      motion.body(contact.port_1.body).omega_BN_N - motion.body(contact.port_2.body).omega_BN_N;
  T length(0.0);
  with_part(contact.probe, [&](const auto& p) { length = p.find_length(); });
  return norm(m.v_N) + norm(turn) * (length + 2.0 * find_radius(contact));
}

// --- between steps, in double --------------------------------------------------------------------

// The contact as it would be without a facility: no lag, filter, samples, delay or compensation.
Contact<double> without_loop(Contact<double> contact);

// ≥ 0 while the law pushes apart: with a depth ≥ 0, (1) of contact.h.
template <Scalar T>
T find_press_margin(const Contact<T>& contact, const ContactMotion<T>& m);
// Of `stick`: ≥ 0 while it goes on sliding, or sticking.
template <Scalar T>
T find_stick_margin(const Contact<T>& contact, const ContactMotion<T>& m, const Grip& grip);
// s as sticking begins, after friction has taken so much [J] since the touch.
Vec3<double> find_first_slip(const Contact<double>& contact, const ContactMotion<double>& m,
                             double taken);

}  // namespace berth

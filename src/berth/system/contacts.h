// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contacts in the equations of motion.
//
//   find_contact_motion   poses, rates => gap, normal, slip, f_n and the signal of one contact
//   contact_stage         the same for all, and the forces that are fed back
//   push_contacts         those => effort
//   find_contact_rates    => rates of work, lag and filter
//
// A continuous delayed force is no function of the state: the driver looks it up in the past and
// leaves it in Workspace::arriving before the derivative is asked for.

#include "berth/system/system.h"

namespace berth {

// Contacts open and close at times of their own: simulations side by side in a Pack cannot share a
// mode, and have none.
template <Scalar T>
inline constexpr bool has_contacts = lanes<T> == 1;

// Lags start where the probe is.
template <Scalar T>
void start_contacts(const System<T>& system, std::span<T> x);

// `states` are those of this contact: work, lag, filter.
template <Scalar T>
ContactMotion<T> find_contact_motion(const Contact<T>& contact, const Motion<T>& motion,
                                     const T* states, const Grip& grip);

// What the model of a compensation says, which takes the place of what was measured.
template <Scalar T>
bool has_model(const Contact<T>& contact) {
  return std::holds_alternative<ModelCompensation<T>>(contact.compensation);
}
template <Scalar T>
ContactSignal<T> find_model_signal(const Contact<T>& contact, const ContactMotion<T>& m,
                                   const Grip& grip);

// [N/m], [N·s/m] of the anchor of `stick`.
template <Scalar T>
T find_grip_stiffness(const Contact<T>& contact) {
  T k(0.0);
  const auto look = [&](const auto* law) {
    if (law) k = law->stiffness;
  };
  look(std::get_if<SpringDashpot<T>>(&contact.law));
  look(std::get_if<ComplianceDevice<T>>(&contact.law));
  look(std::get_if<HuntCrossley<T>>(&contact.law));
  const auto* s = std::get_if<Stick<T>>(&contact.friction);
  return s && value(s->stiffness) > 0 ? s->stiffness : k;
}
template <Scalar T>
T find_grip_damping(const Contact<T>& contact) {
  const auto* s = std::get_if<Stick<T>>(&contact.friction);
  return s && value(s->damping) > 0 ? s->damping : T(0.02 * find_grip_stiffness(contact));
}

template <Scalar T>
void contact_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w);
template <Scalar T>
void push_contacts(const System<T>& system, Workspace<T>& w);
template <Scalar T>
void find_contact_rates(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                        T* out);

// --- between steps, in double --------------------------------------------------------------------

// The contact as it would be without a facility: no lag, filter, samples, delay or compensation.
Contact<double> without_loop(Contact<double> contact);

// ≥ 0 while the law pushes apart: with a depth ≥ 0, (1) of contact.h.
double find_press_margin(const Contact<double>& contact, const ContactMotion<double>& m);
// Of `stick`: ≥ 0 while it goes on sliding, or sticking.
double find_stick_margin(const Contact<double>& contact, const ContactMotion<double>& m,
                         const Grip& grip);
bool can_stick(const Contact<double>& contact);
template <Scalar T>
ContactSignal<T> operator+(const ContactSignal<T>& a, const ContactSignal<T>& b) {
  return {a.normal + b.normal, a.normal_N + b.normal_N, a.friction_N + b.friction_N};
}
template <Scalar T>
ContactSignal<T> operator-(const ContactSignal<T>& a, const ContactSignal<T>& b) {
  return {a.normal - b.normal, a.normal_N - b.normal_N, a.friction_N - b.friction_N};
}
template <Scalar T>
ContactSignal<T> operator*(const T& s, const ContactSignal<T>& a) {
  return {s * a.normal, s * a.normal_N, s * a.friction_N};
}

}  // namespace berth

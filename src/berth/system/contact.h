// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contact — a probe on one port against a surface on another, a force law, friction, and the loop of
// a facility that feeds the force back late.
//
//   gap > 0 free; depth d = −gap, normal n̂ into the wall, f_n < 0 pushes apart
//   active  while d > 0 (adhesive), while d > 0 and f_n ≤ 0 (repulsive), once touched (bilateral)   (1)
//
// The loop, each stage absent when its number is zero:
//
//   probe against surface → robot lag → law, friction → sensor filter → samples → delay → both bodies
//
// `feedback` vector: the force comes back as the inertial vector it was; normal: the scalar f_n comes
// back and acts along the normal of now. Forces act on body 1 and, reversed, on body 2 at the point
// where the probe is now: a pair keeps its momentum whatever the loop does. A biased force sensor adds
// to what comes back, touching or not.

#include <cstdint>
#include <string>

#include "berth/contact/list.h"
#include "berth/model/lift.h"
#include "berth/model/model.h"
#include "berth/model/motion.h"

namespace berth {

template <Scalar T>
struct Contact {
  std::string name;
  std::string owner;  // whose corner it is, where a polygon was expanded into several; else empty
  int corner = 0;     // which, from 1
  Port<T> port_1, port_2;
  typename VariantOf<Probes<T>>::type probe;
  typename VariantOf<Surfaces<T>>::type surface;
  typename VariantOf<ContactLaws<T>>::type law;
  typename VariantOf<Frictions<T>>::type friction;
  typename VariantOf<Compensations<T>>::type compensation;
  bool adhesive = false;      // release = "adhesive" or "bilateral"
  bool bilateral = false;     // release = "bilateral"
  bool along_normal = false;  // feedback = "normal"
  double delay = 0;           // [s]
  double sample_time = 0;     // [s]; 0 = continuous
  double jitter = 0;          // [s] at most, on top of the delay of each sample
  std::uint64_t seed = 0;
  T robot_frequency{}, robot_damping{1.0};     // [rad/s], - of the lag; 0 = none
  T filter_time{};                             // [s] of the filter; 0 = none
  int first_state = 0;                         // in the block of the contacts
  bool external = false;                       // an external may give its force (external.h)
  double given_period = 0, given_latency = 0;  // [s] its samples, and how late they act
  // As events have left the force sensor: what it adds to the force that is fed back [N], axes of the
  // surface's port.
  bool biased = false;
  Vec3<T> bias;

  // The contact of the scenario.
  const std::string& report_name() const { return owner.empty() ? name : owner; }
  // [s] From sample to sample of the force that is fed back, and how late it is, whoever measures it.
  double feedback_period() const { return external ? given_period : sample_time; }
  double feedback_delay() const { return external ? given_latency : delay; }
  bool is_impact() const { return std::holds_alternative<Impact<T>>(law); }
  bool has_lag() const { return value(robot_frequency) > 0; }
  bool has_filter() const { return value(filter_time) > 0; }
  bool is_sampled() const { return sample_time > 0; }
  bool is_delayed() const { return delay > 0 && !is_sampled(); }
  bool is_ideal() const { return !(delay > 0) && !is_sampled() && !has_lag() && !has_filter(); }
  bool can_stick() const {
    bool sticks = false;
    with_part(friction, [&](const auto& f) { sticks = f.sticks; });
    return sticks;
  }
  // Work of the normal and of the friction force; lag: point and velocity; filter: a signal; slip of
  // friction that sticks, axes of the surface's port.
  int lag_state() const { return first_state + 2; }
  int filter_state() const { return lag_state() + (has_lag() ? 6 : 0); }
  int slip_state() const { return filter_state() + (has_filter() ? 7 : 0); }
  int state_count() const { return slip_state() + (can_stick() ? 3 : 0) - first_state; }
};

template <Scalar T>
T find_radius(const Contact<T>& contact) {
  return std::visit([](const auto& p) { return p.find_radius(); }, contact.probe);
}

// Which piece of its laws a contact is on.
struct Grip {
  bool touching = false;
  bool sticking = false;

  bool operator==(const Grip&) const = default;
};

template <Scalar T>
struct ContactMode {
  Grip now, then;         // at t, and at t − delay
  ContactSignal<T> held;  // sampled: what was fed back last; given: what was commanded last
  // Of an impact at rest (rest.h): friction acts against its sliding; the heading, axes of body 2; and
  // what pressed it on where its friction was last judged [N].
  bool sliding = false;
  Vec3<T> heading;
  double press = 0;
  // Its force comes from an external, not from its law, and a torque beside it [N·m], N axes.
  bool given = false;
  Vec3<T> torque;
};

// One contact at one instant.
template <Scalar T>
struct ContactMotion {
  Mat3<T> R_NS;              // axes of the surface's port
  Vec3<T> centre_S;          // [m] of the probe where it is deepest
  Vec3<T> lever_1, lever_2;  // [m] the point from the origins of both bodies, N axes
  Vec3<T> v_N;               // [m/s] of the probe's point against the surface's
  Vec3<T> n_N, slip_N;       // normal into the wall and sliding velocity, as they are
  T gap{}, gap_rate{};       // [m], [m/s] as they are
  // As the robot has them: after its lag.
  Penetration<T> in;
  Vec3<T> n_S, slip_S;
  Vec3<T> stretch_S, stretch_rate_S;  // [m], [m/s] s of friction that sticks
  T law_force{};                      // [N] f_n of the law, active or not
  ContactSignal<T> raw, signal;       // as the law gives it, as it leaves the sensor
  Vec3<T> normal_N, friction_N;       // [N] on body 1
  Vec3<T> torque_N, spin_N;           // [N·m] on it, [rad/s] of it against body 2; of a given one
  bool touching = false;

  Vec3<T> force_N() const { return normal_N + friction_N; }
  T power() const { return dot(force_N(), v_N) + dot(torque_N, spin_N); }
};

}  // namespace berth

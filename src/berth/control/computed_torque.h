// SPDX-License-Identifier: Apache-2.0
#pragma once

// ComputedTorque — the motor efforts that make driven joints follow their references qᵣ(t).
//
//   q̈ = q̈ᵣ + 2ζω (q̇ᵣ − q̇) + ω² (qᵣ − q)          wanted, per joint                          (1)
//
// The efforts are found on the true model, everything else (the floating hub, panels, springs)
// moving as it will: the articulated-body recursion with these accelerations prescribed. The motors'
// own limits then apply.

#include "berth/control/driven_joints.h"

namespace berth {

template <Scalar T>
struct ComputedTorque : ControlPart {
  static constexpr std::string_view type = "computed_torque";
  static constexpr bool prescribes_accelerations = true;

  std::vector<JointRef> joints;
  T frequency = 1.0;      // ω
  T damping_ratio = 1.0;  // ζ
  std::vector<Profile<T>> reference;
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using P = ComputedTorque;
    return Schema{
        Field{"joints", &P::joints, unit::none, Range::any, "joints to drive", required},
        Field{"frequency", &P::frequency, unit::rad_per_s, Range::positive,
              "bandwidth of the error", required},
        Field{"damping_ratio", &P::damping_ratio, unit::none, Range::not_negative,
              "damping ratio of the error"},
        Field{"reference", &P::reference, unit::rad, Range::any,
              "wanted angle of each joint; or give a task"},
        Field{"sample_time", &P::sample_time, unit::second, Range::period,
              "controller period; 0 = continuous"},
        Field{"latency", &P::latency, unit::second, Range::not_negative,
              "from measurement to actuation", of_samples},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    check_latency(latency, sample_time, findings);
    DrivenJoints<T>::check(joints, reference, findings);
  }
  void bind(const Model<T>& model, Findings&) { driven.bind(model, joints); }
  std::span<const JointRef> driven_joints() const { return joints; }
  void set_references(const std::vector<Profile<T>>& wanted) { reference = wanted; }

  int output_count() const { return static_cast<int>(joints.size()); }
  // (1): the wanted accelerations; the system turns them into motor efforts.
  void find_accelerations(const Instant<T>& now, T* out) const {
    for (std::size_t i = 0; i < driven.at.size(); ++i) {
      const auto want = reference[i].at(now.motion.t, now.motion.t_from);
      out[i] = want.acceleration +
               2.0 * damping_ratio * frequency * (want.rate - now.v(driven.at[i].v)) +
               square(frequency) * (want.value - now.q(driven.at[i].q));
    }
  }
  void apply(const T* out, Command<T>& command) const {
    for (std::size_t i = 0; i < driven.at.size(); ++i)
      command.joint[static_cast<std::size_t>(driven.at[i].v)] += out[i];
  }
  template <class Emit>
  void channels(const Instant<T>& now, const T* out, Emit&& f) const {
    driven.channels(now, reference, out, f);
  }
  void add_times(std::vector<double>& times) const {
    for (const Profile<T>& p : reference) p.add_times(times);
  }

  DrivenJoints<T> driven;
};

}  // namespace berth

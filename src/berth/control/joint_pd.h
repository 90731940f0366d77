// SPDX-License-Identifier: Apache-2.0
#pragma once

// JointPd — proportional–derivative control of motor-driven joints, each with a reference qᵣ(t).
//
//   u = k (qᵣ − q) + c (q̇ᵣ − q̇)          motor effort, per joint                               (1)

#include "berth/control/driven_joints.h"

namespace berth {

template <Scalar T>
struct JointPd : ControlPart {
  static constexpr std::string_view type = "joint_pd";

  std::vector<JointRef> joints;
  T stiffness{}, damping{};
  std::vector<Profile<T>> reference;
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using P = JointPd;
    return Schema{
        Field{"joints", &P::joints, unit::none, Range::any, "joints to drive", required},
        Field{"stiffness", &P::stiffness, unit::N_m_per_rad, Range::not_negative,
              "gain on the angle error", required},
        Field{"damping", &P::damping, unit::N_m_s_per_rad, Range::not_negative,
              "gain on the rate error", required},
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
  void find_output(const Instant<T>& now, const T*, T* out) const {  // (1)
    for (std::size_t i = 0; i < driven.at.size(); ++i) {
      const auto want = reference[i].at(now.motion.t, now.motion.t_from);
      out[i] = stiffness * (want.value - now.q(driven.at[i].q)) +
               damping * (want.rate - now.v(driven.at[i].v));
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

// JointEffort — efforts of motors over time, without feedback: the torque of a wheel, a test signal.
//
//   u = uᵣ(t)          motor effort, per joint                                                 (1)

#include "berth/control/control_part.h"

namespace berth {

template <Scalar T>
struct JointEffort : ControlPart {
  static constexpr std::string_view type = "joint_effort";

  std::vector<JointRef> joints;
  std::vector<Profile<T>> effort;
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using P = JointEffort;
    return Schema{
        Field{"joints", &P::joints, unit::none, Range::any, "joints to drive", required},
        Field{"effort", &P::effort, unit::N_m, Range::any,
              "of each joint over time; N of a prismatic joint", required},
        Field{"sample_time", &P::sample_time, unit::second, Range::period,
              "controller period; 0 = continuous"},
        Field{"latency", &P::latency, unit::second, Range::not_negative, "from sample to actuation",
              of_samples},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    check_latency(latency, sample_time, findings);
    if (joints.empty()) findings.add("joints", "needs at least one joint");
    if (joints.size() != effort.size())
      findings.add("effort", "needs one profile per joint: " + std::to_string(joints.size()) +
                                 ", not " + std::to_string(effort.size()));
  }
  void bind(const Model<T>& model, Findings&) {
    speeds.clear();
    for (const JointRef& joint : joints) speeds.push_back(model.body(joint.index).v);
  }

  int output_count() const { return static_cast<int>(joints.size()); }
  void find_output(const Instant<T>& now, const T*, T* out) const {  // (1)
    for (std::size_t i = 0; i < effort.size(); ++i)
      out[i] = effort[i].at(now.motion.t, now.motion.t_from).value;
  }
  void apply(const T* out, Command<T>& command) const {
    for (std::size_t i = 0; i < speeds.size(); ++i)
      command.joint[static_cast<std::size_t>(speeds[i])] += out[i];
  }
  template <class Emit>
  void channels(const Instant<T>& now, const T* out, Emit&& f) const {
    f("power", unit::watt, "", "of the efforts on the moving joints", Kind::smooth, Needs::loads,
      [&] {
        T power(0.0);
        for (std::size_t i = 0; i < speeds.size(); ++i) power += out[i] * now.v(speeds[i]);
        return power;
      });
  }
  void add_times(std::vector<double>& times) const {
    for (const Profile<T>& p : effort) p.add_times(times);
  }

  std::vector<int> speeds;
};

}  // namespace berth

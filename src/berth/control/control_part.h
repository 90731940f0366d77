// SPDX-License-Identifier: Apache-2.0
#pragma once

// ControlPart — what every controller states, and what most have nothing to say about.
//
//   state_count, find_state_rate, limit_state   integral states z; a sampled one moves in steps and is
//                                               held within its limits after each
//   prescribes_accelerations                    its output are accelerations of joints: the system
//                                               turns them into efforts (computed_torque.h)
//   pushed_body, thruster_set                   body that feels its wrench, and the set that is asked
//                                               for it; -1 = none
//   pushes_from_outside                         that wrench comes from no actuator
//   asks_levels                                 it asks for levels of single thrusters
//   asks_outside                                its output comes from outside (external.h)
//   driven_joints, set_references               joints it drives: they take a task
//   connect                                     finds the readings of the sensors it names: find(sensor,
//                                               "position", findings) gives a Sensed, or a finding

#include <span>

#include "berth/control/profile.h"
#include "berth/model/findings.h"

namespace berth {

// A vector among the readings of all sensors.
struct Sensed {
  int first = -1;
  std::string axes;
};

struct ControlPart : NamedPart {
  static constexpr bool prescribes_accelerations = false;
  static constexpr bool asks_outside = false;

  int state_count() const { return 0; }
  void find_state_rate(const auto&, const auto*, auto*) const {}
  void limit_state(auto*) const {}
  int pushed_body() const { return -1; }
  int thruster_set() const { return -1; }
  bool pushes_from_outside() const { return false; }
  bool asks_levels() const { return false; }
  std::span<const JointRef> driven_joints() const { return {}; }
  void set_references(const auto&) {}
  void connect(const auto&, Findings&) {}

 protected:
  static void check_latency(double latency, double sample_time, Findings& findings) {
    if (latency > 0 && !(sample_time > 0))
      findings.add("latency", shown(latency) + " s needs a sample_time");
  }
};

}  // namespace berth

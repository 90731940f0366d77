// SPDX-License-Identifier: Apache-2.0
#pragma once

// A scenario whose contact force comes from a facility, as one that has the facility in it: the external is
// taken out, and what it does to the force becomes the loop of the contact itself (system/contact.h). So it
// can be run, swept and analysed without a laboratory.

#include <optional>

#include "berth/scenario/scenario.h"

namespace berth {

struct LoopBlock {
  double delay = 0;            // [s] from measurement to action
  double sample_time = 0;      // [s]
  double jitter = 0;           // [s]
  double robot_frequency = 0;  // [rad/s]
  double robot_damping = 1;
  double filter_time = 0;                              // [s]
  std::optional<double> stiffness, damping, friction;  // of the mock-ups, where they are known
};

// That of the external that gives the force of a contact, with what [facility] says; nothing: none does.
std::optional<LoopBlock> find_loop_block(const Scenario& scenario, const std::string& contact);
// The first contact whose force is given; empty: none.
std::string find_given_contact_name(const Scenario& scenario);

Scenario close_loop(Scenario scenario, const std::string& contact, const LoopBlock& loop);

}  // namespace berth

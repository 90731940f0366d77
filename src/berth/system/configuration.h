// SPDX-License-Identifier: Apache-2.0
#pragma once

// Configuration — what events have made of a system: everything in it that a run changes.
//
//   hubs    welded to another body and where, or free
//   docks   joined or open, how they are enforced, the pose they hold, whether they latch late
//   parts   of controllers, forces and sensors: switched on or off, references
//   valves  of thrusters: which are stuck
//   contacts   the bias of their force sensors
//
// All the rest of a System is as the scenario has it.

#include <span>
#include <vector>

#include "berth/system/system.h"

namespace berth {

struct Weld {
  bool welded = false;
  int parent = kGround;
  Mat3<double> R_PF;
  Vec3<double> r_FP_P;  // [m]
};

struct DockSetting {
  bool engaged = false;
  Enforce enforce = Enforce::exact;
  Vec3<double> arm;  // [m]
  Mat3<double> R_12;
  double latch_delay = 0;  // [s]
};

struct ContactSetting {
  bool biased = false;
  Vec3<double> bias;  // [N]
};

struct PartSetting {
  bool enabled = true;
  std::vector<Profile<double>> reference;
};

struct Configuration {
  std::vector<Weld> hubs;                  // in the order of bodies
  std::vector<DockSetting> docks;          // in the order of docks
  std::vector<PartSetting> parts;          // that have names: controllers, forces, sensors
  std::vector<std::vector<Valve>> valves;  // of each thruster set
  std::vector<ContactSetting> contacts;    // in the order of contacts
};

Configuration find_configuration(const System<double>& system);
// Throws std::invalid_argument when it is none of this system.
void set_configuration(System<double>& system, const Configuration& configuration);

// Of the hubs alone.
std::vector<Weld> find_welds(const Model<double>& model);
void set_welds(Model<double>& model, std::span<const Weld> hubs);

// What a controller follows: its input that is a profile, or several; nothing where a part follows
// nothing.
template <class Part>
auto references_of(Part& part) {
  using P = std::conditional_t<std::is_const_v<Part>, const Profile<double>, Profile<double>>;
  std::span<P> found;
  for_each_field(part, [&](const auto&, auto& input) {
    using Input = std::remove_cvref_t<decltype(input)>;
    if constexpr (std::same_as<Input, Profile<double>>) found = std::span<P>(&input, 1);
    if constexpr (std::same_as<Input, std::vector<Profile<double>>>) found = input;
  });
  return found;
}

// Calls f(part) for every controller, force and sensor that events may name.
template <class S, class F>
void for_each_named_part(S& system, F&& f) {
  const auto offer = [&](auto& part) {
    if constexpr (std::remove_cvref_t<decltype(part)>::is_named) f(part);
  };
  for_each_part(system.controls, offer);
  for_each_part(system.forces, offer);
  for_each_part(system.sensors, offer);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/export/plant_signals.h"

#include <initializer_list>

#include <fmt/format.h>

namespace berth {
namespace {

using Signals = std::vector<PlantSignal>;

void add_number(Signals& to, const std::string& name, const Unit& u) {
  to.push_back({name, std::string(u.symbol)});
}
void add_vector(Signals& to, const std::string& name, const Unit& u) {
  for (const char axis : {'x', 'y', 'z'}) add_number(to, fmt::format("{}.{}", name, axis), u);
}
void add_quaternion(Signals& to, const std::string& name) {
  for (const char part : {'w', 'x', 'y', 'z'})
    add_number(to, fmt::format("{}.{}", name, part), unit::none);
}
void add_numbered(Signals& to, const std::string& name, int count) {
  for (int k = 1; k <= count; ++k) add_number(to, fmt::format("{}{}", name, k), unit::none);
}
void add_signal(Signals& to, const std::string& name) {
  add_number(to, name + ".normal", unit::newton);
  add_vector(to, name + ".normal_N", unit::newton);
  add_vector(to, name + ".friction_N", unit::newton);
}

// Coordinates, or speeds. A hub that is welded has its places in x for ever.
void add_joint(Signals& to, const std::string& name, JointType joint, bool speeds) {
  switch (joint) {
    case JointType::free:
      if (speeds) {
        add_vector(to, name + ".v_BC_N", unit::m_per_s);
        add_vector(to, name + ".omega_BN_B", unit::rad_per_s);
      } else {
        add_vector(to, name + ".r_BC_N", unit::metre);
        add_quaternion(to, name + ".quaternion_BN");
      }
      break;
    case JointType::spherical:
      if (speeds) {
        add_vector(to, name + ".omega_BF_B", unit::rad_per_s);
      } else {
        add_quaternion(to, name + ".quaternion_BF");
      }
      break;
    case JointType::planar: {
      const std::string pose = name + (speeds ? ".pose_rate" : ".pose");
      add_number(to, pose + ".x", speeds ? unit::m_per_s : unit::metre);
      add_number(to, pose + ".y", speeds ? unit::m_per_s : unit::metre);
      add_number(to, pose + ".z", speeds ? unit::rad_per_s : unit::rad);
      break;
    }
    case JointType::revolute:
      add_number(to, name + (speeds ? ".rate" : ".angle"), speeds ? unit::rad_per_s : unit::rad);
      break;
    case JointType::prismatic:
      add_number(to, name + (speeds ? ".speed" : ".travel"), speeds ? unit::m_per_s : unit::metre);
      break;
    case JointType::fixed: break;
  }
}

}  // namespace

std::vector<PlantSignal> list_plant_states(const System<double>& system) {
  Signals out;
  const Model<double>& model = system.model;
  for (const bool speeds : {false, true})
    for (int i = 1; i < model.body_count(); ++i) {
      const Body<double>& b = model.body(i);
      add_joint(out, model.names[static_cast<std::size_t>(i)], b.hub ? JointType::free : b.joint,
                speeds);
    }
  for_each_part(system.controls,
                [&](const auto& c) { add_numbered(out, c.name + ".state", c.state_count()); });
  for_each_part(system.sensors,
                [&](const auto& s) { add_numbered(out, s.name + ".state", s.state_count()); });
  for (const Dock<double>& d : system.docks)
    if (d.first_state >= 0) add_numbered(out, d.name + ".integral", d.row_count());
  for (const Contact<double>& c : system.contacts) {
    add_number(out, c.name + ".normal_work", unit::joule);
    add_number(out, c.name + ".friction_work", unit::joule);
    add_numbered(out, c.name + ".state", c.state_count() - 2);
  }
  if (system.in_orbit)
    for (const char* name : {"orbit.r_OE_N", "orbit.v_OE_N", "orbit.r_CO_N", "orbit.v_CO_N"})
      add_vector(out, name, name[6] == 'r' ? unit::metre : unit::m_per_s);
  add_number(out, "system.energy_in", unit::joule);
  add_number(out, "system.energy_lost", unit::joule);
  add_vector(out, "system.impulse", unit::N_s);
  add_vector(out, "system.angular_impulse", unit::N_m_s);
  return out;
}

std::vector<PlantSignal> list_plant_outputs(const Channels& channels) {
  Signals out;
  for (const Channel& c : channels.list())
    for (int k = 0; k < c.width; ++k)
      out.push_back(
          {c.width == 1 ? c.name : fmt::format("{}.{}", c.name, (c.width == 4 ? "wxyz" : "xyz")[k]),
           c.unit});
  return out;
}

std::vector<PlantSignal> list_plant_inputs(const System<double>& system) {
  Signals out;
  for_each_part(system.controls,
                [&](const auto& c) { add_numbered(out, c.name + ".output", c.output_count()); });
  for_each_part(system.sensors, [&]<class Sensor>(const Sensor& s) {
    for (const Reading& r : Sensor::readings) {
      const std::string name = fmt::format("{}.{}", s.name, r.name);
      if (r.size == 3) {
        add_vector(out, name, r.unit);
      } else {
        add_number(out, name, r.unit);
      }
    }
    add_number(out, s.name + ".valid", unit::none);
  });
  for (const auto& set : std::get<std::vector<ThrusterSet<double>>>(system.forces))
    add_numbered(out, set.name + ".level", static_cast<int>(set.thruster.size()));
  for (const Contact<double>& c : system.contacts) {
    add_signal(out, c.name + ".held");
    add_vector(out, c.name + ".heading", unit::none);
    add_vector(out, c.name + ".torque", unit::N_m);
  }
  for (const Contact<double>& c : system.contacts) add_signal(out, c.name + ".arriving");
  add_number(out, "t_from", unit::second);
  return out;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/system/linear_signals.h"

#include <concepts>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/model/suggest.h"

namespace berth {
namespace {

std::size_t nth(int i) { return static_cast<std::size_t>(i); }

// Commands of externals, in their own axes.
void list_commands(const System<double>& system, const Instant<double>& now, const Layout& layout,
                   std::vector<LinearInput>& out) {
  for_each_control(system, layout, [&]<class Part>(const Part& part, int output, int) {
    if constexpr (std::same_as<Part, External<double>>) {
      for (const ExternalCommand<double>& c : part.commands) {
        const bool pushes = c.as == CommandKind::force || c.as == CommandKind::torque ||
                            c.as == CommandKind::effort;
        for (int k = 0; pushes && k < c.width; ++k) {
          std::vector<double> unit_command(nth(part.output_count()), 0.0);
          unit_command[nth(c.first + k)] = 1;
          part.turn(now, unit_command.data());
          const auto first = unit_command.begin() + c.first;
          const std::string name = part.name + "." + c.name;
          out.push_back({LinearInput::Kind::command,
                         output + c.first,
                         k,
                         {c.width == 1 ? name : fmt::format("{}.{}", name, "xyz"[k]),
                          std::string(c.unit.symbol)},
                         {first, first + c.width}});
        }
      }
    }
  });
}

// What a name stands for: one number, or all of a vector.
bool is_named(const std::string& signal, const std::string& name) {
  return signal == name || (signal.size() == name.size() + 2 && signal.starts_with(name) &&
                            signal[name.size()] == '.');
}

void name_joints(const System<double>& system, std::span<const double> x, Deviations& out) {
  const Layout layout = system.layout();
  out.signals.resize(nth(2 * out.speeds));
  out.x0.assign(nth(2 * out.speeds), 0.0);
  for (int i = 1; i < system.model.body_count(); ++i) {
    const Body<double>& b = system.model.body(i);
    const std::string& name = system.model.names[nth(i)];
    const auto put = [&](int k, const std::string& q, const Unit& q_unit, int q_place,
                         const std::string& v, const Unit& v_unit) {
      out.signals[nth(b.v + k)] = {name + "." + q, std::string(q_unit.symbol)};
      out.signals[nth(out.speeds + b.v + k)] = {name + "." + v, std::string(v_unit.symbol)};
      if (q_place >= 0) out.x0[nth(b.v + k)] = x[nth(b.q + q_place)];
      out.x0[nth(out.speeds + b.v + k)] = x[nth(layout.v + b.v + k)];
    };
    const auto axis = [](int k) { return std::string(1, "xyz"[k]); };
    switch (b.joint) {
      case JointType::free:
        for (int k = 0; k < 3; ++k) {
          put(k, "rho_BO_N." + axis(k), unit::metre, k, "rhodot_BO_N." + axis(k), unit::m_per_s);
          if (system.in_orbit) {  // from O, as the channels
            out.x0[nth(b.v + k)] += x[nth(layout.orbit + 6 + k)];
            out.x0[nth(out.speeds + b.v + k)] += x[nth(layout.orbit + 9 + k)];
          }
          put(3 + k, "theta_B." + axis(k), unit::rad, -1, "omega_BN_B." + axis(k), unit::rad_per_s);
        }
        break;
      case JointType::spherical:
        for (int k = 0; k < 3; ++k)
          put(k, "theta_B." + axis(k), unit::rad, -1, "omega_BF_B." + axis(k), unit::rad_per_s);
        break;
      case JointType::planar:
        for (int k = 0; k < 2; ++k)
          put(k, "pose." + axis(k), unit::metre, k, "pose_rate." + axis(k), unit::m_per_s);
        put(2, "pose.z", unit::rad, 2, "pose_rate.z", unit::rad_per_s);
        break;
      case JointType::revolute: put(0, "angle", unit::rad, 0, "rate", unit::rad_per_s); break;
      case JointType::prismatic: put(0, "travel", unit::metre, 0, "speed", unit::m_per_s); break;
      case JointType::fixed: break;
    }
  }
}

}  // namespace

std::vector<LinearInput> list_all_inputs(const System<double>& system, double t,
                                         std::span<const double> x, const Mode<double>& mode) {
  std::vector<LinearInput> out;
  Workspace<double> w(system);
  motion_stage<double>(system, t, x, mode, w);
  list_commands(system, {system.model, w.motion, w.command, w.readings.data()}, w.layout, out);
  const auto add_vector = [&](LinearInput::Kind kind, int index, const std::string& name,
                              const Unit& u) {
    for (int k = 0; k < 3; ++k)
      out.push_back(
          {kind, index, k, {fmt::format("{}.{}", name, "xyz"[k]), std::string(u.symbol)}});
  };
  using enum LinearInput::Kind;
  for (int i = 1; i < system.model.body_count(); ++i) {
    const std::string& name = system.model.names[nth(i)];
    add_vector(force, i, name + ".force", unit::newton);
    add_vector(torque, i, name + ".torque", unit::N_m);
  }
  for (int i = 1; i < system.model.body_count(); ++i) {
    const Body<double>& b = system.model.body(i);
    if (shape(b.joint).speeds != 1) continue;
    const Unit& u = b.joint == JointType::prismatic ? unit::newton : unit::N_m;
    out.push_back(
        {effort, b.v, 0, {system.model.names[nth(i)] + ".effort", std::string(u.symbol)}});
  }
  const auto& sets = std::get<std::vector<ThrusterSet<double>>>(system.forces);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    add_vector(thruster_force, static_cast<int>(k), sets[k].name + ".force", unit::newton);
    add_vector(thruster_torque, static_cast<int>(k), sets[k].name + ".torque", unit::N_m);
  }
  return out;
}

std::vector<LinearInput> choose_inputs(const System<double>& system,
                                       const std::vector<LinearInput>& all,
                                       const std::vector<std::string>& wanted) {
  std::vector<LinearInput> out;
  if (wanted.empty()) {
    for (const LinearInput& i : all)
      if (i.kind == LinearInput::Kind::command) out.push_back(i);
    if (!out.empty()) return out;
    for (const LinearInput& i : all) {
      const bool on_body =
          i.kind == LinearInput::Kind::force || i.kind == LinearInput::Kind::torque;
      const bool on_craft = on_body && system.model.body(i.index).joint == JointType::free;
      bool on_motor = false;
      for (const Body<double>& b : system.model.bodies)
        on_motor |= i.kind == LinearInput::Kind::effort && b.v == i.index && b.motor;
      if (on_craft || on_motor) out.push_back(i);
    }
    return out;
  }
  for (const std::string& name : wanted) {
    const std::size_t before = out.size();
    for (const LinearInput& i : all)
      if (is_named(i.signal.name, name)) out.push_back(i);
    if (out.size() > before) continue;
    std::vector<std::string> names;
    for (const LinearInput& i : all) names.push_back(i.signal.name);
    throw std::out_of_range(fmt::format("no input {}{}", name, suggest(name, names)));
  }
  return out;
}

LinearOutputs choose_outputs(const Channels& channels, const std::vector<std::string>& wanted) {
  LinearOutputs out;
  for (const std::string& name : wanted) {
    if (const Channel* c = channels.find(name)) {
      for (int k = 0; k < c->width; ++k) {
        out.places.push_back(c->first + k);
        out.signals.push_back(
            {c->width == 1 ? name : fmt::format("{}.{}", name, (c->width == 4 ? "wxyz" : "xyz")[k]),
             c->unit});
      }
    } else if (const auto number = channels.find_number(name)) {
      out.places.push_back(number->place);
      out.signals.push_back({name, number->channel->unit});
    } else {
      std::vector<std::string> names;
      for (const Channel& one : channels.list()) names.push_back(one.name);
      throw std::out_of_range(fmt::format("no channel {}{}", name, suggest(name, names)));
    }
  }
  return out;
}

Deviations list_deviations(const System<double>& system, std::span<const double> x,
                           const Mode<double>& mode) {
  const Layout layout = system.layout();
  Deviations out;
  out.speeds = layout.z - layout.v;
  name_joints(system, x, out);
  const auto add = [&](int place, std::string name) {
    out.others.push_back(place);
    out.signals.push_back({std::move(name), "-"});
    out.x0.push_back(x[nth(place)]);
  };
  int state = layout.z;
  for_each_part(system.controls, [&](const auto& c) {
    for (int k = 0; k < c.state_count(); ++k)
      if (c.enabled && !(c.sample_time > 0))
        add(state + k, fmt::format("{}.state{}", c.name, k + 1));
    state += c.state_count();
  });
  for (const Dock<double>& d : system.docks)
    if (d.engaged && d.enforce == Enforce::penalty && d.first_state >= 0)
      for (int k = 0; k < d.row_count(); ++k)
        add(layout.docks + d.first_state + k, fmt::format("{}.integral{}", d.name, k + 1));
  for (std::size_t c = 0; c < system.contacts.size(); ++c)
    if (mode.contacts[c].now.touching)
      for (int k = 0; k < system.contacts[c].state_count(); ++k)
        add(layout.contacts + system.contacts[c].first_state + k,
            fmt::format("{}.state{}", system.contacts[c].name, k + 1));
  return out;
}

}  // namespace berth

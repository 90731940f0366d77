// SPDX-License-Identifier: Apache-2.0
#pragma once

// External — a place where somebody else takes part: measurements out, commands in.
//
//   asked       t_k = offset + k Δ, k = 0, 1, …                                                  (1)
//   acts        t_k + latency, and is held until the next answer acts                            (2)
//   silent      from the last command's action (or from when it was switched on) `hold` seconds without
//               another: then
//                 hold     the last commands stay until an answer acts again
//                 zero     all are zero until an answer acts again
//                 freeze   the last commands stay and nobody is asked any more, until an event enables it
//                 stop     the run ends
//
// What it commands goes where the output of a controller goes: a force or torque to a thruster set,
// which allocates it and is limited as it is, or ideally to a body; an effort to the motor of a joint or
// wheel; levels or on-times to thrusters, on top of what is allocated. `axes` are those of the vector
// at t_k; it is turned into body axes there, and held in them. The force of a contact acts on its first
// member where the probe is, reversed on the second, in place of its law; it is held in N axes. An event
// acts when a number other than zero arrives.

#include "berth/control/control_part.h"
#include "berth/model/resolve.h"

namespace berth {

enum class CommandKind : unsigned char {
  force,
  torque,
  on_time,
  level,
  effort,
  contact,
  contact_torque,
  event
};
constexpr auto keywords_of(CommandKind) {
  return std::array{
      Keyword{"force", "[N], 3 numbers: asked of a thruster set, or ideal on a body"},
      Keyword{"torque", "[N·m], 3 numbers likewise; 1 of a wheel"},
      Keyword{"on_time", "[s], one per thruster of a pulsed set: within its next period"},
      Keyword{"level", "0 … 1, one per thruster of a set"},
      Keyword{"effort", "[N·m] or [N], 1 number: of the motor of a joint"},
      Keyword{"contact", "[N], 3 numbers: on the first member of a contact, in place of its law"},
      Keyword{"contact_torque", "[N·m], 3 numbers: likewise, beside its force"},
      Keyword{"event", "1 number: other than 0, the event acts"}};
}

enum class CommandAxes : unsigned char { body, inertial, lvlh, port };
constexpr auto keywords_of(CommandAxes) {
  return std::array{Keyword{"body", "of the body that is pushed; of a contact its first member"},
                    Keyword{"inertial", "N"},
                    Keyword{"lvlh", "of the reference orbit: x V-bar, z nadir"},
                    Keyword{"port", "of the port or body named as `port`"}};
}

enum class Silence : unsigned char { hold, zero, freeze, stop };
constexpr auto keywords_of(Silence) {
  return std::array{
      Keyword{"hold", "the last commands stay until an answer acts again"},
      Keyword{"zero", "all commands are zero until an answer acts again"},
      Keyword{"freeze", "the last commands stay, and nobody is asked until an event enables it"},
      Keyword{"stop", "the run ends"}};
}

struct SilenceRule {
  double hold = 0;
  OneOf<Silence> then;

  static constexpr auto fields() {
    using P = SilenceRule;
    return Schema{Field{"hold", &P::hold, unit::second, Range::not_negative,
                        "how long the last command may stay"},
                  Field{"then", &P::then, unit::none, Range::any, "what follows"}};
  }
};

template <Scalar T>
struct ExternalCommand {
  std::string name;
  ActuatorRef to;
  OneOf<CommandKind> as;
  OneOf<CommandAxes> axes;
  PortRef port;
  Vec3<T> centre;
  T limit{};

  bool is_of_thrusters() const { return as == CommandKind::level || as == CommandKind::on_time; }
  bool is_of_contact() const {
    return as == CommandKind::contact || as == CommandKind::contact_torque;
  }
  // Three numbers that have axes.
  bool is_vector() const { return width == 3 && body >= 0 && !is_of_thrusters(); }

  static constexpr auto fields() {
    using P = ExternalCommand;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what answers call it", required},
        Field{"to", &P::to, unit::none, Range::any, "what is commanded", required},
        Field{"as", &P::as, unit::none, Range::any, "what the numbers are", required},
        Field{"axes", &P::axes, unit::none, Range::any, "of a force, torque or contact"},
        Field{"port", &P::port, unit::none, Range::any,
              "whose axes they are, with axes = \"port\""},
        Field{"centre", &P::centre, unit::metre, Range::any,
              "where a force shall act, body axes: the craft's centre of mass"},
        Field{"limit", &P::limit, unit::of_input, Range::not_negative,
              "of the number, or of the size of the vector; 0 = none"},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    const bool is_vector = as == CommandKind::force || as == CommandKind::torque || is_of_contact();
    if (axes != CommandAxes::body && !is_vector)
      findings.add("axes", "belong to a force, torque or contact");
    if (axes == CommandAxes::lvlh && !around.has_orbit)
      findings.add("axes", "\"lvlh\" needs an [orbit]");
    if ((axes == CommandAxes::port) == port.empty())
      findings.add("port",
                   port.empty() ? "is missing: whose axes are they?" : "goes with axes = \"port\"");
  }

  // Found once.
  int first = 0, width = 1;  // among the outputs
  int set = -1;              // thruster set: force, torque, on_time, level
  int first_level = 0;       // of that set
  double period = 0;         // [s] of its pulses
  int body = -1;             // that is pushed, and in whose axes a vector is held
  bool outside = false;      // by nobody's actuator
  int speed = -1;            // of a joint or wheel
  Port<T> frame;             // axes = "port"
  Unit unit = unit::none;
};

template <Scalar T>
struct External : ControlPart {
  static constexpr std::string_view type = "external";
  static constexpr bool asks_outside = true;

  double sample_time = 0;
  double offset = 0;
  double latency = 0;
  std::vector<std::string> measures;
  std::vector<ExternalCommand<T>> commands;
  SilenceRule silent;

  static constexpr auto fields() {
    using P = External;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"enabled", &P::enabled, unit::none, Range::any, "on from the start"},
        Field{"sample_time", &P::sample_time, unit::second, Range::positive,
              "from sample to sample", required},
        Field{"offset", &P::offset, unit::second, Range::not_negative, "of the first sample"},
        Field{"latency", &P::latency, unit::second, Range::not_negative,
              "from measurement to action; may exceed sample_time", of_samples},
        Field{"measures", &P::measures, unit::none, Range::any,
              "channels it sees: readings of sensors, or any other"},
        Field{"commands", &P::commands, unit::none, Range::any, "what it commands"},
        Field{"silent", &P::silent, unit::none, Range::any, "what follows where no answer comes"},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    check_period(sample_time, around.duration, "sample_time", findings);
    if (silent.then != Silence::hold && silent.hold < sample_time)
      findings.add("silent.hold", shown(silent.hold) +
                                      " s is shorter than sample_time: it would be "
                                      "silent between any two answers");
    for (std::size_t i = 0; i < commands.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (commands[k].name == commands[i].name)
          findings.add("commands", "the name " + commands[i].name + " is used twice");
  }
  void bind(const Model<T>&, Findings&) {}
  // Finds what it commands. Events are known to the run alone.
  void attach(const Model<T>& model, const Names& names, const auto& sets, const auto& contacts,
              Findings& findings) {
    count = 0;
    for (ExternalCommand<T>& c : commands) {
      findings.inside("commands." + c.name,
                      [&] { attach(c, model, names, sets, contacts, findings); });
      c.first = count;
      count += c.width;
    }
  }
  bool pushes_from_outside() const {
    for (const ExternalCommand<T>& c : commands)
      if (c.outside) return true;
    return false;
  }
  bool asks_levels() const {
    for (const ExternalCommand<T>& c : commands)
      if (c.is_of_thrusters()) return true;
    return false;
  }

  int output_count() const { return count; }
  // What is held is all there is.
  void find_output(const Instant<T>&, const T*, T*) const {}

  void apply(const T* out, Command<T>& command) const {
    for (const ExternalCommand<T>& c : commands) {
      const T* u = out + c.first;
      switch (c.as) {
        case CommandKind::force:
        case CommandKind::torque: push(c, u, command); break;
        case CommandKind::on_time:
          for (int i = 0; i < c.width; ++i)
            command.asked[static_cast<std::size_t>(c.first_level + i)] += u[i] / c.period;
          break;
        case CommandKind::level:
          for (int i = 0; i < c.width; ++i)
            command.asked[static_cast<std::size_t>(c.first_level + i)] += u[i];
          break;
        case CommandKind::effort: command.joint[static_cast<std::size_t>(c.speed)] += u[0]; break;
        case CommandKind::contact:
        case CommandKind::contact_torque:
        case CommandKind::event: break;  // by the run
      }
    }
  }

  // An answer as it is held: vectors in the axes they are held in, numbers within their limits.
  void turn(const Instant<T>& now, T* out) const {
    for (const ExternalCommand<T>& c : commands)
      if (c.is_vector()) write(c, turn(c, now, read(c, out)), out);
    limit(out);
  }
  // The same where the answer comes later: how its vectors turn, nine numbers each, and that applied.
  std::size_t axes_count() const {
    std::size_t n = 0;
    for (const ExternalCommand<T>& c : commands) n += c.is_vector() ? 9 : 0;
    return n;
  }
  void find_axes(const Instant<T>& now, T* axes) const {
    for (const ExternalCommand<T>& c : commands) {
      if (!c.is_vector()) continue;
      for (int k = 0; k < 3; ++k) {
        Vec3<T> unit_vector{};
        unit_vector[k] = T(1.0);
        const Vec3<T> v = turn(c, now, unit_vector);
        for (int i = 0; i < 3; ++i) axes[3 * k + i] = v[i];
      }
      axes += 9;
    }
  }
  void turn(const T* axes, T* out) const {
    for (const ExternalCommand<T>& c : commands) {
      if (!c.is_vector()) continue;
      const Vec3<T> v = read(c, out);
      Vec3<T> turned{};
      for (int k = 0; k < 3; ++k)
        turned += v[k] * Vec3<T>{axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]};
      write(c, turned, out);
      axes += 9;
    }
    limit(out);
  }

  template <class Emit>
  void channels(const Instant<T>&, const T* out, Emit&& f) const {
    for (const ExternalCommand<T>& c : commands) {
      const T* u = out + c.first;
      const bool of_thrusters = c.is_of_thrusters();
      if (c.width == 3 && !of_thrusters) {
        f([&] { return c.name; }, c.unit, c.is_of_contact() ? "N" : "B",
          "commanded from outside, as it acts", Kind::smooth, Needs::loads,
          [u] {
            return Vec3<T>{u[0], u[1], u[2]};
          });
        continue;
      }
      for (int i = 0; i < c.width; ++i)
        f([&] { return of_thrusters ? c.name + std::to_string(i + 1) : c.name; }, c.unit, "",
          "commanded from outside, as it acts", Kind::smooth, Needs::loads,
          [u, i] { return u[i]; });
    }
  }

  int count = 0;  // of all outputs

 private:
  static Vec3<T> read(const ExternalCommand<T>& c, const T* out) {
    return {out[c.first], out[c.first + 1], out[c.first + 2]};
  }
  static void write(const ExternalCommand<T>& c, const Vec3<T>& v, T* out) {
    for (int k = 0; k < 3; ++k) out[c.first + k] = v[k];
  }
  // From the axes in which it is given to those in which it is held.
  static Vec3<T> turn(const ExternalCommand<T>& c, const Instant<T>& now, Vec3<T> v) {
    const Mat3<T>& R_NB = now.body(c.body).R_NB;
    if (c.axes == CommandAxes::body) return c.is_of_contact() ? R_NB * v : v;
    if (c.axes == CommandAxes::lvlh) v = now.motion.orbit.R_NL() * v;
    if (c.axes == CommandAxes::port) v = now.body(c.frame.body).R_NB * (c.frame.R_BP * v);
    return c.is_of_contact() ? v : transposed_times(R_NB, v);
  }
  void limit(T* out) const {
    for (const ExternalCommand<T>& c : commands) {
      T* u = out + c.first;
      if (!c.is_vector()) {
        for (int i = 0; i < c.width && c.limit > 0.0; ++i) u[i] = clamp(u[i], -c.limit, c.limit);
        continue;
      }
      const Vec3<T> v = read(c, out);
      const T size = norm(v), bound = select(c.limit > 0.0, c.limit, T(1e300));
      write(c, select(size > bound, bound / select(size > bound, size, T(1.0)), T(1.0)) * v, out);
    }
  }

  static void push(const ExternalCommand<T>& c, const T* u, Command<T>& command) {
    if (c.speed >= 0) {
      command.joint[static_cast<std::size_t>(c.speed)] += u[0];
      return;
    }
    const Vec3<T> v{u[0], u[1], u[2]};
    Wrench<T>& to = c.set >= 0 ? command.thrusters[static_cast<std::size_t>(c.set)]
                               : command.loads[static_cast<std::size_t>(c.body)];
    to += c.as == CommandKind::force ? Wrench<T>{cross(c.centre, v), v} : Wrench<T>{v, {}};
  }

  static int find(const std::vector<std::string>& list, const std::string& name) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i] == name) return static_cast<int>(i);
    return -1;
  }

  void attach(ExternalCommand<T>& c, const Model<T>& model, const Names& names, const auto& sets,
              const auto& contacts, Findings& findings) const {
    const bool of_thrusters = c.is_of_thrusters();
    const bool pushes = c.as == CommandKind::force || c.as == CommandKind::torque;
    if (!c.port.empty() && c.port.index >= 0) c.frame = model.port(c.port.index);
    c.width = pushes || c.is_of_contact() ? 3 : 1;
    c.unit = c.as == CommandKind::torque || c.as == CommandKind::contact_torque ? unit::N_m
             : c.as == CommandKind::on_time                                     ? unit::second
             : c.width == 3                                                     ? unit::newton
                                                                                : unit::none;
    if (of_thrusters || (pushes && find(names.thruster_sets, c.to.name) >= 0)) {
      c.set = find_named(Named::thruster_set, c.to.name, names, "", "to", findings);
      if (c.set < 0) return;
      const auto& set = sets[static_cast<std::size_t>(c.set)];
      c.body = set.body.index;
      c.first_level = set.first_level;
      c.period = set.sample_time;
      if (of_thrusters) c.width = static_cast<int>(set.thruster.size());
      if (c.as == CommandKind::on_time && !(c.period > 0))
        findings.add("as", "on_time needs pulses: " + set.name + " has no sample_time");
    } else if (pushes) {
      c.body = find_named(Named::moving_body, c.to.name, names, "", "to", findings);
      if (c.body < 0) return;
      const Body<T>& b = model.body(c.body);
      if (c.as == CommandKind::torque && b.spins && b.motor) {
        c.speed = b.v;
        c.width = 1;
        if (c.axes != CommandAxes::body) findings.add("axes", "a wheel turns about its own axis");
      }
      c.outside = c.speed < 0;
    } else if (c.as == CommandKind::effort) {
      const int joint = find_named(Named::joint, c.to.name, names, "", "to", findings);
      if (joint < 0) return;
      c.speed = model.body(joint).v;
      c.unit = model.body(joint).joint == JointType::prismatic ? unit::newton : unit::N_m;
    } else if (c.is_of_contact()) {
      for (const auto& contact : contacts)
        if (contact.report_name() == c.to.name) c.body = contact.port_1.body;
      if (c.body < 0) findings.add("to", "no contact " + c.to.name, c.to.name);
    }
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The world every part is examined in: two free hubs about two metres apart, tumbling, a two-link
// arm on the first, and the part under examination, read from the example on its page. The same
// world can be built turned, shifted, moving and in other units.

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "berth/model/lift.h"
#include "berth/scenario/read/part_reader.h"
#include "berth/scenario/read/part_writer.h"
#include "berth/system/system.h"
#include "tests/support/random.h"

namespace berth::test {

// --- the example on a part's page ----------------------------------------------------------------

// Which folder of docs/ a part's page is in follows from the list the part is on.
template <class Part>
std::string page_of(std::string_view folder) {
  return std::string(BERTH_SOURCE_DIR) + "/docs/" + std::string(folder) + "/" +
         std::string(Part::type) + ".md";
}

inline std::string first_toml_block(const std::string& path) {
  std::ifstream in(path);
  std::string line, block;
  bool inside = false;
  while (std::getline(in, line)) {
    if (!inside && line.starts_with("```toml")) {
      inside = true;
    } else if (inside && line.starts_with("```")) {
      return block;
    } else if (inside) {
      block += line + "\n";
    }
  }
  return "";
}

// The table with `type = …` of the part, wherever it is; parts with a table of their own name
// ([orbit], [gravity]) are found by it.
inline const toml::table* find_table(const toml::node& node, std::string_view type) {
  if (const toml::table* table = node.as_table()) {
    if ((*table)["type"].value_or(std::string_view()) == type) return table;
    for (const auto& [key, child] : *table) {
      if (child.is_table() && (type == std::string("orbital_gravity")   ? key == "orbit"
                               : type == std::string("uniform_gravity") ? key == "gravity"
                                                                        : false))
        return child.as_table();
      if (const toml::table* found = find_table(child, type)) return found;
    }
  }
  if (const toml::array* array = node.as_array())
    for (const toml::node& child : *array)
      if (const toml::table* found = find_table(child, type)) return found;
  return nullptr;
}

// The part of the page's example, or nothing with a failure that says why.
template <class Part>
std::optional<Part> read_example(std::string_view folder) {
  const std::string path = page_of<Part>(folder);
  const std::string block = first_toml_block(path);
  if (block.empty()) {
    ADD_FAILURE() << path << " has no toml example";
    return std::nullopt;
  }
  const toml::table document = toml::parse(block);
  const toml::table* table = find_table(document, Part::type);
  if (!table) {
    ADD_FAILURE() << path << ": no table of type " << Part::type;
    return std::nullopt;
  }
  Part part;
  Problems problems{path, {}};
  read_part(*table, part, std::string(Part::type), problems,
            {"type", "name", "on", "position", "velocity"});
  for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
  if (!problems.empty()) return std::nullopt;
  return part;
}

// --- units -----------------------------------------------------------------------------------

struct Units {
  double kg = 1, m = 1, s = 1;  // one SI unit, in units of this system

  double factor(const Unit& u) const {
    return std::pow(kg, u.kg) * std::pow(m, u.m) * std::pow(s, u.s);
  }
};

inline void restate(double& x, const Unit& u, const Units& units) { x *= units.factor(u); }
inline void restate(Vec3<double>& x, const Unit& u, const Units& units) { x = units.factor(u) * x; }
inline void restate(Sym3<double>& x, const Unit& u, const Units& units) { x = units.factor(u) * x; }
inline void restate(std::array<double, 2>& x, const Unit& u, const Units& units) {
  for (double& v : x) v *= units.factor(u);
}
inline void restate(Quaternion<double>&, const Unit&, const Units&) {}
inline void restate(std::string&, const Unit&, const Units&) {}
inline void restate(bool&, const Unit&, const Units&) {}
template <Named kind>
void restate(Ref<kind>&, const Unit&, const Units&) {}
template <HasWords E>
void restate(OneOf<E>&, const Unit&, const Units&) {}
inline void restate(int&, const Unit&, const Units&) {}
template <HasFields Part>
void restate(Part& part, const Unit&, const Units& units);
template <class V>
void restate(std::vector<V>& list, const Unit& u, const Units& units) {
  for (V& v : list) restate(v, u, units);
}
// A profile is in the unit of the input it is given for.
inline void restate(Profile<double>& p, const Unit& u, const Units& units) {
  const double f = units.factor(u), t = units.s;
  for (double* x : {&p.value, &p.from, &p.to, &p.low, &p.high}) *x *= f;
  for (double& x : p.values) x *= f;
  for (double* x : {&p.rate_from, &p.rate_to}) *x *= f / t;
  for (double* x : {&p.start, &p.duration}) *x *= t;
  for (double& x : p.times) x *= t;
}
template <HasFields Part>
void restate(Part& part, const Unit&, const Units& units) {
  for_each_field(part, [&](const auto& f, auto& member) { restate(member, f.unit, units); });
}

// --- the world -----------------------------------------------------------------------------------

struct Setting {
  unsigned seed = 1;
  Units units;
  Mat3<double> R = Mat3<double>::identity();  // the whole world turned by this
  Vec3<double> shift, boost;                  // and moved [m], [m/s]
  bool floating = true;                       // false: leave out shift and boost
};

inline constexpr double kTime = 17.0;  // [s] when everything is looked at

template <Scalar T, class Part>
System<T> build_world(const Part& example, const Setting& setting) {
  using TypedPart = typename Rebind<Part, T>::type;
  const Units& u = setting.units;
  System<T> system;

  // Hubs.
  Random random(setting.seed);
  BodySpec<T> hubs[2];
  for (int k = 0; k < 2; ++k) {
    const double mass = random.number(50, 100);
    const Sym3<double> I = (u.kg * u.m * u.m) * random.inertia(40);
    const Vec3<double> c = u.m * random.vector(0.1);
    Vec3<double> r = setting.R * (random.vector(0.5) + Vec3<double>{2.0 * k, 0, 0});
    Vec3<double> v = setting.R * random.vector(0.2);
    const Vec3<double> omega = random.vector(0.3);
    const Quaternion<double> q = canonical(quaternion(setting.R) * canonical(random.quaternion()));
    if (setting.floating) r += setting.shift, v += setting.boost;
    BodySpec<T>& h = hubs[k];
    h.name = k == 0 ? "servicer" : "target";
    h.mass = mass * u.kg;
    h.I_C_B = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    h.r_CB_B = {c.x, c.y, c.z};
    h.q = {r.x * u.m, r.y * u.m, r.z * u.m, q.w, q.x, q.y, q.z};
    h.v.clear();
    for (int i = 0; i < 3; ++i) h.v.push_back(v[i] * u.m / u.s);
    for (int i = 0; i < 3; ++i) h.v.push_back(omega[i] / u.s);
  }
  const int servicer = system.model.add_body(hubs[0]);
  const int target = system.model.add_body(hubs[1]);
  const T metre(u.m);
  system.model.ports = {{"servicer.probe", {servicer, {1.1 * metre, -0.1 * metre, T(0.0)}, {}}},
                        {"target.cone", {target, {-0.8 * metre, T(0.0), 0.2 * metre}, {}}}};
  for (auto& [name, port] : system.model.ports)
    port.R_BP = rotation_about(normalised(Vec3<T>{T(0.2), T(0.9), T(-0.3)}), T(0.7));

  // The arm.
  RobotArm<double> arm;
  for (int i = 0; i < 2; ++i) {
    ArmLink<double> link;
    link.position = {0.5 + 0.3 * i, 0.2, -0.1};
    link.axis = normalised(Vec3<double>{0.2, 1.0 - i, 1.0});
    link.mass = 4;
    link.centre_of_mass = {0.3, 0.05, 0};
    link.inertia = {0.1, 0.2, 0.2, 0.01, 0, 0.02};
    link.friction = 0.3;
    link.angle = 0.4 - 0.7 * i;
    link.rate = 0.2 + 0.1 * i;
    arm.link.push_back(link);
  }
  const auto typed = [&](auto part) {
    using P = decltype(part);
    restate(part, unit::none, u);
    typename Rebind<P, T>::type to;
    if constexpr (std::same_as<T, double>) {
      to = part;
    } else {
      lift_value(part, to);
    }
    return to;
  };
  system.add_component(typed(arm), servicer, "servicer.arm");

  // The part, told about the turned world if it has inputs in inertial axes.
  Part turned = example;
  if constexpr (requires { turned.turn_world(setting.R); }) turned.turn_world(setting.R);
  const TypedPart part = typed(turned);
  if constexpr (Component<TypedPart, T>) {
    system.add_component(part, servicer, "servicer.part");
    // Something for motors to do.
    JointPd<double> motor;
    for (int i = servicer + 4; i < system.model.body_count(); ++i) {
      if (system.model.body(i).joint != JointType::revolute) continue;
      motor.joints.push_back(system.model.names[static_cast<std::size_t>(i)]);
      Profile<double> wanted;
      wanted.value = 0.3;
      motor.reference.push_back(wanted);
    }
    motor.stiffness = 0.02;
    motor.damping = 0.01;
    if (!motor.joints.empty()) system.add_control(typed(motor));
  } else if constexpr (std::same_as<TypedPart, OrbitalGravity<T>>) {
    const Vec3<double> r = (u.m) * (setting.R * Vec3<double>{-5.7874e6, 1.3157e6, 3.2735e6});
    const Vec3<double> v = (u.m / u.s) * (setting.R * Vec3<double>{-2221.6, -7272.9, -988.7});
    system.set_orbit(part, {T(r.x), T(r.y), T(r.z)}, {T(v.x), T(v.y), T(v.z)});
  } else if constexpr (
      requires(System<T> & s) { s.add_force(part); } && requires { &TypedPart::add_effort; }) {
    system.add_force(part);
  } else {
    system.add_control(part);
  }
  return system;
}

// A thruster set is only examined when something is asked of it.
template <Scalar T>
Mode<T> mode_for(const System<T>& system) {
  Mode<T> mode;
  const Workspace<T> w(system);
  mode.held.assign(w.outputs.size(), T(0.0));
  mode.levels.assign(w.command.levels.size(), T(0.0));
  for (std::size_t i = 0; i < mode.levels.size(); i += 2) mode.levels[i] = T(1.0);
  return mode;
}

// The state the world is looked at in: the initial one, and integral states that are not zero.
template <Scalar T>
std::vector<T> state_of(const System<T>& system) {
  std::vector<T> x = find_initial_state(system);
  const Layout at = system.layout();
  for (int i = at.z; i < at.orbit; ++i) x[static_cast<std::size_t>(i)] = T(0.01 * (i - at.z + 1));
  return x;
}

template <Scalar T>
std::vector<T> derivative_of(const System<T>& system, const std::vector<T>& x,
                             double time = kTime) {
  Workspace<T> w(system);
  Mode<T> mode = mode_for(system);
  mode.t_from = time;
  std::vector<T> x_dot(x.size());
  find_derivative<T>(system, time, x, mode, w, x_dot);
  return x_dot;
}

// Walks all three lists: visit.template operator()<Part>(folder).
template <class Visit>
void for_each_listed_part(Visit&& visit) {
  for_each_type(Components<double>{},
                [&]<class P>() { visit.template operator()<P>("components"); });
  for_each_type(Forces<double>{}, [&]<class P>() { visit.template operator()<P>("forces"); });
  for_each_type(Controls<double>{}, [&]<class P>() { visit.template operator()<P>("control"); });
}

}  // namespace berth::test

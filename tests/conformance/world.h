// SPDX-License-Identifier: Apache-2.0
#pragma once

// The world every part is examined in: two free hubs about two metres apart, tumbling, a two-link
// arm on the first, and the part under examination, read from the example on its page. The same
// world can be built turned, shifted, moving and in other units.
//
// Tests see a part through ExaminedPart: what differs between kinds of parts is compiled once, in
// world.cpp, not for every test and scalar.

#include <memory>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "berth/model/lift.h"
#include "berth/system/system.h"
#include "tests/support/random.h"

namespace berth::test {

// --- the example on a part's page ----------------------------------------------------------------

// Which folder of docs/ a part's page is in follows from the list the part is on.
std::string page_of(std::string_view folder, std::string_view type);

// The table with `type = …` of the part in the first example of its page; a failure that says why
// and nothing else if there is none. Parts with a table of their own name ([orbit], [gravity]) are
// found by it.
toml::table read_example_table(std::string_view folder, std::string_view type);

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
template <HasKeywords E>
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

inline constexpr double kTime = 17.0;  // [s] when everything is evaluated

// A part on one of the lists, whatever its kind.
class ExaminedPart {
 public:
  virtual ~ExaminedPart() = default;

  std::string_view type, folder;
  bool tied_to_earth = false;  // knows where up is
  bool from_outside = false;   // may push without pushing back

  // In the units of the setting and, if it has inputs in inertial axes, rotated with the world.
  virtual void add_to(System<double>& system, int body, const Setting& setting) const = 0;
  // As a file, and as a file once it has been read back from there.
  virtual std::string write() const = 0;
  virtual std::string write_again() const = 0;
  // Every input of it, whatever its value.
  struct Input {
    std::string_view name, meaning, unit;
  };
  virtual std::vector<Input> inputs() const = 0;
  // Unit vectors in no special direction, lists of parts included.
  virtual void turn_directions(Random& random) = 0;
  // Sampled instead of continuous or the other way round; false if it cannot be.
  virtual bool switch_sampling() = 0;
};

// Every part of the three lists with the example of its page; those without one are reported.
std::vector<std::unique_ptr<ExaminedPart>> read_examples();

System<double> build_world(const ExaminedPart& part, const Setting& setting);
// For those the tests make themselves.
System<double> build_world(const RigidPayload<double>& part, const Setting& setting);
System<double> build_world(const ThrusterSet<double>& part, const Setting& setting);
System<double> build_world(const JointPd<double>& part, const Setting& setting);

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

// The state in which the world is evaluated: the initial one, and integral states that are not zero.
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

}  // namespace berth::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

// System — the model with everything that pushes on it, as one function x ↦ ẋ.
//
//   x = [ q | v | z | orbit | ledger ]
//
//   q, v     coordinates and speeds of the forest (joint.h); positions from the frame's origin C
//   z        integral states of the controllers, states of the sensors, integral states of the docks,
//            states of the contacts
//   orbit    r_OE_N, v_OE_N, r_CO_N, v_CO_N (absent in free space and on the ground)
//   ledger   ∫ power in, ∫ power lost, ∫ external force, ∫ external torque about O
//
// O is the declared reference orbit for ever. C is the free-falling point positions are counted
// from; it starts at O and may be moved (recentre) when the craft have drifted far from it, without
// any output noticing: outputs are counted from O.

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "berth/components/list.h"
#include "berth/control/list.h"
#include "berth/forces/list.h"
#include "berth/model/resolve.h"
#include "berth/sensors/list.h"
#include "berth/system/contact.h"
#include "berth/system/dock.h"
#include "berth/system/dynamics.h"
#include "berth/system/kinematics.h"
#include "berth/system/measure.h"
#include "berth/system/rest.h"

namespace berth {

// Where each block of x begins.
struct Layout {
  int q = 0, v = 0, z = 0, docks = 0, contacts = 0, orbit = 0, ledger = 0, size = 0;
};
inline constexpr int kOrbitStates = 12;
inline constexpr int kLedgerStates = 8;

// A row that is solved for.
struct ActiveRow {
  int closure, row;     // closure: a dock, or after all docks a rest (docks.h)
  double least = 0;     // of S on the diagonal: with less the row cannot move
  double strength = 1;  // how much the row says that others do not, 1 at most
};

// A row of a sticking probe that others imply: the load it takes over, for each of mode.rows, and what
// that takes off theirs, per unit.
struct RowShare {
  ActiveRow row;
  std::vector<double> taken, relieves;
};

// What the run changes between smooth stretches, constant within one.
template <Scalar T>
struct Mode {
  T t_from{};                    // [s] start of the smooth stretch
  std::vector<T> held;           // outputs of sampled controllers, as they reach the actuators, and
                                 // after them readings of sampled sensors, as they arrive
  std::vector<T> levels;         // of pulsed thrusters, 0 or 1
  std::vector<ActiveRow> rows;   // of closures with multipliers, independent ones (docks.h)
  bool slides = false;           // friction of a probe at rest acts: S is not symmetric
  std::vector<RowShare> shares;  // of loads between rows and such as say nothing new
  std::vector<int> chain;        // bodies those rows push, with their ancestors, parents first
  std::vector<int> touched;      // all bodies of the trees they belong to
  bool hubs_only = false;        // the chain is free hubs and nothing else
  bool grounded = false;         // one of those trees stands on the ground
  std::vector<int> speeds;       // of those trees, dependent ones first, as many as rows; empty:
                                 // no dock is reduced
  std::vector<std::size_t> column;  // of each speed in there
  std::vector<ContactMode<T>> contacts;
};

// Calls f(part) for every part in a tuple of vectors.
template <class Stores, class F>
BERTH_INLINE void for_each_part(Stores&& stores, F&& f) {
  std::apply(
      [&](auto&... list) {
        const auto walk = [&](auto& parts) {
          for (auto& part : parts) f(part);
        };
        (walk(list), ...);
      },
      stores);
}

template <Scalar T>
struct System {
  Model<T> model;
  typename Components<T>::Stores components;
  typename Forces<T>::Stores forces;
  typename Sensors<T>::Stores sensors;
  typename AllControls<T>::Stores controls;
  std::vector<Dock<T>> docks;
  std::vector<Contact<T>> contacts;
  std::vector<Rest<T>> rests;  // one for each contact with a law of impact
  std::vector<Measure<T>> measures;
  // Where components stand, by their last body.
  struct ComponentPlace {
    int first_body, mount;
    std::string name;
  };
  std::map<int, ComponentPlace> places;
  bool in_orbit = false;
  Vec3<T> r_OE_N, v_OE_N;  // [m], [m/s] the reference orbit at t = 0

  // Parts are added in this order: bodies and components first, then forces, then sensors,
  // then controllers.
  template <class Part>
  Part& add_component(Part part, int mount, const std::string& name) {
    require_rules(part, "component " + name);
    return put_component(std::move(part), mount, name);
  }
  template <class Part>
  Part& put_component(Part part, int mount, const std::string& name) {
    const int first_body = model.body_count();
    part.build(model, mount, name);
    places[part.last_body()] = {first_body, mount, name};
    auto& list = std::get<std::vector<Part>>(components);
    list.push_back(std::move(part));
    return list.back();
  }
  // What they name is resolved and their rules are checked (resolve.h); they throw
  // std::invalid_argument with all that is wrong, unless the findings are asked for: then a part that
  // has any is left out.
  template <class Part>
  Part& add_force(Part part) {
    Findings findings;
    settle(part, Surroundings{}, findings);
    if (findings.empty()) part.bind(model, findings);
    findings.require_none(Part::type);
    return put_force(std::move(part));
  }
  template <class Part>
  Part& add_sensor(Part part) {
    Findings findings;
    settle(part, Surroundings{}, findings);
    if (findings.empty()) part.bind(model, findings);
    findings.require_none(Part::type);
    return put_sensor(std::move(part));
  }
  template <class Part>
  Part& add_control(Part part) {
    Findings findings;
    settle(part, Surroundings{}, findings);
    if (findings.empty()) bind_control(part, findings);
    findings.require_none(Part::type);
    return put_control(std::move(part));
  }
  // References and rules of a part against what there is so far.
  template <class Part>
  void settle(Part& part, const Surroundings& around, Findings& findings) const {
    resolve(part, find_names(), findings);
    check_rules(part, around, findings);
  }
  template <class Part>
  void bind_control(Part& part, Findings& findings) const {
    part.bind(model, findings);
    part.connect(
        [&](const SensorRef& sensor, std::string_view reading, std::string_view input) {
          return find_sensed(sensor, reading, input, findings);
        },
        findings);
    const auto& sets = std::get<std::vector<ThrusterSet<T>>>(forces);
    if constexpr (std::same_as<Part, External<T>>)
      part.attach(model, find_names(), sets, contacts, findings);
    // What is asked for is in the axes of the body that has the thrusters.
    if (!findings.empty() || part.thruster_set() < 0) return;
    const ThrusterSet<T>& set = sets[static_cast<std::size_t>(part.thruster_set())];
    if (part.pushed_body() != set.body.index)
      findings.add("thrusters", "the thrusters " + set.name + " are on " + set.body.name +
                                    ", which it does not push");
  }
  // A vector that a sensor measures.
  Sensed find_sensed(const SensorRef& sensor, std::string_view reading, std::string_view input,
                     Findings& findings) const {
    Sensed found;
    int k = 0, first = 0;
    for_each_part(sensors, [&]<class Sensor>(const Sensor& s) {
      const int at = find_reading<Sensor>(reading, 3);
      if (k++ == sensor.index && at >= 0) found = {first + at, s.axes_name()};
      first += count_outputs<Sensor>();
    });
    if (found.first < 0)
      findings.add(input, sensor.name + " does not measure a " + std::string(reading));
    return found;
  }
  // Parts that are bound already.
  template <class Part>
  Part& put_sensor(Part part) {
    auto& list = std::get<std::vector<Part>>(sensors);
    list.push_back(std::move(part));
    return list.back();
  }
  template <class Part>
  Part& put_force(Part part) {
    auto& list = std::get<std::vector<Part>>(forces);
    if constexpr (std::same_as<Part, ThrusterSet<T>>) {
      part.first_level = 0;
      for (const Part& other : list) part.first_level += static_cast<int>(other.thruster.size());
    }
    list.push_back(std::move(part));
    return list.back();
  }
  template <class Part>
  Part& put_control(Part part) {
    auto& list = std::get<std::vector<Part>>(controls);
    if constexpr (std::same_as<Part, External<T>>)
      for (const ExternalCommand<T>& command : part.commands)
        for (Contact<T>& c : contacts) {
          if (!command.is_of_contact() || c.report_name() != command.to.name) continue;
          c.external = true;
          c.given_period = part.sample_time;
          c.given_latency = part.latency;
        }
    list.push_back(std::move(part));
    return list.back();
  }
  // Between bodies that exist. Gives it its place in the state; an engaged fused dock is welded.
  Dock<T>& add_dock(Dock<T> dock);

  // Between bodies that exist. Gives it its place in the state.
  Contact<T>& add_contact(Contact<T> contact) {
    std::visit([](auto& law) { law.settle(); }, contact.law);
    contact.first_state = 0;
    for (const Contact<T>& c : contacts) contact.first_state += c.state_count();
    if (contact.is_impact()) add_rest(contact);
    contacts.push_back(std::move(contact));
    return contacts.back();
  }
  void add_rest(const Contact<T>& contact) {
    Rest<T> rest;
    rest.port_1 = contact.port_2;
    rest.port_2 = contact.port_1;
    rest.contact = static_cast<int>(contacts.size());
    rest.normal = contact.port_2.R_BP.column_x();
    rest.across = find_normals(rest.normal);
    rest.radius = find_radius(contact);
    rest.friction = std::get<Impact<T>>(contact.law).friction;
    rest.rest_speed = std::get<Impact<T>>(contact.law).rest_speed;
    rest.rough = std::get<Impact<T>>(contact.law).has_friction();
    rests.push_back(std::move(rest));
  }

  // A reference orbit; everything is then counted from the point that flies it.
  void set_orbit(const OrbitalGravity<T>& gravity, const Vec3<T>& r, const Vec3<T>& v) {
    in_orbit = true;
    r_OE_N = r;
    v_OE_N = v;
    add_force(gravity);
  }
  // What parts may refer to.
  Names find_names() const {
    Names names;
    names.bodies = model.names;
    for (const Body<T>& b : model.bodies) names.speeds.push_back(shape(b.joint).speeds);
    for (const auto& p : model.ports) names.ports.push_back(p.name);
    for (const ThrusterSet<T>& s : std::get<std::vector<ThrusterSet<T>>>(forces))
      names.thruster_sets.push_back(s.name);
    for_each_part(sensors, [&](const auto& s) { names.sensors.push_back(s.name); });
    return names;
  }
  const OrbitalGravity<T>& gravity() const {
    return std::get<std::vector<OrbitalGravity<T>>>(forces).front();
  }

  Layout layout() const;
};

// Scratch of one evaluation; one per thread.
template <Scalar T>
struct Workspace {
  explicit Workspace(const System<T>& system);

  Layout layout;
  Motion<T> motion;
  Effort<T> internal, external, total;
  Command<T> command;
  Articulated<T> articulated;
  std::vector<T> readings;  // of all sensors, in the order of the lists
  std::vector<T> outputs;   // of all controllers, likewise
  Prescribed<T> prescribed;
  std::vector<T> v_dot;
  bool computes_torque = false;      // any ComputedTorque controller
  bool pushes_from_outside = false;  // a controller without actuators
  std::vector<DockMotion<T>> docks;
  std::vector<RestMotion<T>> rests;
  std::vector<ContactMotion<T>> contacts;
  std::vector<ContactSignal<T>> arriving;  // of delayed contacts; filled by the run
  bool sees_idle = true;                   // open docks and contacts, which push nothing
  bool sees_loads = true;                  // of rows, where the accelerations do not need them
  Response<T> response;
  struct Multipliers {
    std::vector<T> S, lambda;
    std::vector<T> QR, diagonal;  // of S and a right-hand side, where something slides
    Wrench<T> on_ground;          // what closures to the ground put on it
  } multipliers;
  struct Reduced {  // scratch of solve_reduced
    std::vector<Inertia6<T>> composite;
    std::vector<T> M, C, diagonal, W, G, delta;
  } reduced;
};

// Nothing held, no valve open: as before the first sample.
template <Scalar T>
Mode<T> idle_mode(const Workspace<T>& w) {
  Mode<T> mode;
  mode.held.assign(w.outputs.size() + w.readings.size(), T(0.0));
  mode.levels.assign(w.command.levels.size(), T(0.0));
  mode.contacts.resize(w.contacts.size());
  return mode;
}

// Calls f(sensor, first reading, first state).
template <Scalar T>
BERTH_INLINE void for_each_sensor(const System<T>& system, const Layout& at, auto&& f) {
  int reading = 0, state = at.docks;
  for_each_part(system.sensors, [&](const auto& s) { state -= s.state_count(); });
  for_each_part(system.sensors, [&]<class Sensor>(const Sensor& s) {
    f(s, reading, state);
    reading += count_outputs<Sensor>();
    state += s.state_count();
  });
}

// Calls f(controller, first output, first state).
template <Scalar T>
BERTH_INLINE void for_each_control(const System<T>& system, const Layout& at, auto&& f) {
  int output = 0, state = at.z;
  for_each_part(system.controls, [&](const auto& c) {
    f(c, output, state);
    output += c.output_count();
    state += c.state_count();
  });
}

// x at t = 0.
template <Scalar T>
std::vector<T> find_initial_state(const System<T>& system);

// Stages, each leaving its results in the workspace.
template <Scalar T>
void motion_stage(const System<T>& system, std::type_identity_t<T> t, std::span<const T> x,
                  const Mode<T>& mode,
                  Workspace<T>& w);  // x            => poses, rates, orbit point, rows
// What a motion stage has left out, w.sees_idle being false: open docks, contacts.
template <Scalar T>
void idle_dock_stage(const System<T>& system, std::span<const T> x, Workspace<T>& w);
template <Scalar T>
void idle_contact_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                        Workspace<T>& w);
template <Scalar T>
void command_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w);  // poses, rates => commands to actuators
template <Scalar T>
void effort_stage(const System<T>& system, Workspace<T>& w);  // => internal, external, total effort
template <Scalar T>
void acceleration_stage(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                        std::span<T> v_dot,
                        bool with_loads = true);  // effort => accelerations, dock loads

// Rates of all states but q and v, into their places, after the stages.
template <Scalar T>
void find_state_rates(const System<T>& system, std::span<const T> x, const Workspace<T>& w,
                      std::span<T> x_dot);

// ẋ = f(t, x; mode)
template <Scalar T>
void find_derivative(const System<T>& system, std::type_identity_t<T> t, std::span<const T> x,
                     const Mode<T>& mode, Workspace<T>& w, std::span<T> x_dot);

// The law of every controller evaluated now, whether sampled or not, into w.outputs.
template <Scalar T>
void find_outputs(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                  Workspace<T>& w);

// Moves C by the given amounts; every position and velocity keeps its place in O.
template <Scalar T>
void recentre(const System<T>& system, const Vec3<T>& shift_N, const Vec3<T>& shift_rate_N,
              std::span<T> x);

// Mass-weighted mean position and velocity of all bodies, from C.
template <Scalar T>
struct CentreOfMass {
  T mass;
  Vec3<T> r_N, v_N;
};
template <Scalar T>
CentreOfMass<T> find_centre_of_mass(const Model<T>& model, const Motion<T>& motion);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// From structs to something that runs, and everything that only building shows to be wrong.

#include <algorithm>
#include <cmath>

#include "berth/scenario/build/build_capture.h"
#include "berth/scenario/build/build_contacts.h"
#include "berth/scenario/build/build_docks.h"
#include "berth/scenario/build/build_events.h"
#include "berth/scenario/build/build_states.h"
#include "berth/scenario/build/build_tasks.h"
#include "berth/scenario/check/check_scenario.h"
#include "berth/scenario/scenario.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

// Of a scenario in which checking found nothing wrong.
class Builder {
 public:
  Builder(const Scenario& scenario, BuiltScenario& built, Problems& problems)
      : s_(scenario), built_(built), problems_(problems) {}

  void build() {
    structure_ = build_structure(s_, system(), problems_);
    if (!problems_.empty()) return;
    place_craft();
    if (!problems_.empty()) return;
    add_docks(s_, structure_.ports, system(), problems_);
    for (const ContactSpec& c : s_.contact) add_contact(c, structure_.ports, system());
    add_gravity();
    if (!problems_.empty()) return;
    assemble_loops(system(), problems_);
    if (!problems_.empty()) return;
    add_measures(s_, structure_.ports, system(), problems_);
    for (const ForceSpec& force : s_.force) add_force(force);
    for (const FreeBodySpec& body : s_.body) add_joint_spring(body);
    for (const SensorSpec& sensor : s_.sensor) add_sensor(sensor);
    for (const ControlSpec& control : s_.control) add_control(control);
    for (const External<double>& external : s_.external)
      attempt("external." + external.name, [&] { system().add_control(external); });
    set_options();
    if (!problems_.empty()) return;
    check_docks(system(), problems_);
    place_contacts(s_, system(), problems_);
    if (!problems_.empty()) return;
    check_contacts(s_, system(), problems_);
    if (!problems_.empty()) return;
    check_motion();
    if (!problems_.empty()) return;
    warm_start(system());
    built_.events = build_events(s_, structure_.ports, system(), Channels(system()), problems_);
  }

 private:
  System<double>& system() { return built_.system; }

  // Runs f; what it throws becomes a problem of `path`.
  template <class F>
  void attempt(const std::string& path, F&& f) {
    try {
      f();
    } catch (const std::bad_alloc&) {
      throw;  // no fault of the scenario
    } catch (const std::exception& e) {
      problems_.add(path, e.what());
    }
  }

  // Craft may stand to craft that are docked, and be docked to those that stand to others: both are
  // placed until nothing moves any more. What is wrong shows the first time.
  void place_craft() {
    Model<double>& model = system().model;
    Problems repeated, *problems = &problems_;
    std::vector<double> before;
    for (std::size_t i = 0; i <= s_.spacecraft.size() && before != model.q0; ++i) {
      before = model.q0;
      place_craft_by_others(s_, structure_.orbit(), structure_.ports, model, *problems);
      place_docked_craft(s_, structure_.ports, model, *problems);
      problems = &repeated;
    }
  }

  void add_gravity() {
    if (s_.gravity) {
      UniformGravity<double> g;
      g.uniform = s_.gravity->uniform;
      system().add_force(g);
    }
    if (!s_.orbit) return;
    OrbitalGravity<double> g;
    g.mu = s_.orbit->mu;
    g.j2 = s_.orbit->j2;
    g.equatorial_radius = s_.orbit->equatorial_radius;
    g.gravity_gradient = s_.orbit->gravity_gradient;
    system().set_orbit(g, structure_.orbit_state.r_N, structure_.orbit_state.v_N);
  }

  void add_force(const ForceSpec& f) {
    std::visit(
        [&](auto part) {
          part.name = f.name;
          attempt("force." + f.name, [&] { system().add_force(part); });
        },
        f.part);
  }

  void add_joint_spring(const FreeBodySpec& b) {
    if (!b.has_spring()) return;
    JointSpring<double> spring;
    spring.name = b.name + ".spring";
    spring.joint = b.name;
    spring.stiffness = b.stiffness;
    spring.damping = b.damping;
    spring.rest = b.rest;
    spring.effort = b.effort;
    attempt("body." + b.name, [&] { system().add_force(spring); });
  }

  void add_sensor(const SensorSpec& s) {
    std::visit(
        [&](auto part) {
          part.name = s.name;
          part.enabled = s.enabled;
          attempt("sensor." + s.name, [&] { system().add_sensor(part); });
        },
        s.part);
  }

  void add_control(const ControlSpec& c) {
    const std::string path = "control." + c.name;
    std::visit(
        [&](auto part) {
          if (c.task) {
            const std::size_t before = problems_.list.size();
            attempt(path + ".task", [&] {
              part.set_references(find_joint_references(system(), structure_.ports, *c.task,
                                                        part.driven_joints(), path + ".task",
                                                        problems_));
            });
            if (problems_.list.size() > before) return;
          }
          part.name = c.name;
          part.enabled = c.enabled;
          attempt(path, [&] { system().add_control(part); });
        },
        c.part);
  }

  void set_options() {
    const IntegratorSpec& i = s_.integrator;
    RunOptions& to = built_.options;
    to.method = i.method;
    to.integrator.tolerance = i.tolerance;
    to.integrator.mean_error = i.norm == ErrorMeasure::mean;
    to.integrator.step = i.step;
    if (i.max_step > 0) to.integrator.max_step = i.max_step;
    to.integrator.max_steps = static_cast<std::uint64_t>(i.max_steps);
    to.max_events = static_cast<std::uint64_t>(i.max_events);
    if (i.max_wall_time > 0) to.max_wall_time = i.max_wall_time;
  }

  // The first accelerations: a joint with nothing to accelerate, an infinite force.
  void check_motion() {
    Workspace<double> w(system());
    const std::vector<double> x = find_initial_state(system());
    Mode<double> mode = idle_mode(w);
    std::vector<double> x_dot(x.size());
    choose_rows(system(), 0.0, x, mode, w);
    find_derivative<double>(system(), 0.0, x, mode, w, x_dot);
    const Model<double>& model = system().model;
    for (int i = 1; i < model.body_count(); ++i) {
      const Body<double>& b = model.body(i);
      for (int k = 0; k < shape(b.joint).speeds; ++k) {
        if (std::isfinite(x_dot[static_cast<std::size_t>(w.layout.v + b.v + k)])) continue;
        return problems_.add(path_of_body(model.names[static_cast<std::size_t>(i)]),
                             "its first acceleration is not finite: no inertia about its joint "
                             "axis, or numbers beyond all measure");
      }
    }
  }
  std::string path_of_body(const std::string& name) const {
    const std::size_t dot = name.find('.');
    if (std::any_of(s_.body.begin(), s_.body.end(),
                    [&](const FreeBodySpec& b) { return b.name == name; }))
      return "body." + name;
    if (dot == std::string::npos) return "spacecraft." + name;
    return "spacecraft." + name.substr(0, dot) + ".component." + name.substr(dot + 1);
  }

  const Scenario& s_;
  BuiltScenario& built_;
  Problems& problems_;
  Structure structure_;
};

}  // namespace

BuiltScenario build_scenario(const Scenario& scenario, Problems& problems) {
  BuiltScenario built;
  const Scenario checked = check_scenario(scenario, problems);
  if (problems.empty()) Builder(checked, built, problems).build();
  // What is wrong with a measure or event that a capture became is wrong with the capture.
  for (Problem& p : problems.list) {
    const std::string capture = find_capture_of(scenario, p.path);
    if (capture.empty()) continue;
    p.path = "capture." + capture;
    p.place = problems.place_around(p.path);
  }
  return built;
}

}  // namespace berth

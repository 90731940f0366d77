// SPDX-License-Identifier: Apache-2.0

// From structs to something that runs, and everything that only building shows to be wrong.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "berth/integrate/methods.h"
#include "berth/math/kepler.h"
#include "berth/run/stepper.h"
#include "berth/scenario/body_shapes.h"
#include "berth/scenario/build_capture.h"
#include "berth/scenario/build_contacts.h"
#include "berth/scenario/build_docks.h"
#include "berth/scenario/build_events.h"
#include "berth/scenario/build_states.h"
#include "berth/scenario/build_tasks.h"
#include "berth/scenario/builder_base.h"
#include "berth/scenario/scenario.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

class Builder : BuilderBase {
 public:
  Builder(const Scenario& scenario, Story& story, Problems& problems)
      : BuilderBase(scenario, story, problems), before_(problems.list.size()) {}

  void build() {
    check_names();
    check_shapes(s_, problems_);
    add_world();
    for (const SpacecraftSpec& craft : s_.spacecraft) add_craft(craft);
    for (const FreeBodySpec& body : s_.body) add_body(body);
    if (s_.spacecraft.empty() && s_.body.empty())
      problems_.add("spacecraft", "nothing to simulate: no [[spacecraft]] and no [[body]]");
    if (problems_.list.size() > before_) return;
    const Ports ports = find_ports(s_, story_.system.model, last_body_, problems_);
    for (const auto& [name, port] : ports) story_.system.model.ports.push_back({name, port});
    check_dock_ports(s_, ports, problems_);
    if (problems_.list.size() > before_) return;
    place_craft(ports);
    if (problems_.list.size() > before_) return;
    add_docks(s_, ports, story_.system, problems_);
    add_contacts(s_, ports, story_.system, problems_);
    add_gravity();
    if (problems_.list.size() == before_) assemble_loops(story_.system, problems_);
    if (problems_.list.size() == before_) add_measures(s_, ports, story_.system, problems_);
    for (const ForceSpec& force : s_.force) add_force(force);
    for (const ControlSpec& control : s_.control) add_control(control, ports);
    set_options();
    if (!problems_.empty()) return;
    check_docks(story_.system, problems_);
    check_contacts(story_.system, problems_);
    if (!problems_.empty()) return;
    check_motion();
    if (!problems_.empty()) return;
    warm_start(story_.system);
    build_events(s_, ports, story_, problems_);
  }

 private:
  // Craft may stand to craft that are docked, and be docked to those that stand to others: both are
  // placed until nothing moves any more. What is wrong shows the first time.
  void place_craft(const Ports& ports) {
    Model<double>& model = story_.system.model;
    Problems told, *problems = &problems_;
    std::vector<double> before;
    for (std::size_t i = 0; i <= s_.spacecraft.size() && before != model.q0; ++i) {
      before = model.q0;
      place_craft_by_others(s_, orbit(), ports, model, *problems);
      place_docked_craft(s_, ports, model, *problems);
      problems = &told;
    }
  }

  // Names, each in its table, that must differ from one another and from those taken already.
  struct Named {
    std::string table, name;
  };
  static bool is_name(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
             (c >= 'A' && c <= 'Z');
    });
  }
  void check_unique(const std::vector<Named>& names, const std::set<std::string>& taken = {}) {
    std::set<std::string> seen = taken;
    for (const auto& [table, name] : names) {
      if (!is_name(name))
        problems_.add(table + "." + name,
                      fmt::format("\"{}\" is no name: letters, digits, _ and - only", name));
      if (!seen.insert(name).second)
        problems_.add(table + "." + name, taken.contains(name)
                                              ? fmt::format("the name {} is taken", name)
                                              : fmt::format("the name {} is used twice", name));
    }
  }
  template <class Specs>
  static void add_names(const std::string& table, const Specs& specs, std::vector<Named>& to) {
    for (const auto& x : specs) to.push_back({table, x.name});
  }
  template <class Specs>
  void check_unique(const std::string& table, const Specs& specs) {
    std::vector<Named> names;
    add_names(table, specs, names);
    check_unique(names);
  }
  void check_names() {
    // Craft, bodies, forces and controllers all own channels: <owner>.<quantity>.
    std::vector<Named> owners;
    add_names("spacecraft", s_.spacecraft, owners);
    add_names("body", s_.body, owners);
    add_names("force", s_.force, owners);
    add_names("control", s_.control, owners);
    add_names("dock", s_.dock, owners);
    add_names("loop", s_.loop, owners);
    add_names("contact", s_.contact, owners);
    add_names("measure", s_.measure, owners);  // and what captures measure
    check_unique(owners, {"ground", "orbit", "system", "bodies"});
    for (const SpacecraftSpec& c : s_.spacecraft) {
      check_unique("spacecraft." + c.name + ".component", c.component);
      check_unique("spacecraft." + c.name + ".port", c.port);
    }
    check_unique("event", s_.event);
    check_unique("record.group", s_.record.group);
  }

  // The reference orbit; the craft are then placed around it.
  void add_world() {
    if (s_.orbit && s_.gravity)
      problems_.add("gravity", "uniform gravity and an orbit exclude each other");
    if (!s_.orbit) return;
    const OrbitSpec& o = *s_.orbit;
    const bool has_elements = o.semi_major_axis || o.eccentricity != 0 || o.inclination != 0 ||
                              o.node != 0 || o.periapsis != 0 || o.anomaly != 0;
    if (o.position && o.velocity && !has_elements) {
      orbit_ = {*o.position, *o.velocity};
    } else if (o.semi_major_axis && !o.position && !o.velocity) {
      if (o.eccentricity >= 1)
        return problems_.add("orbit.eccentricity",
                             fmt::format("{} must be below 1", o.eccentricity));
      orbit_ = find_orbit_state(
          {*o.semi_major_axis, o.eccentricity, o.inclination, o.node, o.periapsis, o.anomaly},
          o.mu);
    } else {
      return problems_.add(
          "orbit", "give either position and velocity, or semi_major_axis and the other elements");
    }
    if (!(norm(cross(orbit_.r_N, orbit_.v_N)) > 0))
      problems_.add("orbit", "position and velocity lie on one line: no orbit plane");
  }

  void add_craft(const SpacecraftSpec& craft) {
    const std::string path = "spacecraft." + craft.name;
    BodySpec<double> hub;
    hub.name = craft.name;
    hub.mass = craft.mass;
    hub.r_CB_B = craft.centre_of_mass;
    hub.I_C_B = craft.inertia;
    if (craft.inertia == Sym3<double>{} && craft.mass > 0)
      problems_.add(path + ".inertia", "a hub needs an inertia");
    if (craft.state && craft.placement)
      problems_.add(path + ".placement", "state and placement exclude each other");
    attempt(path + ".state", [&] { place_hub_by_itself(craft, orbit(), hub, problems_); });
    Model<double>& model = story_.system.model;
    if (model.find_body(hub.name) >= 0) return;  // told already
    attempt(path, [&] { model.add_body(hub); });
    const int hub_index = model.find_body(craft.name);
    for (const PortSpec& port : craft.port) check_port(path, port);
    for (const ComponentSpec& c : craft.component) {
      const std::string at = path + ".component." + c.name;
      int mount = hub_index;
      if (!c.on.empty()) {
        mount = carried_by(craft, c.on);
        if (mount < 0) {
          std::vector<std::string> before, after;
          for (const ComponentSpec& o : craft.component)
            (&o < &c ? before : after).push_back(o.name);
          if (contains(before, c.on)) continue;  // itself not built: told already
          problems_.add(at + ".on", contains(after, c.on)
                                        ? c.on + " must stand before what it carries"
                                        : fmt::format("no component {} before this one{}", c.on,
                                                      suggest(c.on, before)));
          continue;
        }
      }
      attempt(at, [&] {
        std::visit(
            [&](const auto& part) {
              if constexpr (requires { part.link; })
                if (part.link.empty())
                  return problems_.add(at + ".link", "is empty: an arm has at least one link");
              const auto& added =
                  story_.system.add_component(part, mount, craft.name + "." + c.name);
              last_body_[craft.name + "." + c.name] = added.last_body();
            },
            c.part);
      });
    }
  }
  int carried_by(const SpacecraftSpec& craft, const std::string& on) const {
    const auto it = last_body_.find(craft.name + "." + on);
    return it == last_body_.end() ? -1 : it->second;
  }
  void check_port(const std::string& path, const PortSpec& port) {
    if (port.axes.empty()) return;
    const std::string at = path + ".port." + port.name + ".axes";
    if (port.axes.size() != 2) return problems_.add(at, "two directions are needed: x and z");
    if (!(norm(cross(port.axes[0], port.axes[1])) > 1e-9))
      problems_.add(at, "x and z must not be parallel");
  }

  void add_body(const FreeBodySpec& b) {
    const std::string path = "body." + b.name;
    Model<double>& model = story_.system.model;
    if (model.find_body(b.name) >= 0) return;  // told already
    BodySpec<double> spec;
    spec.name = b.name;
    spec.parent = model.find_body(b.parent);
    if (spec.parent < 0)
      return problems_.add(path + ".parent", fmt::format("no body {} before this one{}", b.parent,
                                                         suggest(b.parent, model.names)));
    std::vector<std::string> joints;
    for (std::size_t i = 0; i < kJoints.size(); ++i) {
      joints.emplace_back(kJoints[i].name);
      if (kJoints[i].name == b.joint) spec.joint = static_cast<JointType>(i);
    }
    if (shape(spec.joint).name != b.joint)
      return problems_.add(path + ".joint",
                           fmt::format("no joint {}{}", b.joint, suggest(b.joint, joints)));
    if (s_.orbit && spec.parent == kGround && spec.joint != JointType::free)
      problems_.add(path + ".joint", "in an orbit nothing stands on the ground: use a free joint");
    spec.R_PF = rotation_matrix(quaternion_from_rotation_vector(b.rotation));
    spec.r_FP_P = b.position;
    spec.axis = b.axis;
    spec.mass = b.mass;
    spec.r_CB_B = b.centre_of_mass;
    spec.I_C_B = b.inertia;
    spec.q = b.q;
    spec.v = b.v;
    attempt(path, [&] { model.add_body(spec); });
    // An attitude must be one.
    const std::size_t at = spec.joint == JointType::free ? 3 : 0;
    if ((spec.joint == JointType::free || spec.joint == JointType::spherical) &&
        spec.q.size() == at + 4) {
      double n = 0;
      for (std::size_t k = at; k < at + 4; ++k) n += spec.q[k] * spec.q[k];
      if (std::fabs(n - 1) > 1e-6)
        problems_.add(path + ".q", "its quaternion must have unit length (scalar first)");
    }
  }

  void add_gravity() {
    if (s_.gravity) {
      UniformGravity<double> g;
      g.uniform = s_.gravity->uniform;
      story_.system.add_force(g);
    }
    if (!s_.orbit) return;
    OrbitalGravity<double> g;
    g.mu = s_.orbit->mu;
    g.j2 = s_.orbit->j2;
    g.equatorial_radius = s_.orbit->equatorial_radius;
    g.gravity_gradient = s_.orbit->gravity_gradient;
    story_.system.set_orbit(g, orbit_.r_N, orbit_.v_N);
  }

  // With bodies that could not be read, only what a force or controller names is looked at.
  void add_force(const ForceSpec& f) {
    const std::string path = "force." + f.name;
    const std::size_t before = problems_.list.size();
    std::visit(
        [&](auto part) {
          if constexpr (requires { part.body; }) check_moving_body(path + ".body", part.body);
          if constexpr (requires { part.body_1; }) {
            check_body(path + ".body_1", part.body_1);
            check_body(path + ".body_2", part.body_2);
            if (s_.orbit && (part.body_1 == "ground" || part.body_2 == "ground"))
              problems_.add(path, "in an orbit there is no ground to hold on to");
          }
          if constexpr (requires { part.schedule; })
            for (const Window& w : part.schedule)
              if (!(w[0] < w[1]))
                problems_.add(path + ".schedule",
                              fmt::format("[{}, {}] ends before it begins", w[0], w[1]));
          if constexpr (requires { part.sample_time; })
            check_interval(path + ".sample_time", part.sample_time, kMostSteps, "samples");
          if constexpr (requires { part.axes; })
            if (part.axes == "orbit" && !s_.orbit)
              problems_.add(path + ".axes", "orbit axes need an [orbit]");
          if (problems_.list.size() > before || before_ > 0) return;
          part.name = f.name;
          attempt(path, [&] { story_.system.add_force(part); });
        },
        f.part);
  }

  // "wheel1" of a controlled craft stands for "servicer.wheel1"; without an owner, for the only body
  // with that ending.
  void complete_names(const std::string& owner, const std::string& path,
                      std::vector<std::string>& names) {
    const Model<double>& model = story_.system.model;
    for (std::string& name : names) {
      std::vector<std::string> fitting;
      for (const std::string& body : model.names)
        if (owner.empty() ? body.ends_with("." + name) : body == owner + "." + name)
          fitting.push_back(body);
      if (model.find_body(name) < 0 && fitting.size() == 1) name = fitting.front();
      if (model.find_body(name) >= 0) continue;
      // What might be meant, without the owner's name in front.
      std::vector<std::string> near;
      for (const std::string& body : model.names)
        if (body.find('.') != std::string::npos && (owner.empty() || body.starts_with(owner + ".")))
          near.push_back(body.substr(body.find('.') + 1));
      problems_.add(path, fmt::format("no body named {}{}", name, suggest(name, near)));
    }
    check_listed_once(path, names);
  }
  void check_listed_once(const std::string& path, const std::vector<std::string>& names) {
    std::set<std::string> seen;
    for (const std::string& name : names)
      if (!seen.insert(name).second) problems_.add(path, name + " is listed twice");
  }

  // Ports a controller names, and axes that need an orbit.
  template <class Part>
  void check_frames(const std::string& path, const Part& part, const Ports& ports) {
    if constexpr (requires { part.between; })
      for (const std::string& p : part.between) find_port(ports, p, path + ".between", problems_);
    if constexpr (requires { part.ports; })
      for (const std::string& p : part.ports) find_port(ports, p, path + ".ports", problems_);
    const auto need_orbit = [&](const char* key, const std::string& word) {
      if (word == "lvlh" && !s_.orbit) problems_.add(path + "." + key, "\"lvlh\" needs an [orbit]");
    };
    if constexpr (requires { part.axes; }) need_orbit("axes", part.axes);
    if constexpr (requires { part.follow; }) need_orbit("follow", part.follow);
    // What is asked for is in the axes of the body that has the thrusters.
    if constexpr (requires { part.thrusters; }) {
      const auto* set = find_thrusters(part.thrusters);
      const int carrier = set ? story_.system.model.find_body(set->body) : -1;
      if constexpr (requires { part.between; }) {
        const auto led = part.between.empty() ? ports.end() : ports.find(part.between[0]);
        if (set && led != ports.end() && led->second.body != carrier)
          problems_.add(
              path + ".between",
              fmt::format("{} must be on {}, which carries the thrusters", led->first, set->body));
      } else if (set && story_.system.model.find_body(part.body) != carrier) {
        problems_.add(path + ".body",
                      fmt::format("the thrusters {} are on {}", part.thrusters, set->body));
      }
    }
  }
  const ThrusterSet<double>* find_thrusters(const std::string& name) const {
    for (const ForceSpec& f : s_.force)
      if (f.name == name) return std::get_if<ThrusterSet<double>>(&f.part);
    return nullptr;
  }

  void add_control(const ControlSpec& c, const Ports& ports) {
    const std::string path = "control." + c.name;
    const std::size_t before = problems_.list.size();
    std::visit(
        [&](auto part) {
          if constexpr (requires { part.body; }) check_moving_body(path + ".body", part.body);
          if constexpr (requires { part.wheels; })
            complete_names(part.body, path + ".wheels", part.wheels);
          if constexpr (requires { part.joints; })
            complete_names("", path + ".joints", part.joints);
          check_frames(path, part, ports);
          if (part.latency > 0 && !(part.sample_time > 0))
            problems_.add(path + ".latency", "needs a sample_time");
          check_interval(path + ".sample_time", part.sample_time, kMostSteps, "samples");
          if (problems_.list.size() > before || before_ > 0) return;
          if (c.task) {
            if constexpr (requires { part.joints; }) {
              if (!part.reference.empty())
                return problems_.add(path + ".task", "a task or references, not both");
              attempt(path + ".task", [&] {
                part.reference = find_joint_references(story_.system, ports, *c.task, part.joints,
                                                       path + ".task", problems_);
              });
            } else {
              problems_.add(path + ".task", "belongs to controllers of joints");
            }
            if (problems_.list.size() > before) return;
          }
          part.name = c.name;
          part.enabled = c.enabled;
          attempt(path, [&] { story_.system.add_control(part); });
        },
        c.part);
  }

  void set_options() {
    const IntegratorSpec& i = s_.integrator;
    const std::vector<std::string> methods = list_methods();
    const Tableau* method = find_method(i.method);
    if (!contains(methods, i.method))
      problems_.add("integrator.method",
                    fmt::format("no method {}{}", i.method, suggest(i.method, methods)));
    if (is_variational_method(i.method)) check_variational();
    if (((method && !method->adaptive()) || is_variational_method(i.method)) && !(i.step > 0))
      problems_.add("integrator.step", fmt::format("{} takes fixed steps: give one [s]", i.method));
    if (i.tolerance > 0.1 || i.tolerance < 1e-15)
      problems_.add("integrator.tolerance",
                    fmt::format("{} is not between 1e-15 and 0.1", i.tolerance));
    check_interval("integrator.step", i.step, kMostSteps, "steps");
    check_interval("integrator.max_step", i.max_step, kMostSteps, "steps");
    check_interval("record.interval", s_.record.interval, kMostRows, "rows");
    for (const RecordGroupSpec& g : s_.record.group)
      check_interval("record.group." + g.name + ".interval", g.interval, kMostRows, "rows");
    check_ending();
    story_.options.method = i.method;
    story_.options.integrator.tolerance = i.tolerance;
    if (i.norm != "largest" && i.norm != "mean")
      problems_.add("integrator.norm", fmt::format("\"{}\" is not largest or mean", i.norm));
    story_.options.integrator.mean_error = i.norm == "mean";
    story_.options.integrator.step = i.step;
    if (i.max_step > 0) story_.options.integrator.max_step = i.max_step;
    story_.options.integrator.max_steps = static_cast<std::uint64_t>(i.max_steps);
    story_.options.max_events = static_cast<std::uint64_t>(i.max_events);
    if (i.max_wall_time > 0) story_.options.max_wall_time = i.max_wall_time;
  }

  // What steps of a mechanics of their own cannot take along.
  void check_variational() {
    const IntegratorSpec& i = s_.integrator;
    const auto refuse = [&](const std::string& path, const std::string& why) {
      problems_.add(path, fmt::format("{} {}; use dop853", i.method, why));
    };
    for (const ControlSpec& c : s_.control)
      std::visit(
          [&](const auto& part) {
            if (part.sample_time > 0)
              refuse("control." + c.name + ".sample_time",
                     "knows no samples: its steps are no moments at which a loop could act");
          },
          c.part);
    for (const ForceSpec& f : s_.force)
      if (const auto* set = std::get_if<ThrusterSet<double>>(&f.part); set && set->sample_time > 0)
        refuse("force." + f.name + ".sample_time", "knows no pulses");
    for (const ContactSpec& c : s_.contact)
      if (c.options.sample_time > 0)
        refuse("contact." + c.name + ".sample_time", "knows no samples");
    const Model<double>& model = story_.system.model;
    for (int k = 1; k < model.body_count(); ++k) {
      const Body<double>& b = model.body(k);
      if (b.joint != JointType::revolute) continue;
      const double turn = std::fabs(model.v0[static_cast<std::size_t>(b.v)]) * i.step;
      if (turn > 0.5)
        problems_.add("integrator.step",
                      fmt::format("{} turns {:.3g} rad per step: {} needs below 0.5, a step below "
                                  "{:.3g} s",
                                  model.names[static_cast<std::size_t>(k)], turn, i.method,
                                  0.5 * i.step / turn));
    }
  }

  void check_ending() {
    if (!s_.expect.outcome) return;
    const std::vector<std::string> endings(kEndings.begin(), kEndings.end());
    const std::string& wanted = *s_.expect.outcome;
    if (!contains(endings, wanted))
      problems_.add("expect.outcome",
                    fmt::format("no run ends as \"{}\"{}", wanted, suggest(wanted, endings)));
  }

  // One look at the first accelerations: a joint with nothing to accelerate, an infinite force.
  void check_motion() {
    const System<double>& system = story_.system;
    Workspace<double> w(system);
    const std::vector<double> x = find_initial_state(system);
    Mode<double> mode = idle_mode(w);
    std::vector<double> x_dot(x.size());
    choose_rows(system, 0.0, x, mode, w);
    find_derivative<double>(system, 0.0, x, mode, w, x_dot);
    for (int i = 1; i < system.model.body_count(); ++i) {
      const Body<double>& b = system.model.body(i);
      for (int k = 0; k < shape(b.joint).speeds; ++k) {
        if (std::isfinite(x_dot[static_cast<std::size_t>(w.layout.v + b.v + k)])) continue;
        const std::string& name = system.model.names[static_cast<std::size_t>(i)];
        return problems_.add(path_of_body(name),
                             "its first acceleration is not finite: no inertia about its joint "
                             "axis, or numbers beyond all measure");
      }
    }
  }
  std::string path_of_body(const std::string& name) const {
    const std::size_t dot = name.find('.');
    const bool is_body = story_.system.model.find_body(name) >= 0 &&
                         std::any_of(s_.body.begin(), s_.body.end(),
                                     [&](const FreeBodySpec& b) { return b.name == name; });
    if (is_body) return "body." + name;
    if (dot == std::string::npos) return "spacecraft." + name;
    return "spacecraft." + name.substr(0, dot) + ".component." + name.substr(dot + 1);
  }

  const OrbitState* orbit() const { return s_.orbit ? &orbit_ : nullptr; }

  std::size_t before_;  // problems known before anything was built
  OrbitState orbit_{};
  LastBodies last_body_;
};

}  // namespace

// What follows from an input that could not be read is no news: problems are left out when reading
// has found one in the same table.
Story build_story(const Scenario& scenario, Problems& problems) {
  const auto known = static_cast<std::ptrdiff_t>(problems.list.size());
  Story story;
  const Scenario expanded = expand_captures(scenario, problems);
  Builder(expanded, story, problems).build();
  rename_capture_problems(scenario, static_cast<std::size_t>(known), problems);
  // "spacecraft.servicer" of "spacecraft.servicer.mass"; nothing for the file as a whole.
  const auto table_of = [](const Problem& p) {
    return p.path.substr(0, p.path.find('.', p.path.find('.') + 1));
  };
  const auto first = problems.list.begin();
  const auto is_no_news = [&](const Problem& p) {
    return std::any_of(first, first + known, [&](const Problem& earlier) {
      return earlier.path.empty() || table_of(earlier) == table_of(p);
    });
  };
  problems.list.erase(std::remove_if(first + known, problems.list.end(), is_no_news),
                      problems.list.end());
  return story;
}

}  // namespace berth

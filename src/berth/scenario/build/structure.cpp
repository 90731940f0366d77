// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/structure.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/scenario/build/build_states.h"

namespace berth {
namespace {

class StructureBuilder {
 public:
  StructureBuilder(const Scenario& scenario, System<double>& system, Structure& to,
                   Problems& problems)
      : s_(scenario), system_(system), to_(to), problems_(problems) {}

  void build() {
    find_orbit();
    for (const SpacecraftSpec& craft : s_.spacecraft) add_craft(craft);
    for (const FreeBodySpec& body : s_.body) add_body(body);
    find_ports();
  }

 private:
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

  // The reference orbit; the craft are placed around it.
  void find_orbit() {
    if (!s_.orbit) return;
    const OrbitSpec& o = *s_.orbit;
    if (o.position && o.velocity) {
      to_.orbit_state = {*o.position, *o.velocity};
    } else if (const auto a = o.find_semi_major_axis(); a && *a > 0 && o.eccentricity < 1) {
      to_.orbit_state = find_orbit_state(
          {*a, o.eccentricity, o.inclination, o.node, o.periapsis, o.anomaly}, o.mu);
    } else {
      return;
    }
    to_.in_orbit = true;
  }

  void add_craft(const SpacecraftSpec& craft) {
    const std::string path = "spacecraft." + craft.name;
    Model<double>& model = system_.model;
    if (model.find_body(craft.name) >= 0) return;  // reported already
    BodySpec<double> hub;
    hub.name = craft.name;
    hub.mass = craft.mass;
    hub.r_CB_B = craft.centre_of_mass;
    hub.I_C_B = craft.inertia;
    place_hub_alone(craft, to_.orbit(), hub);
    attempt(path, [&] { model.add_body(hub); });
    for (const ComponentSpec& c : craft.component) {
      const std::string at = path + ".component." + c.name;
      const int mount = find_mount(craft, c, at);
      if (mount < 0) continue;
      attempt(at, [&] {
        std::visit(
            [&](const auto& part) {
              const std::string name = craft.name + "." + c.name;
              to_.last_bodies[name] = system_.put_component(part, mount, name).last_body();
            },
            c.part);
      });
    }
  }
  // The body that carries a component; negative, and a problem, when there is none.
  int find_mount(const SpacecraftSpec& craft, const ComponentSpec& c, const std::string& at) {
    if (c.on.empty()) return system_.model.find_body(craft.name);
    const auto it = to_.last_bodies.find(craft.name + "." + c.on.name);
    if (it != to_.last_bodies.end()) return it->second;
    std::vector<std::string> before, after;
    for (const ComponentSpec& o : craft.component) (&o < &c ? before : after).push_back(o.name);
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    // Itself not built, or without a name: reported already.
    if (has(before, c.on.name) || has(before, "") || has(after, "")) return -1;
    problems_.add(at + ".on", has(after, c.on.name)
                                  ? c.on.name + " must stand before what it carries"
                                  : fmt::format("no component {} before this one{}", c.on.name,
                                                suggest(c.on.name, before)));
    return -1;
  }

  void add_body(const FreeBodySpec& b) {
    const std::string path = "body." + b.name;
    Model<double>& model = system_.model;
    if (model.find_body(b.name) >= 0) return;  // reported already
    BodySpec<double> spec;
    spec.name = b.name;
    spec.parent = model.find_body(b.parent.name);
    if (spec.parent < 0)
      return problems_.add(path + ".parent",
                           fmt::format("no body {} before this one{}", b.parent.name,
                                       suggest(b.parent.name, model.names)));
    spec.joint = b.joint;
    spec.R_PF = rotation_matrix(quaternion_from_rotation_vector(b.rotation));
    spec.r_FP_P = b.position;
    spec.axis = b.axis;
    spec.mass = b.mass;
    spec.r_CB_B = b.centre_of_mass;
    spec.I_C_B = b.inertia;
    spec.q = b.q;
    spec.v = b.v;
    attempt(path, [&] { model.add_body(spec); });
  }

  void find_ports() {
    Model<double>& model = system_.model;
    for (int i = 0; i < model.body_count(); ++i)
      to_.ports[model.names[static_cast<std::size_t>(i)]].body = i;
    for (const SpacecraftSpec& c : s_.spacecraft)
      for (const PortSpec& p : c.port)
        add_port(c.name, "spacecraft." + c.name + ".port." + p.name, p);
    for (const FreeBodySpec& b : s_.body)
      for (const PortSpec& p : b.port) add_port(b.name, "body." + b.name + ".port." + p.name, p);
    for (const auto& [name, port] : to_.ports) model.ports.push_back({name, port});
  }
  void add_port(const std::string& owner, const std::string& path, const PortSpec& p) {
    const Model<double>& model = system_.model;
    Port<double> port;
    port.body = model.find_body(owner);
    if (port.body < 0) return;  // reported already
    if (!p.on.empty()) {
      const std::string carrier = owner + "." + p.on.name;
      const auto it = to_.last_bodies.find(carrier);
      port.body = it != to_.last_bodies.end() ? it->second : model.find_body(carrier);
      if (port.body < 0)
        return problems_.add(path + ".on", fmt::format("{} has no component {}", owner, p.on.name));
    }
    port.r_PB_B = p.position;
    port.R_BP = p.find_axes();
    const auto [it, is_new] = to_.ports.emplace(owner + "." + p.name, port);
    if (!is_new && model.find_body(owner + "." + p.name) >= 0)
      problems_.add(path, fmt::format("the name {} is taken by a component", p.name));
  }

  const Scenario& s_;
  System<double>& system_;
  Structure& to_;
  Problems& problems_;
};

}  // namespace

Structure build_structure(const Scenario& scenario, System<double>& system, Problems& problems) {
  Structure out;
  StructureBuilder(scenario, system, out, problems).build();
  return out;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/scene_facts.h"

#include <string>
#include <variant>

#include "berth/scenario/json_list.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

Json list_names(const std::vector<PortRef>& ports) {
  Json out = Json::array();
  for (const PortRef& port : ports) out.push_back(port.name);
  return out;
}

Json find_captures(const Scenario& scenario) {
  Json out = Json::array();
  for (const CaptureSpec& c : scenario.capture)
    out.push_back({{"name", c.name}, {"ports", list_names(c.between)}});
  return out;
}

Json find_contacts(const Scenario& scenario) {
  Json out = Json::array();
  const auto type_of = [](const auto& part) { return std::string(part.type); };
  const auto radius_of = [](const auto& probe) { return probe.find_radius(); };
  for (const ContactSpec& c : scenario.contact)
    out.push_back({{"name", c.name},
                   {"ports", list_names(c.between)},
                   {"probe", std::visit(type_of, c.probe)},
                   {"radius", std::visit(radius_of, c.probe)},
                   {"surface", std::visit(type_of, c.surface)}});
  return out;
}

Json find_joins(const Scenario& scenario) {
  Json out = Json::array();
  for (const DockSpec& d : scenario.dock)
    out.push_back({{"name", d.name},
                   {"soft", d.enforce == Enforce::penalty},
                   {"ports", list_names(d.between)}});
  return out;
}

Json find_thrusters(const Scenario& scenario) {
  Json out = Json::array();
  for (const ForceSpec& force : scenario.force) {
    const auto* set = std::get_if<ThrusterSet<double>>(&force.part);
    for (std::size_t i = 0; set && i < set->thruster.size(); ++i)
      out.push_back({{"body", set->body.name},
                     {"at", to_list(set->thruster[i].position)},
                     {"direction", to_list(set->thruster[i].direction)},
                     {"thrust", set->thruster[i].thrust},
                     {"level", force.name + ".level" + std::to_string(i + 1)}});
  }
  return out;
}

// Solids of other bodies stand for mass and inertia.
Json find_shaped(const Scenario& scenario) {
  Json out = Json::array();
  for (const SpacecraftSpec& craft : scenario.spacecraft) {
    if (!craft.shape.empty()) out.push_back(craft.name);
    for (const ComponentSpec& part : craft.component)
      if (!part.shape.empty()) out.push_back(craft.name + "." + part.name);
  }
  for (const FreeBodySpec& body : scenario.body)
    if (!body.shape.empty()) out.push_back(body.name);
  return out;
}

}  // namespace

Json build_scene_facts(const Scenario& scenario) {
  return {{"captures", find_captures(scenario)},
          {"thrusters", find_thrusters(scenario)},
          {"joins", find_joins(scenario)},
          {"contacts", find_contacts(scenario)},
          {"shaped", find_shaped(scenario)},
          {"gravity", scenario.gravity ? to_list(scenario.gravity->uniform) : Json(nullptr)}};
}

}  // namespace berth

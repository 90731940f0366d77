// SPDX-License-Identifier: Apache-2.0
#include "berth/system/configuration.h"

#include <algorithm>
#include <stdexcept>

namespace berth {
namespace {

void require(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(std::string("configuration of another system: ") + what);
}

}  // namespace

std::vector<Weld> find_welds(const Model<double>& model) {
  std::vector<Weld> hubs;
  for (const Body<double>& b : model.bodies)
    if (b.hub) hubs.push_back({b.joint == JointType::fixed, b.parent, b.R_PF, b.r_FP_P});
  return hubs;
}

void set_welds(Model<double>& model, std::span<const Weld> hubs) {
  std::vector<int> bodies;
  for (int i = 0; i < model.body_count(); ++i)
    if (model.body(i).hub) bodies.push_back(i);
  require(bodies.size() == hubs.size(), "hubs");
  // All are cut loose first: none then hangs on another in the meantime.
  for (const int i : bodies)
    if (model.body(i).joint == JointType::fixed) model.cut(i);
  for (std::size_t k = 0; k < hubs.size(); ++k) {
    const Weld& w = hubs[k];
    require(w.parent >= 0 && w.parent < model.body_count(), "a hub is welded to no body");
    require(w.welded || w.parent == kGround, "a free hub has a parent");
    if (w.welded) model.weld(bodies[k], w.parent, w.R_PF, w.r_FP_P);
    Body<double>& b = model.bodies[static_cast<std::size_t>(bodies[k])];
    b.R_PF = w.R_PF;
    b.r_FP_P = w.r_FP_P;
  }
}

Configuration find_configuration(const System<double>& system) {
  Configuration out;
  out.hubs = find_welds(system.model);
  for (const Dock<double>& d : system.docks)
    out.docks.push_back({d.engaged, d.enforce, d.arm, d.R_12, d.latch_delay});
  for_each_named_part(system, [&](const auto& part) {
    const auto reference = references_of(part);
    out.parts.push_back({part.enabled, {reference.begin(), reference.end()}});
  });
  for (const auto& set : std::get<std::vector<ThrusterSet<double>>>(system.forces))
    out.valves.push_back(set.valves);
  for (const Contact<double>& c : system.contacts) out.contacts.push_back({c.biased, c.bias});
  return out;
}

namespace {

void set_failures(System<double>& system, const Configuration& configuration) {
  auto& sets = std::get<std::vector<ThrusterSet<double>>>(system.forces);
  require(configuration.valves.size() == sets.size(), "thruster sets");
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const std::vector<Valve>& to = configuration.valves[k];
    require(to.empty() || to.size() == sets[k].thruster.size(), "thrusters");
    sets[k].valves = to;
  }
  require(configuration.contacts.size() == system.contacts.size(), "contacts");
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    system.contacts[k].biased = configuration.contacts[k].biased;
    system.contacts[k].bias = configuration.contacts[k].bias;
  }
}

}  // namespace

void set_configuration(System<double>& system, const Configuration& configuration) {
  set_welds(system.model, configuration.hubs);
  require(configuration.docks.size() == system.docks.size(), "docks");
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    Dock<double>& d = system.docks[k];
    const DockSetting& to = configuration.docks[k];
    d.engaged = to.engaged;
    d.enforce = to.enforce;
    d.arm = to.arm;
    d.R_12 = to.R_12;
    require(to.latch_delay >= 0, "a latch that comes before it is commanded");
    d.latch_delay = to.latch_delay;
  }
  set_failures(system, configuration);
  std::size_t k = 0;
  for_each_named_part(system, [&](auto& part) {
    require(k < configuration.parts.size(), "controllers and forces");
    const PartSetting& to = configuration.parts[k++];
    part.enabled = to.enabled;
    const auto reference = references_of(part);
    require(reference.size() == to.reference.size(), "references");
    for (const Profile<double>& p : to.reference) require_rules(p, "reference profile");
    std::copy(to.reference.begin(), to.reference.end(), reference.begin());
  });
  require(k == configuration.parts.size(), "controllers and forces");
}

}  // namespace berth

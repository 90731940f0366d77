// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/body_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace berth {
namespace {

std::vector<Solid> draw_as_asked(const std::vector<ShapeSpec>& asked) {
  std::vector<Solid> solids;
  for (const ShapeSpec& s : asked) {
    if (s.gltf || !s.kind) continue;
    Solid solid;
    solid.at = s.at;
    solid.q = quaternion_from_rotation_vector(s.rotation);
    solid.kind = *s.kind == ShapeKind::box      ? Solid::box
                 : *s.kind == ShapeKind::sphere ? Solid::sphere
                                                : Solid::cylinder;
    solid.size = s.size;
    solid.radius = s.radius;
    solid.length = s.length;
    solids.push_back(solid);
  }
  return solids;
}

std::vector<DrawnModel> find_models(const std::vector<ShapeSpec>& asked, const ModelFiles& models) {
  std::vector<DrawnModel> out;
  for (const ShapeSpec& s : asked)
    if (const auto file = s.gltf ? models.find(*s.gltf) : models.end(); file != models.end())
      out.push_back({file->second, s.at, quaternion_from_rotation_vector(s.rotation), s.scale});
  return out;
}

// How far the drawn bodies reach, for surfaces without end.
double find_extent(const Model<double>& model) {
  double extent = 1;
  for (int i = 1; i < model.body_count(); ++i) {
    const Body<double>& b = model.body(i);
    extent = std::max({extent, norm(b.r_CB_B), norm(b.r_FP_P), norm(find_box_size(b))});
  }
  return std::min(extent, 100.0);
}

// The probe is the body itself: no box is drawn inside.
bool is_ball(const Body<double>& b, const Port<double>& port, double radius) {
  return norm(port.r_PB_B - b.r_CB_B) < 0.1 * radius && norm(find_box_size(b)) < 3 * radius;
}

// How far a solid reaches from its port.
double find_reach(const Solid& s) {
  return s.kind == Solid::plane ? 0.5 * s.size.x : std::max(s.length, s.radius);
}

void add_contact_solids(const System<double>& system, std::vector<DrawnBody>& bodies) {
  const auto add = [&](const Port<double>& port, Solid solid) {
    solid.at = port.r_PB_B;
    solid.q = quaternion(port.R_BP);
    for (DrawnBody& b : bodies)
      // Several contacts of one probe or wall show it once.
      if (b.body == port.body &&
          std::find(b.solids.begin(), b.solids.end(), solid) == b.solids.end())
        b.solids.push_back(solid);
  };
  const double extent = find_extent(system.model);
  for (const Contact<double>& c : system.contacts) {
    const Solid surface = std::visit([&](const auto& s) { return s.draw(extent); }, c.surface);
    add(c.port_2, surface);
    const double reach = std::min(find_reach(surface), extent);
    const Solid probe = std::visit([&](const auto& p) { return p.draw(reach); }, c.probe);
    for (DrawnBody& b : bodies)
      if (b.body == c.port_1.body && probe.kind == Solid::sphere && !b.is_asked &&
          is_ball(system.model.body(b.body), c.port_1, find_radius(c)))
        b.solids.clear();
    add(c.port_1, probe);
  }
}

}  // namespace

bool needs_ground(const System<double>& system) {
  const Model<double>& model = system.model;
  for (int i = 1; i < model.body_count(); ++i)
    if (model.body(i).parent == kGround && !model.body(i).hub) return true;
  for (const Contact<double>& c : system.contacts)
    if (c.port_1.body == kGround || c.port_2.body == kGround) return true;
  for (const Dock<double>& d : system.docks)
    if (d.port_1.body == kGround || d.port_2.body == kGround) return true;
  return false;
}

std::vector<DrawnBody> find_drawn_bodies(const Scenario& scenario, const System<double>& system) {
  const Model<double>& model = system.model;
  // What the scenario wants, by the body it is for.
  std::map<int, const std::vector<ShapeSpec>*> asked;
  const auto ask = [&](int body, const std::vector<ShapeSpec>& shape) {
    if (!shape.empty()) asked[body] = &shape;
  };
  std::map<std::string, int> last_bodies;
  for (const auto& [last, place] : system.places) last_bodies[place.name] = last;
  std::map<int, int> crafts;  // by hub
  for (const SpacecraftSpec& c : scenario.spacecraft) {
    const int hub = model.find_body(c.name);
    crafts.emplace(hub, static_cast<int>(crafts.size()));
    ask(hub, c.shape);
    for (const ComponentSpec& part : c.component)
      ask(last_bodies.at(c.name + "." + part.name), part.shape);
  }
  for (const FreeBodySpec& b : scenario.body) ask(model.find_body(b.name), b.shape);

  Drawing drawing;
  for_each_part(system.components, [&](const auto& part) { part.draw(model, drawing); });
  for (int i = 1; i < model.body_count(); ++i)
    if (std::none_of(drawing.begin(), drawing.end(), [&](const auto& d) { return d.body == i; }))
      drawing.push_back(
          {i, crafts.contains(i) ? BodyKind::hub : BodyKind::body, draw_solid(model.body(i))});
  std::sort(drawing.begin(), drawing.end(),
            [](const DrawnPart& a, const DrawnPart& b) { return a.body < b.body; });

  // Components belong to the craft that carries them, whatever it is welded to; bodies on one tree are
  // one craft.
  const auto find_craft = [&](int i) {
    int owner = i;
    while (!crafts.contains(owner) && model.body(owner).parent != kGround) {
      owner = model.body(owner).parent;
    }
    return crafts.emplace(owner, static_cast<int>(crafts.size())).first->second;
  };
  std::vector<DrawnBody> out;
  for (DrawnPart& part : drawing) {
    DrawnBody body{model.names[static_cast<std::size_t>(part.body)], part.kind, part.body,
                   find_craft(part.body), std::move(part.solids)};
    if (const auto at = asked.find(part.body); at != asked.end()) {
      body.is_asked = true;
      body.solids = draw_as_asked(*at->second);
      body.models = find_models(*at->second, scenario.models);
    }
    out.push_back(std::move(body));
  }
  if (needs_ground(system))
    out.push_back({"ground", BodyKind::body, kGround, static_cast<int>(crafts.size())});
  add_contact_solids(system, out);
  return out;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/scene.h"

#include "berth/record/json_text.h"
#include "berth/scenario/json_list.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Solid& s) {
  Json out{{"kind", name_of(s.kind)}, {"at", to_list(s.at)}, {"q", to_list(s.q)}};
  switch (s.kind) {
    case Solid::box: out["size"] = to_list(s.size); break;
    case Solid::sphere: out["radius"] = s.radius; break;
    case Solid::cylinder:
    case Solid::capsule:
      out["radius"] = s.radius;
      out["length"] = s.length;
      break;
    case Solid::cone:
      out["half_angle"] = s.half_angle;
      out["length"] = s.length;
      break;
    case Solid::plane: out["size"] = s.size.x; break;
  }
  return out;
}

// `model` counts the models of the file, in the order in which they are stored.
Json to_json(const DrawnModel& m, std::size_t model) {
  const Vec3<double> size = m.scale * (m.file->high - m.file->low),
                     middle = 0.5 * m.scale * (m.file->high + m.file->low);
  return {{"kind", "gltf"},   {"at", to_list(m.at)},       {"q", to_list(m.q)},
          {"scale", m.scale}, {"middle", to_list(middle)}, {"size", to_list(size)},
          {"model", model}};
}

// The body a component ends in.
int find_end(const System<double>& system, const std::string& component) {
  for (const auto& [last, place] : system.places)
    if (place.name == component) return last;
  return -1;
}

}  // namespace

Scene::Scene(const Scenario& scenario, const System<double>& system)
    : bodies_(find_drawn_bodies(scenario, system)), on_ground_(needs_ground(system)) {
  const std::size_t arrows = system.contacts.size() + system.docks.size();
  add_channel("origin", "m", "N", "what positions are measured from, from the reference point", 3);
  if (system.in_orbit)
    add_channel("lvlh", "-", "", "attitude of the orbit's axes: x along, z down; scalar first", 4);
  add_channel("positions", "m", "N", "of every body of the model", 3 * bodies_.size());
  add_channel("quaternions", "-", "", "attitude of every body, scalar first", 4 * bodies_.size());
  if (arrows > 0) {
    add_channel("points", "m", "N", "where forces act: contacts, docks", 3 * arrows);
    add_channel("forces", "N", "N", "of contacts on the first member, of docks on the second",
                3 * arrows);
  }
  describe(scenario, system);
}

void Scene::add_channel(const char* name, const char* unit, const char* frame, const char* about,
                        std::size_t width) {
  if (width == 0) return;
  channels_.push_back(
      {name, unit, frame, about, static_cast<int>(width), static_cast<int>(width_)});
  width_ += width;
}

void Scene::describe(const Scenario& scenario, const System<double>& system) {
  const Model<double>& model = system.model;
  const auto drawn = [&](int body) {
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      if (bodies_[k].body == body) return static_cast<int>(k);
    return -1;
  };
  Json out;
  Json list = Json::array();
  for (const DrawnBody& b : bodies_) {
    // A hub that a fused dock has welded to another craft is still a craft of its own.
    const bool free = b.body == kGround || model.body(b.body).hub;
    Json shapes = Json::array();
    for (const Solid& solid : b.solids) shapes.push_back(to_json(solid));
    for (const DrawnModel& m : b.models)
      shapes.push_back(to_json(m, find_stored(scenario.models, m.file->bytes)));
    list.push_back({{"name", b.name},
                    {"kind", name_of(b.kind)},
                    {"parent", free ? -1 : drawn(model.body(b.body).parent)},
                    {"craft", b.craft},
                    {"shapes", shapes}});
  }
  out["bodies"] = list;
  Json ports = Json::array();
  const auto add_port = [&](const std::string& owner, const PortSpec& p) {
    const int body = drawn(p.on.name.empty() ? model.find_body(owner)
                                             : find_end(system, owner + "." + p.on.name));
    if (body < 0) return;
    const Quaternion<double> q = quaternion(p.find_axes());
    ports.push_back({{"name", owner + "." + p.name},
                     {"body", body},
                     {"at", {p.position.x, p.position.y, p.position.z}},
                     {"q", {q.w, q.x, q.y, q.z}}});
  };
  for (const SpacecraftSpec& c : scenario.spacecraft)
    for (const PortSpec& p : c.port) add_port(c.name, p);
  for (const FreeBodySpec& b : scenario.body)
    for (const PortSpec& p : b.port) add_port(b.name, p);
  out["ports"] = ports;
  Json arrows = Json::array();
  for (const Contact<double>& c : system.contacts) arrows.push_back(c.name);
  for (const Dock<double>& d : system.docks) arrows.push_back(d.name);
  out["arrows"] = arrows;
  model_ = to_text(out);
}

void Scene::fill(const System<double>& system, std::span<const double> x,
                 const Workspace<double>& w, std::span<double> row) const {
  double* to = row.data();
  const auto put = [&](const Vec3<double>& v) { *to++ = v.x, *to++ = v.y, *to++ = v.z; };
  const auto put_turn = [&](const Quaternion<double>& q) {
    *to++ = q.w, *to++ = q.x, *to++ = q.y, *to++ = q.z;
  };
  Vec3<double> origin{};
  if (!on_ground_) {
    double mass = 0;
    for (int i = 1; i < system.model.body_count(); ++i) {
      const BodyMotion<double>& m = w.motion.body(i);
      origin = origin + system.model.body(i).mass * (m.r_BN_N + m.r_CB_N);
      mass += system.model.body(i).mass;
    }
    origin = (1 / mass) * origin;
  }
  if (system.in_orbit) {
    const double* r_CO = x.data() + w.layout.orbit + 6;
    put(origin + Vec3<double>{r_CO[0], r_CO[1], r_CO[2]});
    const Mat3<double>& H = w.motion.orbit.R_NH;
    const Vec3<double> radial = H * Vec3<double>{1, 0, 0}, along = H * Vec3<double>{0, 1, 0},
                       normal = H * Vec3<double>{0, 0, 1};
    put_turn(quaternion(Mat3<double>::columns(along, -normal, -radial)));
  } else {
    put(origin);
  }
  const auto position = [&](int body) {
    return body == kGround ? -origin : w.motion.body(body).r_BN_N - origin;
  };
  for (const DrawnBody& b : bodies_) put(position(b.body));
  for (const DrawnBody& b : bodies_)
    put_turn(b.body == kGround ? Quaternion<double>{} : quaternion(w.motion.body(b.body).R_NB));
  for (std::size_t k = 0; k < system.contacts.size(); ++k)
    put(position(system.contacts[k].port_1.body) + w.contacts[k].lever_1);
  for (std::size_t k = 0; k < w.docks.size(); ++k)
    put(position(system.docks[k].port_2.body) + w.docks[k].lever_2);
  for (std::size_t k = 0; k < system.contacts.size(); ++k) put(w.contacts[k].force_N());
  for (const DockMotion<double>& d : w.docks) put(d.wrench.force);
}

}  // namespace berth

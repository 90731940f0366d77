// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/build_contacts.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/system/contacts.h"
#include "berth/system/equilibrium.h"

namespace berth {
namespace {

Contact<double> build(const ContactSpec& o) {
  Contact<double> c;
  c.name = o.name;
  c.probe = o.probe;
  c.surface = o.surface;
  c.law = o.law;
  c.friction = o.friction;
  c.compensation = o.compensation;
  c.bilateral = o.release == Release::bilateral;
  c.adhesive = o.release != Release::repulsive;
  c.along_normal = o.feedback == Feedback::normal;
  c.delay = o.delay;
  c.sample_time = o.sample_time;
  c.jitter = o.jitter;
  c.seed = static_cast<std::uint64_t>(o.seed);
  c.robot_frequency = o.robot_frequency;
  c.robot_damping = o.robot_damping;
  c.filter_time = o.filter_time;
  return c;
}

// A polygon is what its corners are.
std::vector<Contact<double>> split_corners(const Contact<double>& c) {
  const auto* outline = std::get_if<PolygonProbe<double>>(&c.probe);
  if (!outline) return {c};
  std::vector<Contact<double>> out;
  for (const Vec3<double>& r : outline->vertices) {
    Contact<double> corner = c;
    corner.owner = c.name;
    corner.corner = static_cast<int>(out.size()) + 1;
    corner.name = fmt::format("{}.corner{}", c.name, corner.corner);
    corner.port_1.r_PB_B += c.port_1.R_BP * r;
    corner.probe = PointProbe<double>{};
    if (outline->radius > 0) corner.probe = SphereProbe<double>{outline->radius};
    out.push_back(std::move(corner));
  }
  return out;
}

bool starts_pressed(const Scenario& scenario, const Contact<double>& c) {
  return std::any_of(scenario.contact.begin(), scenario.contact.end(), [&](const ContactSpec& o) {
    return o.name == c.report_name() && o.start == ContactStart::equilibrium;
  });
}

}  // namespace

void add_contact(const ContactSpec& spec, const Ports& ports, System<double>& system) {
  Contact<double> c = build(spec);
  c.port_1 = ports.find(spec.between[0].name)->second;
  c.port_2 = ports.find(spec.between[1].name)->second;
  for (Contact<double>& corner : split_corners(c)) system.add_contact(std::move(corner));
}

void place_contacts(const Scenario& scenario, System<double>& system, Problems& problems) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < system.contacts.size(); ++k)
    if (starts_pressed(scenario, system.contacts[k])) chosen.push_back(k);
  const auto is_impact = [&](std::size_t k) { return system.contacts[k].is_impact(); };
  const auto path = [&](std::size_t k) { return "contact." + system.contacts[k].report_name(); };
  if (std::any_of(chosen.begin(), chosen.end(), is_impact) &&
      !std::all_of(chosen.begin(), chosen.end(), is_impact))
    return problems.add(
        path(chosen.front()) + ".start",
        "equilibrium of laws with a force beside laws of impact is not found: choose "
        "one kind");
  for (const NoEquilibrium& p : move_to_equilibrium(system, chosen))
    problems.add(path(p.contact) + ".start", p.why);
}

void check_contacts(const Scenario& scenario, const System<double>& system, Problems& problems) {
  Motion<double> motion;
  motion.bodies.resize(system.model.bodies.size());
  find_motion<double>(system.model, system.model.q0, system.model.v0, motion);
  const std::vector<double> x = find_initial_state(system);
  const Layout at = system.layout();
  for (const Contact<double>& c : system.contacts) {
    const ContactMotion<double> m =
        find_contact_motion(c, motion, x.data() + at.contacts + c.first_state, Grip{});
    if (m.gap < 0 && !starts_pressed(scenario, c))
      problems.add(
          "contact." + c.report_name(),
          fmt::format("the probe starts {:.6g} m inside the surface: move a craft or a port "
                      "until the gap is not negative, or say start = \"equilibrium\"",
                      -m.gap));
  }
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build_contacts.h"

#include <cmath>

#include <fmt/format.h>

#include "berth/run/stepper.h"
#include "berth/scenario/suggest.h"
#include "berth/system/contacts.h"

namespace berth {
namespace {

constexpr double kMostSamples = 1e9;

// One of two words, or a problem.
bool is_second(const std::string& path, const std::string& word, const char* first,
               const char* second, Problems& problems) {
  if (word != first && word != second)
    problems.add(path, fmt::format("\"{}\" is not {} or {}", word, first, second));
  return word == second;
}

void check_numbers(const ContactSpec& spec, const std::string& path, const Scenario& s,
                   Problems& problems) {
  const ContactOptions& o = spec.options;
  if (const auto* cone = std::get_if<Cone<double>>(&spec.surface);
      cone && cone->half_angle >= 0.5 * M_PI)
    problems.add(path + ".half_angle",
                 fmt::format("{:.6g}° must be below 90°: a wider one is no cone",
                             cone->half_angle * 180 / M_PI));
  if (const auto* device = std::get_if<ComplianceDevice<double>>(&spec.law)) {
    if (device->springs.empty())
      problems.add(path + ".law.springs", "is empty: a compliance device has at least one spring");
    if (device->ratio >= 1)
      problems.add(path + ".law.ratio", fmt::format("{} must be below 1", device->ratio));
  }
  if (const auto* blow = std::get_if<Impact<double>>(&spec.law)) {
    if (blow->restitution > 1)
      problems.add(path + ".law.restitution",
                   fmt::format("{} is above 1: a bounce gives nothing", blow->restitution));
    if (blow->simultaneous != "moreau" && blow->simultaneous != "sequential")
      problems.add(path + ".law.simultaneous",
                   fmt::format("\"{}\" is not moreau or sequential", blow->simultaneous));
    if (blow->rule != "reflect" && blow->rule != "paper")
      problems.add(path + ".law.rule", fmt::format("\"{}\" is not reflect or paper", blow->rule));
    if (blow->rule == "paper" && s.integrator.method != kVariationalNames[0])
      problems.add(path + ".law.rule",
                   fmt::format("paper keeps the energy of {} steps: the method {} has none",
                               kVariationalNames[0], s.integrator.method));
    if (blow->rule == "paper" && (blow->restitution != 1 || blow->friction != 0))
      problems.add(path + ".law.rule",
                   "paper keeps energy: it needs restitution = 1 and no friction");
    if (o.delay > 0 || o.sample_time > 0 || o.robot_frequency > 0 || o.filter_time > 0)
      problems.add(path,
                   "a blow is no force that a loop could feed back: no delay, samples, lag or "
                   "filter with an impact law");
    if (!std::holds_alternative<NoFriction<double>>(spec.friction))
      problems.add(path + ".friction", "of a blow is an input of its law: law.friction");
    if (!std::holds_alternative<HalfSpace<double>>(spec.surface))
      problems.add(path + ".surface",
                   "where a surface curves or ends a probe could not rest: impacts need a "
                   "half_space");
    if (o.release != "repulsive")
      problems.add(path + ".release", "a blow never pulls: leave it out");
    if (std::holds_alternative<CapsuleProbe<double>>(spec.probe))
      problems.add(path + ".probe", "impacts need a point, a sphere or a polygon");
  }
  if (const auto* outline = std::get_if<PolygonProbe<double>>(&spec.probe)) {
    if (outline->vertices.size() < 3)
      problems.add(
          path + ".probe.vertices",
          fmt::format("{} make no polygon: it has three at least", outline->vertices.size()));
    if (!std::holds_alternative<Impact<double>>(spec.law))
      problems.add(path + ".probe", "a polygon needs a law of impact");
  }
  if (o.jitter > 0 && !(o.sample_time > 0))
    problems.add(path + ".jitter", "needs a sample_time: it is another delay for each sample");
  const bool stepwise =
      std::visit([](const auto& c) { return c.needs_samples; }, spec.compensation);
  if (stepwise && !(o.sample_time > 0))
    problems.add(path + ".compensation", "needs a sample_time: it works from sample to sample");
  if (o.sample_time > 0 && s.time.stop / o.sample_time > kMostSamples)
    problems.add(path + ".sample_time",
                 fmt::format("{} s makes over {:g} samples", o.sample_time, kMostSamples));
  if (o.delay > 0 && o.delay < 1e-9)
    problems.add(path + ".delay", fmt::format("{} s is below a nanosecond: leave it out", o.delay));
  if (o.delay > 0 && !(o.sample_time > 0) &&
      (is_stiff_method(s.integrator.method) || is_variational_method(s.integrator.method)))
    problems.add(
        path + ".delay",
        fmt::format("the method {} cannot look back: a delay needs dop853, dopri5, rkf45 or "
                    "rk4, or a sample_time",
                    s.integrator.method));
}

Contact<double> build(const ContactSpec& spec, const std::string& path, Problems& problems) {
  const ContactOptions& o = spec.options;
  Contact<double> c;
  c.name = spec.name;
  c.probe = spec.probe;
  c.surface = spec.surface;
  c.law = spec.law;
  c.friction = spec.friction;
  c.compensation = spec.compensation;
  if (o.release != "repulsive" && o.release != "adhesive" && o.release != "bilateral")
    problems.add(path + ".release",
                 fmt::format("\"{}\" is not repulsive, adhesive or bilateral", o.release));
  c.bilateral = o.release == "bilateral";
  c.adhesive = o.release != "repulsive";
  c.along_normal = is_second(path + ".feedback", o.feedback, "vector", "normal", problems);
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

}  // namespace

void add_contacts(const Scenario& scenario, const Ports& ports, System<double>& system,
                  Problems& problems) {
  std::vector<std::string> names;
  for (const auto& [name, port] : ports) names.push_back(name);
  for (const ContactSpec& spec : scenario.contact) {
    const std::string path = "contact." + spec.name;
    Contact<double> c = build(spec, path, problems);
    check_numbers(spec, path, scenario, problems);
    const std::vector<std::string>& between = spec.options.between;
    if (between.size() != 2) {
      problems.add(path + ".between", "two ports are needed: the probe's, then the surface's");
      continue;
    }
    bool known = true;
    for (const std::string& name : between) {
      if (ports.contains(name)) continue;
      problems.add(path + ".between",
                   fmt::format("there is no port {}{}", name, suggest(name, names)));
      known = false;
    }
    if (!known) continue;
    c.port_1 = ports.find(between[0])->second;
    c.port_2 = ports.find(between[1])->second;
    if (c.port_1.body == c.port_2.body)
      problems.add(path + ".between", "both ports are on one body: they cannot touch");
    for (Contact<double>& corner : split_corners(c)) system.add_contact(std::move(corner));
  }
}

void check_contacts(const System<double>& system, Problems& problems) {
  Motion<double> motion;
  motion.bodies.resize(system.model.bodies.size());
  find_motion<double>(system.model, system.model.q0, system.model.v0, motion);
  const std::vector<double> x = find_initial_state(system);
  const Layout at = system.layout();
  for (const Contact<double>& c : system.contacts) {
    const ContactMotion<double> m =
        find_contact_motion(c, motion, x.data() + at.contacts + c.first_state, Grip{});
    if (m.gap < 0)
      problems.add(
          "contact." + c.told_as(),
          fmt::format("the probe starts {:.6g} m inside the surface: move a craft or a port "
                      "until the gap is not negative",
                      -m.gap));
  }
}

}  // namespace berth

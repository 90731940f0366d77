// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/math/complex.h"
#include "berth/math/eigen_system.h"
#include "berth/record/json_text.h"
#include "berth/run/stepper.h"
#include "berth/scenario/body_shapes.h"
#include "berth/system/contacts.h"
#include "berth/system/dock_warnings.h"
#include "berth/system/lift_system.h"
#include "berth/system/linearised.h"
#include "berth/system/mass_properties.h"

namespace berth {
namespace {

using Index = Eigen::Index;

// Of a hub with everything it carries, at the initial configuration, in hub axes.
CraftMass find_mass(const Model<double>& model, const Motion<double>& motion,
                    const std::string& name) {
  const int hub = model.find_body(name);
  const MassProperties m = find_mass_properties(model, motion, hub);
  const Mat3<double>& R_NB = motion.body(hub).R_NB;
  return {name, m.mass, transposed_times(R_NB, m.centre_of_mass_N - motion.body(hub).r_BN_N),
          rotate(transpose(R_NB), m.inertia_N)};
}

// The same craft on Dual numbers, docked as they are; no controllers and no loads from outside.
System<Dual> lift_joints(const System<double>& from) {
  System<double> bare = from;
  bare.controls = {};
  bare.sensors = {};
  bare.contacts = {};
  bare.rests = {};
  bare.in_orbit = false;
  bare.forces = {};
  std::get<std::vector<SpringDamper<double>>>(bare.forces) =
      std::get<std::vector<SpringDamper<double>>>(from.forces);
  std::get<std::vector<JointSpring<double>>>(bare.forces) =
      std::get<std::vector<JointSpring<double>>>(from.forces);
  return lift_system<Dual>(bare);
}

// (1) and its eigenvalues.
std::vector<JointMode> find_modes(const System<double>& system) {
  const Model<double>& model = system.model;
  // On a soft dock whole craft swing; else only joints do.
  const bool is_soft = std::any_of(system.docks.begin(), system.docks.end(), [](const auto& d) {
    return d.engaged && d.enforce == Enforce::penalty;
  });
  std::vector<int> speeds;          // that may have modes
  std::vector<std::string> joints;  // and whose they are
  for (int i = 1; i < model.body_count(); ++i) {
    const Body<double>& b = model.body(i);
    if ((b.hub && (!is_soft || b.joint == JointType::fixed)) || b.spins) continue;
    for (int k = 0; k < shape(b.joint).speeds; ++k) {
      speeds.push_back(b.v + k);
      joints.push_back(model.names[static_cast<std::size_t>(i)]);
    }
  }
  const Index n = static_cast<Index>(speeds.size());
  if (n == 0 || n > 400) return {};

  const System<Dual> dual = lift_joints(system);
  Workspace<Dual> w(dual);
  const Layout at = dual.layout();
  std::vector<Dual> rest = find_initial_state(dual);
  std::fill(rest.begin() + at.v, rest.begin() + at.z, Dual(0.0));
  Workspace<double> scratch(system);
  Mode<double> rows = idle_mode(scratch);
  choose_rows(system, 0.0, find_initial_state(system), rows, scratch);
  rows.held.clear();
  rows.levels.clear();
  rows.contacts.clear();
  const Mode<Dual> mode = lift_mode<Dual>(rows);
  Eigen::MatrixXd A(n, n), B(n, n);
  const auto column = [&](const std::vector<Dual>& x, Eigen::MatrixXd& to, Index k) {
    motion_stage<Dual>(dual, 0.0, x, mode, w);
    command_stage<Dual>(dual, x, mode, w);
    effort_stage(dual, w);
    acceleration_stage<Dual>(dual, mode, w, w.v_dot);
    for (Index j = 0; j < n; ++j)
      to(j, k) = slope(w.v_dot[static_cast<std::size_t>(speeds[static_cast<std::size_t>(j)])]);
  };
  for (Index k = 0; k < n; ++k) {
    // A small motion of joint k: its speed, or the coordinates it would change in unit time.
    std::vector<Dual> unit_speed(model.v0.size(), Dual(0.0)), rate(model.q0.size());
    const auto s = static_cast<std::size_t>(speeds[static_cast<std::size_t>(k)]);
    unit_speed[s] = 1.0;
    find_rates<Dual>(dual.model, std::span<const Dual>(rest).first(model.q0.size()), unit_speed,
                     rate);
    std::vector<Dual> x = rest;
    for (std::size_t i = 0; i < rate.size(); ++i) set_slope(x[i], 0, value(rate[i]));
    column(x, A, k);
    x = rest;
    set_slope(x[static_cast<std::size_t>(at.v) + s], 0, 1.0);
    column(x, B, k);
  }
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  S.topRightCorner(n, n).setIdentity();
  S.bottomLeftCorner(n, n) = A;
  S.bottomRightCorner(n, n) = B;
  if (!S.allFinite()) return {};
  const EigenSystem found = find_eigen_system(S);

  std::vector<JointMode> modes;
  const double largest = found.values.cwiseAbs().maxCoeff();
  for (Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> l = found.values(i);
    // One of each pair, and no free motion. An overdamped joint has two real eigenvalues; a mode is
    // an oscillation, so they are left out unless they are a pair.
    // Free motion of whole craft has eigenvalues of zero, in pairs that rounding pulls apart.
    if (l.imag() <= 1e-6 * largest || abs(l) <= (is_soft ? 1e-5 : 1e-6) * largest) continue;
    Index biggest = 0;
    found.vectors.col(i).head(n).cwiseAbs().maxCoeff(&biggest);
    modes.push_back(
        {joints[static_cast<std::size_t>(biggest)], abs(l) / (2 * M_PI), -l.real() / abs(l)});
  }
  std::sort(modes.begin(), modes.end(),
            [](const JointMode& a, const JointMode& b) { return a.frequency < b.frequency; });
  return modes;
}

void find_warnings(const Scenario& scenario, const BuiltScenario& built, CheckResult& out) {
  for (const ReactionWheel<double>& w :
       std::get<std::vector<ReactionWheel<double>>>(built.system.components)) {
    const std::string& name = built.system.model.names[static_cast<std::size_t>(w.body)];
    if (w.max_speed > 0 && std::fabs(w.speed) >= w.max_speed)
      out.warnings.push_back(
          fmt::format("{} starts at or beyond its speed limit ({:.4g} of {:.4g} rad/s)", name,
                      std::fabs(w.speed), w.max_speed));
  }
  const std::vector<std::string> docks = find_dock_warnings(
      built.system, scenario.time.stop, is_stiff_method(scenario.integrator.method));
  out.warnings.insert(out.warnings.end(), docks.begin(), docks.end());
  for (const JointMode& m : out.modes) {
    if (m.damping < -1e-9)
      out.warnings.push_back(
          fmt::format("{} has a growing mode at {:.3g} Hz", m.joint, m.frequency));
    const double periods = scenario.time.stop * m.frequency;
    if (periods > 1e6 && !is_stiff_method(scenario.integrator.method))
      out.warnings.push_back(
          fmt::format("{} oscillates {:.1e} times during the run: expect {:.0e} steps", m.joint,
                      periods, 5 * periods));
  }
  for (const ControlSpec& c : scenario.control)
    std::visit(
        [&](const auto& part) {
          if (part.sample_time > 0 && scenario.time.stop / part.sample_time > 1e7)
            out.warnings.push_back(fmt::format("{} samples {:.1e} times during the run", c.name,
                                               scenario.time.stop / part.sample_time));
        },
        c.part);
}

// Wrenches that controllers ask of a thruster set and that none of its thrusters give.
// Who is to take part does so through the library alone.
void find_external_warnings(const Scenario& scenario, std::vector<std::string>& warnings) {
  for (const External<double>& e : scenario.external) {
    const std::string rule = e.silent.then == Silence::hold
                                 ? "its commands stay zero"
                                 : fmt::format("its silence rule acts: {} after {} s",
                                               e.silent.then.keyword(), e.silent.hold);
    warnings.push_back(fmt::format("external {} has no owner in `berth run`: {}", e.name, rule));
  }
}

void find_thruster_warnings(const System<double>& system, std::vector<std::string>& warnings) {
  const auto& sets = std::get<std::vector<ThrusterSet<double>>>(system.forces);
  const auto gives = [](const ThrusterSet<double>& set, const Wrench<double>& wanted) {
    std::vector<double> levels(set.thruster.size());
    set.find_levels(wanted, levels.data());
    Wrench<double> given;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const Vec3<double> f = (levels[i] * set.thruster[i].thrust) * set.thruster[i].along;
      given += Wrench<double>{cross(set.thruster[i].position, f), f};
    }
    // In the direction that is asked for, half of it at least.
    const double along = dot(given.force, wanted.force) + dot(given.torque, wanted.torque);
    return along > 0.5 * (norm_squared(wanted.force) + norm_squared(wanted.torque));
  };
  for_each_part(system.controls, [&]<class Part>(const Part& part) {
    if (part.thruster_set() < 0) return;
    const ThrusterSet<double>& set = sets[static_cast<std::size_t>(part.thruster_set())];
    const bool turns = Part::type == AttitudeControl<double>::type;
    const bool leads = Part::type == Approach<double>::type;
    if (!turns && !leads) return;
    std::string missing;
    double least = INFINITY;
    for (const Thruster<double>& t : set.thruster) least = std::min(least, t.thrust);
    for (int k = 0; k < 6; ++k) {
      Vec3<double> axis;
      axis[k / 2] = 0.1 * least * (k % 2 == 0 ? 1 : -1);
      const Wrench<double> wanted =
          turns ? Wrench<double>{set.lever * axis, {}} : Wrench<double>{{}, axis};
      if (!gives(set, wanted))
        missing += fmt::format("{}{}{}", missing.empty() ? "" : ", ", k % 2 == 0 ? '+' : '-',
                               "xyz"[k / 2]);
    }
    if (!missing.empty())
      warnings.push_back(fmt::format("{} asks {} for a {} they cannot give: along {} of {}",
                                     part.name, set.name, turns ? "torque" : "force", missing,
                                     set.body.name));
  });
}

// What a capture counts as inside must fit the surface it is inside of.
void find_envelope_warnings(const Scenario& scenario, const System<double>& system,
                            std::vector<std::string>& warnings) {
  for (const CaptureSpec& capture : scenario.capture)
    for (const Contact<double>& c : system.contacts) {
      const auto* cone = std::get_if<Cone<double>>(&c.surface);
      const auto named = [&](const ContactRef& ref) { return ref.name == c.report_name(); };
      if (!cone || std::none_of(capture.contacts.begin(), capture.contacts.end(), named)) continue;
      const auto [sin, cos] = sin_cos(cone->half_angle);
      const double mouth = cone->length * sin / cos;
      if (capture.zone_depth > cone->length)
        warnings.push_back(
            fmt::format("{}: zone_depth {} m is more than {} is long ({} m): soft capture begins "
                        "outside of it",
                        capture.name, capture.zone_depth, c.name, cone->length));
      if (capture.zone_radius > mouth)
        warnings.push_back(
            fmt::format("{}: zone_radius {} m is more than the mouth of {} is wide ({:.4g} m)",
                        capture.name, capture.zone_radius, c.name, mouth));
    }
}

// Hulls of craft that are not docked, as boxes with their mass and inertia, at the start.
void find_overlap_warnings(const Scenario& scenario, const System<double>& system,
                           const Motion<double>& motion, std::vector<std::string>& warnings) {
  struct Hull {
    std::string name;
    Vec3<double> middle, half;
    Mat3<double> R;
    int root;
  };
  std::vector<Hull> hulls;
  for (const DrawnBody& b : find_drawn_bodies(scenario, system)) {
    if (b.kind != BodyKind::hub || b.solids.empty() || b.solids[0].kind != Solid::box) continue;
    const BodyMotion<double>& m = motion.body(b.body);
    hulls.push_back({b.name, m.r_BN_N + m.R_NB * b.solids[0].at, 0.5 * b.solids[0].size,
                     m.R_NB * rotation_matrix(b.solids[0].q), system.model.root_of(b.body)});
  }
  const auto are_docked = [&](const Hull& a, const Hull& b) {
    if (a.root == b.root) return true;
    return std::any_of(system.docks.begin(), system.docks.end(), [&](const Dock<double>& d) {
      const int one = system.model.root_of(d.port_1.body),
                two = system.model.root_of(d.port_2.body);
      return d.engaged && std::minmax(one, two) == std::minmax(a.root, b.root);
    });
  };
  // Boxes are apart where an axis of theirs, or a normal of two of them, parts them.
  const auto overlap = [](const Hull& a, const Hull& b) {
    const Vec3<double> of_a[] = {a.R.column_x(), a.R.column_y(), a.R.column_z()};
    const Vec3<double> of_b[] = {b.R.column_x(), b.R.column_y(), b.R.column_z()};
    std::vector<Vec3<double>> axes(std::begin(of_a), std::end(of_a));
    axes.insert(axes.end(), std::begin(of_b), std::end(of_b));
    for (const Vec3<double>& x : of_a)
      for (const Vec3<double>& y : of_b) axes.push_back(cross(x, y));
    return std::none_of(axes.begin(), axes.end(), [&](const Vec3<double>& n) {
      double reach = 0;
      for (int i = 0; i < 3; ++i)
        reach += a.half[i] * std::fabs(dot(n, of_a[i])) + b.half[i] * std::fabs(dot(n, of_b[i]));
      return norm_squared(n) > 1e-12 && std::fabs(dot(n, b.middle - a.middle)) > reach;
    });
  };
  for (std::size_t i = 0; i < hulls.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!are_docked(hulls[i], hulls[j]) && overlap(hulls[i], hulls[j]))
        warnings.push_back(
            fmt::format("the hulls of {} and {} overlap at the start, as boxes with "
                        "their inertia",
                        hulls[j].name, hulls[i].name));
}

void find_contact_facts(const System<double>& system, const Motion<double>& motion,
                        CheckResult& out) {
  const auto type_of = [](const auto& any) {
    return std::visit(
        [](const auto& p) { return std::string(std::remove_cvref_t<decltype(p)>::type); }, any);
  };
  const std::vector<double> x = find_initial_state(system);
  const Layout at = system.layout();
  for (const Contact<double>& c : system.contacts) {
    const ContactMotion<double> m =
        find_contact_motion(c, motion, x.data() + at.contacts + c.first_state, Grip{});
    out.contacts.push_back({c.name, type_of(c.probe), type_of(c.surface), type_of(c.law),
                            type_of(c.friction), m.gap, -m.gap_rate, c.delay, c.sample_time});
  }
}

void find_dock_facts(const System<double>& system, CheckResult& out) {
  for (const Dock<double>& d : system.docks)
    out.docks.push_back(
        {d.name, std::string(d.type()), std::string(name(d.enforce)), d.engaged, d.row_count()});
  Workspace<double> w(system);
  Mode<double> mode = idle_mode(w);
  const RowChoice choice = choose_rows(system, 0.0, find_initial_state(system), mode, w);
  out.rows = choice.rows;
  out.redundant_rows = choice.redundant;
  out.degrees_of_freedom -= choice.rows - choice.redundant;
}

}  // namespace

CheckResult check(const Scenario& scenario, const BuiltScenario& built) {
  Model<double> model = built.system.model;
  Motion<double> motion;
  motion.bodies.resize(model.bodies.size());
  find_motion<double>(model, model.q0, model.v0, motion);
  // Each craft alone, fused or not.
  for (int i = 1; i < model.body_count(); ++i)
    if (model.body(i).hub && model.body(i).joint == JointType::fixed) model.cut(i);
  CheckResult out;
  for (const SpacecraftSpec& c : scenario.spacecraft)
    out.craft.push_back(find_mass(model, motion, c.name));
  out.bodies = model.body_count() - 1;
  for (const Body<double>& b : built.system.model.bodies)
    out.degrees_of_freedom += shape(b.joint).speeds;
  find_contact_facts(built.system, motion, out);
  find_dock_facts(built.system, out);
  out.states = built.system.layout().size;
  out.modes = find_modes(built.system);
  find_warnings(scenario, built, out);
  find_external_warnings(scenario, out.warnings);
  find_thruster_warnings(built.system, out.warnings);
  find_envelope_warnings(scenario, built.system, out.warnings);
  find_overlap_warnings(scenario, built.system, motion, out.warnings);
  return out;
}

std::string describe(const CheckResult& r) {
  std::string out;
  for (CraftMass c : r.craft) {
    // Rounding of frames turned there and back is not shown.
    const auto tidy = [](double& x, double scale) {
      if (std::fabs(x) < 1e-13 * scale) x = 0;
    };
    Sym3<double>& I = c.inertia;
    for (double* x : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) tidy(*x, trace(c.inertia));
    for (int k = 0; k < 3; ++k) tidy(c.centre_of_mass[k], 1);
    out += fmt::format("{}: {:.6g} kg, centre of mass [{:.6g}, {:.6g}, {:.6g}] m\n", c.name, c.mass,
                       c.centre_of_mass.x, c.centre_of_mass.y, c.centre_of_mass.z);
    out += fmt::format(
        "  inertia about it [kg·m²]  [{:>11.5g} {:>11.5g} {:>11.5g}]\n"
        "                            [{:>11.5g} {:>11.5g} {:>11.5g}]\n"
        "                            [{:>11.5g} {:>11.5g} {:>11.5g}]\n",
        I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz);
  }
  out += fmt::format("{} bodies, {} degrees of freedom, {} states\n", r.bodies,
                     r.degrees_of_freedom, r.states);
  for (const DockFacts& d : r.docks)
    out += fmt::format("dock {}: {}, {}, {} rows{}\n", d.name, d.type, d.enforce, d.rows,
                       d.engaged ? "" : ", open at the start");
  for (const ContactFacts& c : r.contacts) {
    out +=
        fmt::format("contact {}: {} on {}, {}, friction {}, {:.6g} m apart, closing at {:.6g} m/s",
                    c.name, c.probe, c.surface, c.law, c.friction, c.gap, c.closing);
    if (c.delay > 0) out += fmt::format(", fed back {:.6g} s late", c.delay);
    if (c.sample_time > 0) out += fmt::format(", sampled every {:.6g} s", c.sample_time);
    out += "\n";
  }
  if (r.rows > 0)
    out += fmt::format("{} constraint rows, {} of them redundant\n", r.rows, r.redundant_rows);
  if (!r.modes.empty()) out += "joint modes, as mounted:\n";
  for (const JointMode& m : r.modes)
    out += fmt::format("  {:<28} {:>10.5g} Hz  damping {:.4g}\n", m.joint, m.frequency, m.damping);
  for (const std::string& w : r.warnings) out += "warning: " + w + "\n";
  return out;
}

std::string to_json(const CheckResult& r) {
  using Json = nlohmann::ordered_json;
  Json out;
  for (const CraftMass& c : r.craft) {
    const Sym3<double>& I = c.inertia;
    out["spacecraft"][c.name] = {
        {"mass", c.mass},
        {"centre_of_mass", {c.centre_of_mass.x, c.centre_of_mass.y, c.centre_of_mass.z}},
        {"inertia", {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}}}};
  }
  out["bodies"] = r.bodies;
  out["degrees_of_freedom"] = r.degrees_of_freedom;
  out["states"] = r.states;
  out["rows"] = r.rows;
  out["redundant_rows"] = r.redundant_rows;
  out["docks"] = Json::object();
  for (const DockFacts& d : r.docks)
    out["docks"][d.name] = {
        {"type", d.type}, {"enforce", d.enforce}, {"engaged", d.engaged}, {"rows", d.rows}};
  out["contacts"] = Json::object();
  for (const ContactFacts& c : r.contacts)
    out["contacts"][c.name] = {{"probe", c.probe}, {"surface", c.surface},
                               {"law", c.law},     {"friction", c.friction},
                               {"gap", c.gap},     {"closing", c.closing},
                               {"delay", c.delay}, {"sample_time", c.sample_time}};
  out["modes"] = Json::array();
  for (const JointMode& m : r.modes)
    out["modes"].push_back(
        {{"joint", m.joint}, {"frequency", m.frequency}, {"damping", m.damping}});
  out["warnings"] = r.warnings;
  return to_text(out, 2);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/check.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "berth/model/lift.h"
#include "berth/record/json_text.h"
#include "berth/scalar/dual.h"
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

Vec3<Dual> lift_vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

// A body of the model as its recipe, on Dual numbers and at rest.
BodySpec<Dual> lift_body(const Model<double>& model, int i) {
  const Body<double>& b = model.body(i);
  const Mat3<double>& R = b.R_PF;
  const Sym3<double>& I = b.I_C_B;
  BodySpec<Dual> to;
  to.name = model.names[static_cast<std::size_t>(i)];
  to.parent = b.parent;
  to.joint = b.joint;
  to.R_PF = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
  to.r_FP_P = lift_vector(b.r_FP_P);
  to.axis = lift_vector(b.axis_F);
  to.mass = b.mass;
  to.r_CB_B = lift_vector(b.r_CB_B);
  to.I_C_B = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  for (int k = 0; k < shape(b.joint).coordinates; ++k)
    to.q.push_back(model.q0[static_cast<std::size_t>(b.q + k)]);
  return to;
}

// Bodies, components and springs once more on Dual numbers, in the same order; no controllers and no
// loads from outside.
System<Dual> lift_joints(const Scenario& scenario, const System<double>& from) {
  System<Dual> to;
  for (const SpacecraftSpec& craft : scenario.spacecraft) {
    to.model.add_body(lift_body(from.model, from.model.find_body(craft.name)));
    for (const ComponentSpec& c : craft.component)
      std::visit(
          [&](const auto& part) {
            using P = typename Rebind<std::remove_cvref_t<decltype(part)>, Dual>::type;
            const int mount = from.model.body(to.model.body_count()).parent;
            to.add_component(lift<P>(part), mount, craft.name + "." + c.name);
          },
          c.part);
  }
  for (const FreeBodySpec& b : scenario.body)
    to.model.add_body(lift_body(from.model, from.model.find_body(b.name)));
  for (const SpringDamper<double>& s : std::get<std::vector<SpringDamper<double>>>(from.forces))
    to.add_force(lift<SpringDamper<Dual>>(s));
  return to;
}

// (1) and its eigenvalues.
std::vector<JointMode> find_modes(const Scenario& scenario, const System<double>& system) {
  const Model<double>& model = system.model;
  std::vector<int> speeds;          // joint speeds that may have modes
  std::vector<std::string> joints;  // and whose they are
  for (int i = 1; i < model.body_count(); ++i) {
    const Body<double>& b = model.body(i);
    if (b.hub || b.spins) continue;
    for (int k = 0; k < shape(b.joint).speeds; ++k) {
      speeds.push_back(b.v + k);
      joints.push_back(model.names[static_cast<std::size_t>(i)]);
    }
  }
  const Index n = static_cast<Index>(speeds.size());
  if (n == 0 || n > 400) return {};

  const System<Dual> dual = lift_joints(scenario, system);
  Workspace<Dual> w(dual);
  const Mode<Dual> mode;
  const Layout at = dual.layout();
  std::vector<Dual> rest = find_initial_state(dual);
  std::fill(rest.begin() + at.v, rest.begin() + at.z, Dual(0.0));
  Eigen::MatrixXd A(n, n), B(n, n);
  const auto column = [&](const std::vector<Dual>& x, Eigen::MatrixXd& to, Index k) {
    motion_stage<Dual>(dual, 0.0, x, mode, w);
    command_stage<Dual>(dual, x, mode, w);
    effort_stage(dual, w);
    solve_accelerations<Dual>(dual.model, w.motion, w.total, w.articulated, w.v_dot);
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
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(S);

  std::vector<JointMode> modes;
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  for (Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> l = solver.eigenvalues()(i);
    // One of each pair, and no free motion. An overdamped joint has two real eigenvalues; a mode is
    // an oscillation, so they are left out unless they are a pair.
    if (l.imag() <= 1e-6 * largest) continue;
    Index biggest = 0;
    solver.eigenvectors().col(i).head(n).cwiseAbs().maxCoeff(&biggest);
    modes.push_back({joints[static_cast<std::size_t>(biggest)], std::abs(l) / (2 * M_PI),
                     -l.real() / std::abs(l)});
  }
  std::sort(modes.begin(), modes.end(),
            [](const JointMode& a, const JointMode& b) { return a.frequency < b.frequency; });
  return modes;
}

void find_warnings(const Scenario& scenario, const Story& story, CheckResult& out) {
  for (const ReactionWheel<double>& w :
       std::get<std::vector<ReactionWheel<double>>>(story.system.components)) {
    const std::string& name = story.system.model.names[static_cast<std::size_t>(w.body)];
    if (w.max_speed > 0 && std::fabs(w.speed) >= w.max_speed)
      out.warnings.push_back(
          fmt::format("{} starts at or beyond its speed limit ({:.4g} of {:.4g} rad/s)", name,
                      std::fabs(w.speed), w.max_speed));
  }
  for (const JointMode& m : out.modes) {
    if (m.damping < 0)
      out.warnings.push_back(
          fmt::format("{} has a growing mode at {:.3g} Hz", m.joint, m.frequency));
    const double periods = scenario.time.stop * m.frequency;
    if (periods > 1e6)
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

}  // namespace

CheckResult check(const Scenario& scenario, const Story& story) {
  const Model<double>& model = story.system.model;
  Motion<double> motion;
  motion.bodies.resize(model.bodies.size());
  find_motion<double>(model, model.q0, model.v0, motion);
  CheckResult out;
  for (const SpacecraftSpec& c : scenario.spacecraft)
    out.craft.push_back(find_mass(model, motion, c.name));
  out.bodies = model.body_count() - 1;
  out.degrees_of_freedom = model.speed_count();
  out.states = story.system.layout().size;
  out.modes = find_modes(scenario, story.system);
  find_warnings(scenario, story, out);
  return out;
}

std::string describe(const CheckResult& r) {
  std::string out;
  for (const CraftMass& c : r.craft) {
    const Sym3<double>& I = c.inertia;
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
  out["modes"] = Json::array();
  for (const JointMode& m : r.modes)
    out["modes"].push_back(
        {{"joint", m.joint}, {"frequency", m.frequency}, {"damping", m.damping}});
  out["warnings"] = r.warnings;
  return to_text(out, 2);
}

}  // namespace berth

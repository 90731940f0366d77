// SPDX-License-Identifier: Apache-2.0
#include "berth/system/dock_warnings.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "berth/system/docks.h"

namespace berth {
namespace {

void judge_rows(const std::string& what, const RowGains<double>& g, bool integrates, double mass,
                const char* mass_unit, double t_stop, bool is_stiff_method,
                std::vector<std::string>& out) {
  if (!(mass > 0) || !(g.stiffness > 0)) return;
  if (integrates && !(g.damping * g.stiffness > mass * g.integral))  // (1)
    out.push_back(fmt::format(
        "{}: the integral gain makes it unstable: c k = {:.3g} must exceed m k_I = {:.3g} "
        "(reduced m = {:.4g} {}); raise alpha, or use gains = \"normalised\"",
        what, g.damping * g.stiffness, mass * g.integral, mass, mass_unit));
  const double omega = std::sqrt(g.stiffness / mass);
  const double ratio = g.damping / (2 * std::sqrt(g.stiffness * mass));  // (2)
  if (ratio < 0.1)
    out.push_back(
        fmt::format("{} rings: damping ratio {:.2g} at {:.3g} Hz; gains = \"normalised\" are "
                    "critically damped",
                    what, ratio, omega / (2 * M_PI)));
  // An explicit method follows the spring, or at least its damper.
  const double fastest = std::max(omega, g.damping / mass);
  if (!is_stiff_method && fastest * t_stop > 1e6)
    out.push_back(
        fmt::format("{} is stiff: {:.3g} 1/s over {:.4g} s takes some {:.0e} steps; use method = "
                    "\"radau\", or enforce = \"exact\"",
                    what, fastest, t_stop, fastest * t_stop / 4));
}

}  // namespace

std::vector<std::string> find_dock_warnings(const System<double>& system, double t_stop,
                                            bool is_stiff_method) {
  std::vector<std::string> out;
  if (system.docks.empty()) return out;
  Workspace<double> w(system);
  Mode<double> mode = idle_mode(w);
  const std::vector<double> x = find_initial_state(system);
  const RowChoice choice = choose_rows(system, 0.0, x, mode, w);
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<double>& d = system.docks[k];
    if (d.enforce != Enforce::penalty) continue;
    judge_rows("dock " + d.name, d.force_gains, d.integrates, d.reduced_mass, "kg", t_stop,
               is_stiff_method, out);
    if (d.row_count() > d.force_count())
      judge_rows("dock " + d.name + " in rotation", d.torque_gains, d.integrates, d.reduced_inertia,
                 "kg·m²", t_stop, is_stiff_method, out);
    if (!d.engaged || d.warm) continue;
    const Violation<double> off = find_violation(d, w.docks[k]);
    if (off.position > 1e-9 || off.attitude > 1e-9)
      out.push_back(fmt::format("dock {} starts stretched by {:.3g} m and {:.3g} rad", d.name,
                                off.position, off.attitude));
  }
  // Mechanisms in a plane have rows too many by nature.
  const bool only_loops = std::all_of(choice.docks.begin(), choice.docks.end(), [&](int k) {
    return system.docks[static_cast<std::size_t>(k)].loop;
  });
  if (choice.redundant > 0 && !only_loops) {
    std::string names;
    for (int k : choice.docks)
      names += (names.empty() ? "" : ", ") + system.docks[static_cast<std::size_t>(k)].name;
    out.push_back(
        fmt::format("over-constrained: {} of {} rows say nothing new (in {}); the motion is the "
                    "same without them, but how the load is shared is not determined",
                    choice.redundant, choice.rows, names));
  }
  // Craft that nothing joins to anything, where others are joined.
  std::set<int> joined;
  for (const Dock<double>& d : system.docks)
    for (int body : {d.port_1.body, d.port_2.body}) joined.insert(system.model.root_of(body));
  for (int i = 1; i < system.model.body_count(); ++i)
    if (system.model.body(i).hub && system.model.body(i).joint == JointType::free &&
        !joined.contains(i))
      out.push_back(fmt::format("{} is not joined to anything: no dock names it",
                                system.model.names[static_cast<std::size_t>(i)]));
  return out;
}

}  // namespace berth

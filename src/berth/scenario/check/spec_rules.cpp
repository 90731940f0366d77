// SPDX-License-Identifier: Apache-2.0

// What the tables of a file say about their own inputs.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/run/interval.h"
#include "berth/run/outcome.h"
#include "berth/scenario/scenario.h"

namespace berth {
namespace {

bool contains_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

// --- how it is run -------------------------------------------------------------------------------

void IntegratorSpec::check(const Surroundings& around, Findings& findings) const {
  const std::vector<std::string> methods = list_methods();
  if (!contains_name(methods, method))
    findings.add("method", fmt::format("no method {}{}", method, suggest(method, methods)));
  if (takes_fixed_steps(method) && !(step > 0))
    findings.add("step", fmt::format("{} takes fixed steps: give one [s]", method));
  if (tolerance > 0.1 || tolerance < 1e-15)
    findings.add("tolerance", fmt::format("{} is not between 1e-15 and 0.1", tolerance));
  check_interval("step", step, around.duration, kMostSteps, "steps", findings);
  check_interval("max_step", max_step, around.duration, kMostSteps, "steps", findings);
}

void OrbitSpec::check(const Surroundings&, Findings& findings) const {
  if (altitude && semi_major_axis)
    findings.add("altitude", "altitude or semi_major_axis, not both");
  if (altitude && eccentricity != 0)
    findings.add("altitude",
                 "is that of a circular orbit: with an eccentricity give semi_major_axis");
  if (altitude && !(equatorial_radius + *altitude > 0))
    findings.add("altitude", fmt::format("{} m is beyond the centre", *altitude));
  const bool has_elements = find_semi_major_axis() || eccentricity != 0 || inclination != 0 ||
                            node != 0 || periapsis != 0 || anomaly != 0;
  if (position && velocity && !has_elements) {
    if (!(norm(cross(*position, *velocity)) > 0))
      findings.add("", "position and velocity lie on one line: no orbit plane");
  } else if (find_semi_major_axis() && !position && !velocity) {
    if (eccentricity >= 1)
      findings.add("eccentricity", fmt::format("{} must be below 1", eccentricity));
  } else {
    findings.add("",
                 "give either position and velocity, or altitude or semi_major_axis and the other "
                 "elements");
  }
}

void RecordSpec::check(const Surroundings& around, Findings& findings) const {
  check_interval("interval", interval, around.duration, kMostRecorded, "rows", findings);
}
void RecordGroupSpec::check(const Surroundings& around, Findings& findings) const {
  check_interval("interval", interval, around.duration, kMostRecorded, "rows", findings);
}

void ExpectSpec::check(const Surroundings&, Findings& findings) const {
  if (!outcome) return;
  const std::vector<std::string> endings(kEndings.begin(), kEndings.end());
  if (!contains_name(endings, *outcome))
    findings.add("outcome",
                 fmt::format("no run ends as \"{}\"{}", *outcome, suggest(*outcome, endings)));
}

void DispersedInput::check(const Surroundings&, Findings& findings) const {
  const int ways =
      (three_sigma ? 1 : 0) + (three_sigma_percent ? 1 : 0) + (distribution.empty() ? 0 : 1);
  if (ways != 1) findings.add("", "give one of three_sigma, three_sigma_percent and distribution");
  if (!distribution.empty() && (mean || within))
    findings.add(mean ? "mean" : "within", "goes with three_sigma: distribution says it all");
  if (within && !((*within)[0] < (*within)[1])) findings.add("within", "the lower end comes first");
}
void CorrelationSpec::check(const Surroundings&, Findings& findings) const {
  if (matrix.empty() == covariance.empty()) findings.add("", "give matrix or covariance");
  const auto& rows = matrix.empty() ? covariance : matrix;
  const bool is_square = rows.size() == keys.size() &&
                         std::all_of(rows.begin(), rows.end(), [&](const std::vector<double>& row) {
                           return row.size() == keys.size();
                         });
  if (!rows.empty() && !is_square)
    findings.add(matrix.empty() ? "covariance" : "matrix",
                 fmt::format("has a row and a column for each of the {} keys", keys.size()));
}

// --- what there is -------------------------------------------------------------------------------

void ShapeSpec::check(const Surroundings&, Findings& findings) const {
  if (gltf) {
    if (kind) findings.add("", "is a solid (kind) or a model (gltf), not both");
    if (gltf->empty()) findings.add("gltf", "names no file");
    return;
  }
  if (scale != 1) findings.add("scale", "belongs to a model (gltf)");
  if (!kind) return;  // reported where it was read
  if (*kind == ShapeKind::box) {
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) findings.add("", "a box needs a size: 3 sides");
  } else if (!(radius > 0)) {
    findings.add("", fmt::format("a {} needs a radius", kind->keyword()));
  } else if (*kind == ShapeKind::cylinder && !(length > 0)) {
    findings.add("", "a cylinder needs a length");
  }
}

void StateSpec::check(const Surroundings& around, Findings& findings) const {
  if ((quaternion_BN ? 1 : 0) + (sigma_BN ? 1 : 0) + (euler ? 1 : 0) > 1)
    findings.add("", "one attitude is enough: quaternion_BN, sigma_BN or euler");
  if (!is_relative()) {
    if (!port.empty()) findings.add("port", "goes with relative_to another craft");
    if (axes == StateAxes::port) findings.add("axes", "port goes with relative_to another craft");
    if (attitude == StateAttitude::mated)
      findings.add("attitude", "mated goes with relative_to another craft");
  }
  if (around.has_orbit) return;
  if (axes == StateAxes::hill || axes == StateAxes::lvlh)
    findings.add("axes", fmt::format("{} axes need an [orbit]", axes.keyword()));
  if (attitude == StateAttitude::hill || attitude == StateAttitude::lvlh)
    findings.add("attitude", fmt::format("{} axes need an [orbit]", attitude.keyword()));
  if (relative_to == "earth") findings.add("relative_to", "\"earth\" needs an [orbit]");
}

void PortSpec::check(const Surroundings&, Findings& findings) const {
  if (axes.empty()) return;
  if (axes.size() > 2) {
    findings.add("axes", "one or two directions are needed: x, and z");
  } else if (!(norm(axes[0]) > 1e-9)) {
    findings.add("axes", "x must have a direction");
  } else if (axes.size() == 2 && !(norm(cross(axes[0], axes[1])) > 1e-9)) {
    findings.add("axes", "x and z must not be parallel");
  }
}

void SpacecraftSpec::check(const Surroundings&, Findings& findings) const {
  if (inertia == Sym3<double>{} && mass > 0) findings.add("inertia", "a hub needs an inertia");
  if (state && placement) findings.add("placement", "state and placement exclude each other");
}

void FreeBodySpec::check(const Surroundings& around, Findings& findings) const {
  if (!around.has_ground && parent == "ground" && joint != JointType::free)
    findings.add("joint", "in an orbit nothing stands on the ground: use a free joint");
  if (has_spring() && joint != JointType::revolute && joint != JointType::prismatic)
    findings.add("", "stiffness, damping and effort belong to revolute and prismatic joints");
  // An attitude must be one.
  if (joint != JointType::free && joint != JointType::spherical) return;
  const std::size_t at = joint == JointType::free ? 3 : 0;
  if (q.size() != at + 4) return;
  double n = 0;
  for (std::size_t k = at; k < at + 4; ++k) n += q[k] * q[k];
  if (std::fabs(n - 1) > 1e-6)
    findings.add("q", "its quaternion must have unit length (scalar first)");
}

// --- what joins and touches ----------------------------------------------------------------------

void DockSpec::check(const Surroundings&, Findings& findings) const {
  if (between.size() != 2)
    findings.add("between", fmt::format("two ports are needed, not {}", between.size()));
  const std::string_view type = std::visit([](const auto& c) { return c.type; }, part);
  if (enforce == Enforce::fused && !std::holds_alternative<Rigid<double>>(part))
    findings.add("enforce", fmt::format("only a rigid dock can be fused, not {}", type));
  if (const auto* rod = std::get_if<Length<double>>(&part);
      rod && !(norm(arm) > 0) && !(rod->length > 0))
    findings.add("length", "a rod needs a length: give length or arm");
  if (has_physical_gains() && find_gains() != Gains::physical)
    findings.add("gains", fmt::format("stiffness, damping and integral are physical gains, not {}",
                                      keyword_of(find_gains())));
  if (find_gains() != Gains::physical || enforce != Enforce::penalty) return;
  if (!stiffness) findings.add("stiffness", "is missing: physical gains need it [N/m]");
  if (std::visit([](const auto& c) { return c.torques > 0; }, part) && !stiffness_rotation)
    findings.add("stiffness_rotation",
                 fmt::format("is missing: a {} joint turns against it [N·m/rad]", type));
}

void MeasureSpec::check(const Surroundings&, Findings& findings) const {
  if (between.empty() == grasps.empty()) {
    findings.add("", "needs either between = [frame, frame] or grasps = [dock, dock]");
  } else if (!between.empty() && between.size() != 2) {
    findings.add("between", "two frames are needed");
  } else if (!grasps.empty() && (grasps.size() != 2 || grasps[0] == grasps[1])) {
    findings.add("grasps", "two docks or loops are needed");
  }
}

void CaptureSpec::check(const Surroundings&, Findings& findings) const {
  if (between.size() != 2) findings.add("between", "two ports are needed");
  if (soft == dock) findings.add("soft", "soft and dock are one and the same");
  if (!(envelope.closing_min < envelope.closing_max))
    findings.add("envelope.closing_min", fmt::format("{} is not below closing_max = {}",
                                                     envelope.closing_min, envelope.closing_max));
}

void FacilitySpec::check(const Surroundings&, Findings& findings) const {
  if (share > 1) findings.add("share", "is a part of the whole: 0 … 1");
  if (robot.size() > 2) findings.add("robot", "a facility has two robots at most");
  if (std::fabs(sensor.sign) != 1) findings.add("sensor.sign", "is 1 or -1");
}

void ContactSpec::check(const Surroundings&, Findings& findings) const {
  if (between.size() != 2)
    findings.add("between", "two ports are needed: the probe's, then the surface's");
  const bool is_impact = std::holds_alternative<Impact<double>>(law);
  if (is_impact) {
    if (delay > 0 || sample_time > 0 || robot_frequency > 0 || filter_time > 0)
      findings.add("",
                   "an impact is no force that a loop could feed back: no delay, samples, lag or "
                   "filter with an impact law");
    if (!std::holds_alternative<NoFriction<double>>(friction))
      findings.add("friction", "of an impact is an input of its law: law.friction");
    if (!std::holds_alternative<HalfSpace<double>>(surface))
      findings.add("surface",
                   "where a surface curves or ends a probe could not rest: impacts need a "
                   "half_space");
    if (release != Release::repulsive)
      findings.add("release", "an impact never pulls: leave it out");
    if (std::holds_alternative<CapsuleProbe<double>>(probe))
      findings.add("probe", "impacts need a point, a sphere or a polygon");
  } else if (std::holds_alternative<PolygonProbe<double>>(probe)) {
    findings.add("probe", "a polygon needs a law of impact");
  }
  if (start == ContactStart::equilibrium &&
      (delay > 0 || sample_time > 0 || robot_frequency > 0 || filter_time > 0))
    findings.add(
        "start",
        "a late force is not in equilibrium at the start: no delay, samples, lag or filter "
        "with \"equilibrium\"");
  if (jitter > 0 && !(sample_time > 0))
    findings.add("jitter", "needs a sample_time: it is another delay for each sample");
  if (delay > 0 && delay < 1e-9)
    findings.add("delay", fmt::format("{} s is below a nanosecond: leave it out", delay));
}

// --- what happens --------------------------------------------------------------------------------

void ControlSpec::check(const Surroundings&, Findings& findings) const {
  if (!task) return;
  if (std::visit([](const auto& p) { return p.driven_joints().empty(); }, part))
    findings.add("task", "belongs to controllers of joints");
  if (task->distance.type == ProfileType::rate || !task->distance.series.empty())
    findings.add("task", "distance is constant, step, quintic or table");
}

void EventSpec::check(const Surroundings&, Findings& findings) const {
  const int triggers = (at ? 1 : 0) + (impact.empty() ? 0 : 1) + (after.empty() ? 0 : 1);
  if (triggers > 1 || (triggers == 0 && when.empty() && !commanded))
    findings.add("", "needs one trigger: at, impact, after or when (when may go with each)");
  if (!impact.empty() && (hold > 0 || direction != Edge::begins))
    findings.add("", "hold and direction belong to a condition that is watched");
  if (delay > 0 && after.empty())
    findings.add("delay", "is counted from another event: say which with after");
  if (!after.empty() && after.name == name)
    findings.add("after", "an event cannot wait for itself");
  if (direction == Edge::now && !at && after.empty())
    findings.add("direction", "\"now\" goes with at or after");
  if (direction != Edge::begins && hold > 0)
    findings.add("hold", "only a condition that begins to hold can be held");
  if (when.empty() && (direction != Edge::begins || hold > 0))
    findings.add(hold > 0 ? "hold" : "direction", "belongs to a condition: say when");
  if (actions.empty() && report.empty()) findings.add("do", "does nothing: give it an action");
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/find_summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/run/stepper.h"
#include "berth/system/dock_warnings.h"

namespace berth {
namespace {

Coordinates numbers_at(const HybridRun& run, int first, int count) {
  const auto from = run.x().begin() + first;
  return {std::vector<double>(from, from + count)};
}

JointState find_joint_state(const HybridRun& run, const Layout& at, const Body<double>& b) {
  return {numbers_at(run, at.q + b.q, shape(b.joint).coordinates),
          numbers_at(run, at.v + b.v, shape(b.joint).speeds)};
}

BodyState find_body_state(const HybridRun& run, const Workspace<double>& w, int i) {
  const BodyMotion<double>& m = w.motion.body(i);
  Vec3<double> r_OE{}, v_OE{}, r_CO{}, v_CO{};
  if (run.system().in_orbit) {
    const auto at = [&](int k) {
      const double* p = run.x().data() + w.layout.orbit + k;
      return Vec3<double>{p[0], p[1], p[2]};
    };
    r_OE = at(0), v_OE = at(3), r_CO = at(6), v_CO = at(9);
  }
  BodyState out;
  out.rho_BO_N = m.r_BN_N + r_CO;
  out.rhodot_BO_N = m.v_BN_N + v_CO;
  out.r_BN_N = r_OE + out.rho_BO_N;
  out.v_BN_N = v_OE + out.rhodot_BO_N;
  out.quaternion_BN = quaternion(m.R_NB);
  out.sigma_BN = mrp(out.quaternion_BN);
  out.omega_BN_B = transposed_times(m.R_NB, m.omega_BN_N);
  return out;
}

// Of a free joint counted from O, and right for a hub that is welded to another body too.
JointState find_free_joint(const BodyState& s) {
  const Quaternion<double>& q = s.quaternion_BN;
  const Vec3<double>&r = s.rho_BO_N, &v = s.rhodot_BO_N, &omega = s.omega_BN_B;
  return {{{r.x, r.y, r.z, q.w, q.x, q.y, q.z}}, {{v.x, v.y, v.z, omega.x, omega.y, omega.z}}};
}

FinalState find_final(HybridRun& run, const Scenario& scenario) {
  const Workspace<double>& w = run.observe();
  const Model<double>& model = run.system().model;
  FinalState out;
  for (const SpacecraftSpec& craft : scenario.spacecraft) {
    BodyState one = find_body_state(run, w, model.find_body(craft.name));
    Keyed<JointState>& joints = one.joints.emplace();
    for (int i = 1; i < model.body_count(); ++i) {
      const std::string& name = model.names[static_cast<std::size_t>(i)];
      if (name.starts_with(craft.name + ".") && shape(model.body(i).joint).speeds > 0)
        joints.emplace_back(name.substr(craft.name.size() + 1),
                            find_joint_state(run, w.layout, model.body(i)));
    }
    out.craft.emplace_back(craft.name, std::move(one));
  }
  for (const FreeBodySpec& b : scenario.body) {
    const int i = model.find_body(b.name);
    BodyState one = find_body_state(run, w, i);
    const JointState joint =
        model.body(i).hub ? find_free_joint(one) : find_joint_state(run, w.layout, model.body(i));
    one.q = joint.q;
    one.v = joint.v;
    out.bodies.emplace_back(b.name, std::move(one));
  }
  return out;
}

std::vector<DockSummary> find_docks(HybridRun& run) {
  const Workspace<double>& w = run.observe();
  const System<double>& system = run.system();
  const Mode<double>& mode = run.mode();
  std::vector<DockSummary> out;
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<double>& dock = system.docks[k];
    const LoadAxes<double> axes = find_load_axes(system.model, dock, w.motion);
    DockSummary d;
    d.name = dock.name;
    d.type = dock.type();
    d.enforce = name(dock.enforce);
    d.loop = dock.loop;
    d.engaged = dock.engaged;
    d.axes = axes.name;
    d.force = transposed_times(axes.R_NA, w.docks[k].wrench.force);
    d.torque = transposed_times(axes.R_NA, w.docks[k].wrench.torque);
    d.track = run.dock_tracks()[k];
    for (int r = 0; dock.has_multipliers() && r < dock.row_count(); ++r) {
      const bool solved = std::any_of(mode.rows.begin(), mode.rows.end(), [&](const ActiveRow& a) {
        return a.closure == static_cast<int>(k) && a.row == r;
      });
      if (!solved)
        d.indeterminate.push_back(r < dock.force_count()
                                      ? fmt::format("force {}", r + 1)
                                      : fmt::format("torque {}", r - dock.force_count() + 1));
    }
    out.push_back(std::move(d));
  }
  return out;
}

// Ends a run once a contact is over for the first time.
struct UntilSettled : Observer {
  std::size_t contact;
  explicit UntilSettled(std::size_t k) : contact(k) {}
  bool step(HybridRun& run) override { return std::isnan(run.contact_tracks()[contact].speed_out); }
};

// The same simulation with forces that act at once: the restitution of the first contact.
double find_ideal_restitution(const BuiltScenario& built, std::size_t k, double t_stop,
                              const std::function<bool()>& interrupted) {
  BuiltScenario ideal = built;
  std::vector<Contact<double>> contacts = std::move(ideal.system.contacts);
  ideal.system.contacts.clear();
  ideal.system.rests.clear();
  for (Contact<double>& c : contacts) ideal.system.add_contact(without_loop(std::move(c)));
  ideal.options.max_wall_time *= 0.25;  // it comes on top of the run's own
  HybridRun run(ideal.system, ideal.options);
  run.set_events(ideal.events);
  run.interrupted = interrupted;
  UntilSettled until(k);
  run.advance(t_stop, &until);
  return run.contact_tracks()[k].restitution();
}

std::vector<ContactSummary> find_contacts(const HybridRun& run, const BuiltScenario& built) {
  std::vector<ContactSummary> out;
  for (std::size_t k = 0; k < run.contact_tracks().size(); ++k) {
    const Contact<double>& c = run.system().contacts[k];
    out.push_back({c.name, run.contact_tracks()[k], c.is_ideal()});
    if (!c.is_ideal() && !std::isnan(out.back().track.speed_out))
      out.back().restitution_ideal = find_ideal_restitution(built, k, run.t(), run.interrupted);
  }
  return out;
}

std::vector<ThrusterSummary> find_thrusters(const HybridRun& run) {
  std::vector<ThrusterSummary> out;
  for (const auto& set : std::get<std::vector<ThrusterSet<double>>>(run.system().forces))
    out.push_back({set.name, run.thruster_tracks()[out.size()]});
  return out;
}

std::vector<ConditionSummary> find_conditions(const HybridRun& run) {
  std::vector<ConditionSummary> out;
  for (const HybridRun::BestReached& b : run.best_reached()) {
    const Channel* channel = run.channels().find(b.channel);
    // "capture_soft" and "capture.roll" above and below are two conditions.
    std::string name = b.event + "_" + b.channel.substr(b.channel.rfind('.') + 1);
    for (const ConditionSummary& other : out)
      if (other.name == name) name += b.greater ? "_above" : "_below";
    out.push_back({name, b.event, b.channel, channel ? channel->unit : "", b.limit, b.greater,
                   b.best, b.t, b.met});
  }
  return out;
}

void warn(const std::string& method, Summary& s) {
  const auto check = [&](const char* what, double value) {
    if (value >= 1e-6)  // one that is no number has failed already
      s.warnings.push_back(
          fmt::format("{} is kept only to {:.1e}: {}", what, value,
                      takes_fixed_steps(method) ? "shorten the step" : "tighten the tolerance"));
  };
  check("energy", s.audit.energy);
  check("linear momentum", s.audit.linear_momentum);
  check("angular momentum", s.audit.angular_momentum);
  for (const std::string& e : s.waiting)
    s.warnings.push_back(fmt::format("event {} never happened", e));
}

}  // namespace

Summary find_summary(HybridRun& run, const Outcome& outcome, const Scenario& scenario,
                     const BuiltScenario& built) {
  Summary s;
  s.title = scenario.title;
  s.outcome = outcome;
  s.verdict = run.verdict();
  s.steps = run.counters();
  s.audit = run.audit();
  s.events = run.event_records();
  s.waiting = run.waiting_events();
  s.channels = run.channels().shared_list();
  s.final = find_final(run, scenario);
  s.docks = find_docks(run);
  s.contacts = find_contacts(run, built);
  s.thrusters = find_thrusters(run);
  s.conditions = find_conditions(run);
  // A capture that has come to nothing has a verdict too.
  if (s.verdict.empty() && !scenario.capture.empty()) s.verdict = "not_captured";
  for (const DockTrack& track : run.dock_tracks()) {
    s.constraint_position = std::max(s.constraint_position, track.violation().position);
    s.constraint_attitude = std::max(s.constraint_attitude, track.violation().attitude);
  }
  s.warnings = find_dock_warnings(built.system, scenario.time.stop,
                                  is_stiff_method(scenario.integrator.method));
  s.warnings.insert(s.warnings.end(), run.warnings().begin(), run.warnings().end());
  warn(scenario.integrator.method, s);
  return s;
}

}  // namespace berth

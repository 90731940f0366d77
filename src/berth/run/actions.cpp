// SPDX-License-Identifier: Apache-2.0

// What events do.

#include <fmt/format.h>

#include "berth/run/switching.h"
#include "berth/system/configuration.h"
#include "berth/system/latch.h"

namespace berth {
namespace {

// Calls f(part) for the controller or force of this name.
template <class F>
void with_named(System<double>& system, const std::string& name, F&& f) {
  for_each_named_part(system, [&](auto& part) {
    if (part.name == name) f(part);
  });
}

int find_dock_named(const System<double>& system, const std::string& name) {
  for (std::size_t k = 0; k < system.docks.size(); ++k)
    if (system.docks[k].name == name) return static_cast<int>(k);
  throw std::invalid_argument("no dock named " + name);
}

void warn(Core& core, std::string text) { core.s.run_log.warnings.push_back(std::move(text)); }

void warn_of_state(Core& core, const Event& e, const char* does, const std::string& dock,
                   const char* is) {
  warn(core, fmt::format("event {} ({}) {} {} at {:.6g} s, which is {}", e.name, e.where, does,
                         dock, core.s.t, is));
}

void act(Core& core, const SwitchAction& a, const Event&) {
  RunState& s = core.s;
  strike(core.system, s.t, s.x, s.mode, core.w,
         [&] { with_named(core.system, a.name, [&](auto& part) { part.enabled = a.enable; }); });
  if (a.enable) ControlSampling::wake(core, a.name);
}

void act(Core& core, const ReferenceAction& a, const Event&) {
  const double t = core.s.t;
  with_named(core.system, a.name, [&](auto& part) {
    std::vector<Profile<double>> fresh = a.reference;
    for (Profile<double>& p : fresh) {
      p.start += t;
      for (double& time : p.times) time += t;
    }
    const auto reference = references_of(part);
    std::copy_n(fresh.begin(), std::min(fresh.size(), reference.size()), reference.begin());
    std::vector<double> times;
    for (const Profile<double>& p : fresh) p.add_times(times);
    for (double time : times)
      if (time > t) core.s.event_queue.add({time, Due::switching});
  });
}

void act(Core& core, const KickAction& a, const Event&) {
  RunState& s = core.s;
  kick_joint(core.system, s.t, s.x, s.mode, core.w, core.system.model.find_body(a.joint), a.rate,
             a.add);
}

void act(Core& core, const ImpulseAction& a, const Event&) {
  RunState& s = core.s;
  strike_body(core.system, s.t, s.x, s.mode, core.w, core.system.model.find_body(a.body), a.impulse,
              a.point, a.angular_impulse);
}

void act(Core& core, const LatchAction& a, const Event& event) {
  RunState& s = core.s;
  const int k = find_dock_named(core.system, a.dock);
  const Dock<double>& dock = core.system.docks[index(k)];
  if (dock.engaged) return warn_of_state(core, event, "latches", a.dock, "joined already");
  if (dock.enforce == Enforce::fused) remember_model(core);
  const LatchResult r = latch(core.system, s.t, s.x, s.mode, core.w, k, a.nominal);
  if (r.refused) {
    warn(core,
         fmt::format("{} did not latch at {:.6g} s: the ports were {:.3g} m and {:.3g} rad "
                     "from mated, beyond its gap of {:.3g} m and {:.3g} rad",
                     dock.name, s.t, r.off.position, r.off.attitude, dock.gap, dock.gap_angle));
    return report(core, "latch_refused", dock.name,
                  {named("gap", r.off.position), named("gap_angle", r.off.attitude)});
  }
  if (r.cannot_fuse)
    warn(core, fmt::format("{} is held exactly from {:.6g} s on: it cannot be fused, its craft "
                           "being joined already or neither port on a free hub",
                           dock.name, s.t));
  report(core, "latch", dock.name,
         {named("lock", std::string(a.nominal ? "nominal" : "current")),
          named("energy_lost", r.energy_lost), named("impulse_N", r.impulse.force),
          named("angular_impulse_N", r.impulse.torque)});
}

void act(Core& core, const ReleaseAction& a, const Event& event) {
  RunState& s = core.s;
  const int k = find_dock_named(core.system, a.dock);
  const Dock<double>& dock = core.system.docks[index(k)];
  if (!dock.engaged) return warn_of_state(core, event, "releases", a.dock, "open already");
  if (dock.enforce == Enforce::fused) remember_model(core);
  const ReleaseResult r = release(core.system, s.t, s.x, s.mode, core.w, k);
  report(core, "release", dock.name, {named("energy_lost", r.energy_lost)});
}

void act(Core& core, const RecordAction& a, const Event&) { core.s.record_interval = a.interval; }

void act(Core& core, const VerdictAction& a, const Event& event) {
  core.s.stopped = core.s.stopped || a.stops;
  core.s.verdict = a.verdict.empty() ? event.name : a.verdict;
}

}  // namespace

void perform(Core& core, const Action& action, const Event& event) {
  std::visit([&](const auto& a) { act(core, a, event); }, action);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// What is changed from outside between two steps: who takes part, and the numbers of the system.
//
// Another system of the same structure takes the place of the present one. What events have made of it
// (Configuration) stays, but for what the two differ in from the start. The energy and momentum that
// another mass or spring brings along are work and impulse from outside.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/run/run.h"
#include "berth/run/switching.h"
#include "berth/run/visit_state.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

template <class V>
std::uint64_t digest_of(const V& value) {
  Digest digest;
  digest(value);
  return digest.value();
}

// Times that a run counts by.
std::vector<double> list_periods(const System<double>& system) {
  std::vector<double> out;
  for_each_part(system.controls, [&]<class Control>(const Control& c) {
    out.insert(out.end(), {c.sample_time, c.latency});
    if constexpr (Control::asks_outside) out.push_back(c.offset);
  });
  for_each_part(system.sensors, [&](const auto& s) { out.push_back(s.sample_time); });
  for (const auto& set : std::get<std::vector<ThrusterSet<double>>>(system.forces))
    out.push_back(set.sample_time);
  for (const Contact<double>& c : system.contacts)
    out.insert(out.end(), {c.sample_time, c.delay, c.filter_time > 0 ? 1.0 : 0.0,
                           c.robot_frequency > 0 ? 1.0 : 0.0});
  return out;
}

// Everything a state is counted by. A sentence where it differs, else nothing.
std::string find_difference(const System<double>& a, const System<double>& b) {
  const Channels of_a(a), of_b(b);
  const auto same_channel = [](const Channel& x, const Channel& y) {
    return x.name == y.name && x.unit == y.unit && x.frame == y.frame;
  };
  if (!std::equal(of_a.list().begin(), of_a.list().end(), of_b.list().begin(), of_b.list().end(),
                  same_channel) ||
      a.layout().size != b.layout().size)
    return "it is another structure then: other bodies, parts or channels";
  const auto same_body = [](const Body<double>& x, const Body<double>& y) {
    return x.parent == y.parent && x.joint == y.joint && x.motor == y.motor;
  };
  if (!std::equal(a.model.bodies.begin(), a.model.bodies.end(), b.model.bodies.begin(), same_body))
    return "bodies hang on other joints then";
  const auto same_dock = [](const Dock<double>& x, const Dock<double>& y) {
    return x.enforce == y.enforce && x.type() == y.type() && x.port_1.body == y.port_1.body &&
           x.port_2.body == y.port_2.body && x.integrates == y.integrates;
  };
  if (!std::equal(a.docks.begin(), a.docks.end(), b.docks.begin(), same_dock))
    return "docks are of another kind then";
  const auto same_contact = [](const Contact<double>& x, const Contact<double>& y) {
    return x.is_impact() == y.is_impact() && x.first_state == y.first_state &&
           x.port_1.body == y.port_1.body && x.port_2.body == y.port_2.body &&
           x.external == y.external && x.adhesive == y.adhesive && x.bilateral == y.bilateral;
  };
  if (!std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), same_contact))
    return "contacts are of another kind then";
  if (list_periods(a) != list_periods(b)) return "samples and delays are counted from the start";
  if (find_initial_state(a) != find_initial_state(b)) return "it would have begun elsewhere";
  return "";
}

// `now`, with everything new in which `after` differs from `before`.
Configuration merge(const Configuration& before, const Configuration& after, Configuration now) {
  const auto take = [](const auto& from, const auto& to, auto& out) {
    if (digest_of(from) != digest_of(to)) out = to;
  };
  for (std::size_t k = 0; k < now.hubs.size(); ++k)
    take(before.hubs[k], after.hubs[k], now.hubs[k]);
  for (std::size_t k = 0; k < now.docks.size(); ++k) {
    take(before.docks[k].arm, after.docks[k].arm, now.docks[k].arm);
    take(before.docks[k].R_12, after.docks[k].R_12, now.docks[k].R_12);
  }
  for (std::size_t k = 0; k < now.parts.size(); ++k) {
    take(before.parts[k].enabled, after.parts[k].enabled, now.parts[k].enabled);
    take(before.parts[k].reference, after.parts[k].reference, now.parts[k].reference);
  }
  return now;
}

}  // namespace

void HybridRun::connect(std::size_t external, std::shared_ptr<const ExternalSource> source) {
  auto& sources = core_->sources;
  sources.resize(std::max(sources.size(), external + 1));
  sources[external] = std::move(source);
}
std::exception_ptr HybridRun::failure() const { return core_->failure; }

std::string HybridRun::find_obstacle(const System<double>& from, const System<double>& to,
                                     const RunOptions& options,
                                     const std::vector<Event>& events) const {
  const auto integrator = [](const Identity& of) {
    const auto at =
        std::find_if(of.begin(), of.end(), [](const Topic& t) { return t.name == "integrator"; });
    return at == of.end() ? 0 : at->digest;
  };
  if (std::string why = find_difference(from, to); !why.empty()) return why;
  if (integrator(find_identity(to, options)) != integrator(core_->identity))
    return "the integrator keeps what it began with";
  if (find_identity(events).digest != find_identity(core_->events).digest)
    return "events are armed from the start";
  return "";
}

void HybridRun::change(const System<double>& from, System<double> to, const RunOptions& options,
                       const std::vector<Event>& events, Observer* observer) {
  if (advancing_ || is_ahead())
    throw std::logic_error("a system is changed between two calls of advance()");
  const std::string why = find_obstacle(from, to, options, events);
  if (!why.empty()) throw std::invalid_argument(why);
  Core& core = *core_;
  RunState& s = core.s;
  Identity identity = find_identity(to, options);
  const Configuration now =
      merge(find_configuration(from), find_configuration(to), find_configuration(core.system));
  set_configuration(to, now);
  remember_model(core);
  core.changes = take_number();
  strike(core.system, s.t, s.x, s.mode, core.w, [&] { core.system = std::move(to); });
  core.identity = std::move(identity);
  core.options = options;
  core.events = events;
  core.w = Workspace<double>(core.system);
  core.work = core.w;
  core.work.sees_idle = false;
  seen_ = core.w;
  if (!s.started) return;
  fill_schedule(core);
  choose_rows(core.system, s.t, s.x, s.mode, core.w);
  core.run = this;
  core.observer = observer;
  act(true);
}

}  // namespace berth

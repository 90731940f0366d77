// SPDX-License-Identifier: Apache-2.0
#include "berth/live/live_scenario.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/model/suggest.h"
#include "berth/simulate/participants.h"

namespace berth {
namespace {

std::optional<std::size_t> find_served(const Scenario& s, const LiveSpec& live,
                                       Problems& problems) {
  if (s.external.empty()) {
    problems.add("external", "there is no [[external]]: nobody could take part");
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const External<double>& e : s.external) names.push_back(e.name);
  const auto at =
      live.external.empty() ? names.begin() : std::find(names.begin(), names.end(), live.external);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  problems.add("live.external",
               fmt::format("no external {}{}", live.external, suggest(live.external, names)));
  return std::nullopt;
}

// Poses and rates first.
void add_poses(const Scenario& s, std::vector<std::string>& measures) {
  std::vector<std::string> all;
  for (const SpacecraftSpec& craft : s.spacecraft)
    for (const char* quantity : {"rho_BO_N", "quaternion_BN", "rhodot_BO_N", "omega_BN_B"})
      all.push_back(craft.name + "." + quantity);
  for (const std::string& name : measures)
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  measures = std::move(all);
}

void check_limits(const External<double>& e, Problems& problems) {
  for (const ExternalCommand<double>& c : e.commands) {
    const bool pushes =
        c.as != CommandKind::level && c.as != CommandKind::on_time && c.as != CommandKind::event;
    if (pushes && !(c.limit > 0))
      problems.add(fmt::format("external.{}.commands.{}.limit", e.name, c.name),
                   "is missing: what comes from outside while the clock runs needs a limit");
  }
}

// What both sides must have in common: craft, ports, contacts and what is exchanged. How long, how fast and
// how it is recorded is not part of it.
std::string find_common_text(Scenario s) {
  const Scenario blank;
  s.title.clear();
  s.time = blank.time, s.integrator = blank.integrator, s.record = blank.record;
  s.expect = blank.expect, s.sweep = blank.sweep, s.dispersion = blank.dispersion;
  s.optimise = blank.optimise, s.stability = blank.stability;
  s.live.reset(), s.facility.reset();
  for (External<double>& e : s.external) {
    e.sample_time = e.offset = e.latency = 0;
    e.silent = {};
    for (ExternalCommand<double>& c : e.commands) c.limit = 0;
  }
  for (ContactSpec& c : s.contact) c.compensation = ContactSpec{}.compensation;
  return write_scenario(s);
}

}  // namespace

std::optional<std::size_t> find_given_contact(const Scenario& scenario,
                                              const External<double>& external) {
  for (const ExternalCommand<double>& c : external.commands)
    for (std::size_t i = 0; i < scenario.contact.size(); ++i)
      if (c.as == CommandKind::contact && scenario.contact[i].name == c.to.name) return i;
  return std::nullopt;
}

std::optional<LiveSetup> build_live(Scenario scenario, const LiveChoices& choices,
                                    Problems& problems) {
  LiveSetup out;
  out.live = scenario.live.value_or(LiveSpec{});
  const auto served = find_served(scenario, out.live, problems);
  if (!served) return std::nullopt;
  out.external = *served;
  External<double>& e = scenario.external[out.external];
  if (choices.rate) e.sample_time = 1 / *choices.rate;
  if (out.live.apply == Apply::arrival) e.latency = 0;
  add_poses(scenario, e.measures);
  check_limits(e, problems);
  if (!choices.lockstep && !takes_fixed_steps(scenario.integrator.method)) {
    scenario.integrator.method = "rk4";
    scenario.integrator.step = e.sample_time;
  }
  out.built = build_scenario(scenario, problems);
  if (!problems.empty()) return std::nullopt;
  const HybridRun run(out.built.system, out.built.options);
  const Simulation::External described =
      list_externals(out.built.system, run.channels()).at(out.external);
  out.layout.external = e.name;
  out.layout.measures = described.measures;
  out.layout.commands = described.commands;
  for (const auto& [count, what] : {std::pair(out.layout.measure_count(), "measures"),
                                    std::pair(out.layout.command_count(), "commands")})
    if (count > kMostNumbers)
      problems.add(
          fmt::format("external.{}.{}", e.name, what),
          fmt::format("{} numbers do not fit a datagram: at most {}", count, kMostNumbers));
  if (!problems.empty()) return std::nullopt;
  for (const ExternalCommand<double>& c : e.commands) out.limits.push_back(c.limit);
  out.layout.digest = find_layout_digest(out.layout, find_common_text(scenario));
  out.scenario = std::move(scenario);
  return out;
}

}  // namespace berth

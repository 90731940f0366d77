// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/closed_loop.h"

#include <algorithm>

namespace berth {
namespace {

bool gives(const ExternalCommand<double>& c, const std::string& contact) {
  return c.is_of_contact() && c.to.name == contact;
}

}  // namespace

std::string find_given_contact_name(const Scenario& scenario) {
  for (const External<double>& e : scenario.external)
    for (const ExternalCommand<double>& c : e.commands)
      if (c.as == CommandKind::contact) return c.to.name;
  return "";
}

std::optional<LoopBlock> find_loop_block(const Scenario& scenario, const std::string& contact) {
  for (const External<double>& e : scenario.external) {
    if (std::none_of(e.commands.begin(), e.commands.end(),
                     [&](const auto& c) { return gives(c, contact); }))
      continue;
    LoopBlock out;
    // What arrives acts at the next sample, where it is not held back to act at a time of its own.
    const bool at_arrival = scenario.live && scenario.live->apply == Apply::arrival;
    out.delay = at_arrival ? e.sample_time : e.latency;
    out.sample_time = e.sample_time;
    if (!scenario.facility) return out;
    const FacilitySpec& f = *scenario.facility;
    out.delay += f.delay;
    out.jitter = f.jitter;
    out.robot_frequency = f.robot_frequency;
    out.robot_damping = f.robot_damping;
    out.filter_time = f.sensor.filter_time;
    out.stiffness = f.stiffness, out.damping = f.damping, out.friction = f.friction;
    return out;
  }
  return std::nullopt;
}

Scenario close_loop(Scenario s, const std::string& contact, const LoopBlock& loop) {
  for (External<double>& e : s.external)
    std::erase_if(e.commands, [&](const auto& c) { return gives(c, contact); });
  std::erase_if(s.external, [](const External<double>& e) { return e.commands.empty(); });
  s.live.reset(), s.facility.reset();
  for (ContactSpec& c : s.contact) {
    if (c.name != contact) continue;
    c.delay = loop.delay;
    c.sample_time = loop.sample_time;
    c.jitter = loop.jitter;
    c.robot_frequency = loop.robot_frequency;
    c.robot_damping = loop.robot_damping;
    c.filter_time = loop.filter_time;
    auto* law = std::get_if<SpringDashpot<double>>(&c.law);
    if (law && loop.stiffness) law->stiffness = *loop.stiffness;
    if (law && loop.damping) law->damping = *loop.damping;
    if (loop.friction) c.friction = Coulomb<double>{*loop.friction};
  }
  return s;
}

}  // namespace berth

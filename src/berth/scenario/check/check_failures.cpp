// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/check/check_failures.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth {
namespace {

struct Ways {
  std::string_view kind;
  std::vector<Failure> ways;
};
Ways ways_of(FailingKind kind) {
  switch (kind) {
    case FailingKind::thruster:
      return {"thruster", {Failure::stuck_on, Failure::stuck_off, Failure::working}};
    case FailingKind::sensor: return {"sensor", {Failure::out, Failure::working}};
    case FailingKind::dock: return {"dock", {Failure::late, Failure::stuck_open, Failure::working}};
    case FailingKind::capture:
      return {"capture", {Failure::late, Failure::stuck_open, Failure::working}};
    case FailingKind::contact: return {"contact", {Failure::biased, Failure::working}};
  }
  return {};
}

// Readings of a continuous sensor are no samples of which one could be the last.
void check_sensor(const SensorSpec& sensor, Findings& findings) {
  if (std::visit([](const auto& part) { return part.sample_time > 0; }, sensor.part)) return;
  findings.add("fail", sensor.name +
                           " is continuous: it has no last reading to hold, as after a dropout; "
                           "give it a sample_time, or switch it with { sensor = … }");
}

void check_force_sensor(const ContactSpec& c, Findings& findings) {
  const bool has_loop =
      c.delay > 0 || c.sample_time > 0 || c.robot_frequency > 0 || c.filter_time > 0;
  const bool has_model =
      std::visit([](const auto& part) { return part.has_model; }, c.compensation);
  if (!has_loop)
    findings.add("fail", c.name +
                             " has no loop: no force is measured and fed back without a delay, "
                             "sample_time, robot_frequency or filter_time");
  else if (has_model)
    findings.add("fail", c.name +
                             " feeds back the force of its compensation \"model\": what its force "
                             "sensor measures is not used");
}

void check_failure(const Scenario& s, const Failing& thing, const FailAction& action,
                   Findings& findings) {
  const auto [kind, ways] = ways_of(thing.kind);
  if (std::find(ways.begin(), ways.end(), Failure(action.as)) == ways.end()) {
    std::vector<std::string_view> words;
    for (const Failure way : ways) words.push_back(keyword_of(way));
    return findings.add("as", fmt::format("a {} does not fail as \"{}\"; {} can be {}", kind,
                                          action.as.keyword(), thing.name, fmt::join(words, ", ")));
  }
  if (thing.kind == FailingKind::sensor) check_sensor(s.sensor[thing.number], findings);
  if (thing.kind == FailingKind::contact) check_force_sensor(s.contact[thing.number], findings);
}

}  // namespace

std::vector<Failing> list_failing(const Scenario& s) {
  std::vector<Failing> out;
  for (std::size_t k = 0; k < s.force.size(); ++k)
    if (const auto* set = std::get_if<ThrusterSet<double>>(&s.force[k].part))
      for (std::size_t i = 0; i < set->thruster.size(); ++i)
        out.push_back({name_of_thruster(s.force[k].name, i), FailingKind::thruster, k});
  const auto add = [&](const auto& list, FailingKind kind) {
    for (std::size_t k = 0; k < list.size(); ++k) out.push_back({list[k].name, kind, k});
  };
  add(s.sensor, FailingKind::sensor);
  add(s.dock, FailingKind::dock);
  add(s.capture, FailingKind::capture);
  add(s.contact, FailingKind::contact);
  return out;
}

Findings check_failures(const Scenario& s, const EventSpec& event) {
  Findings findings;
  for (std::size_t i = 0; i < event.actions.size(); ++i) {
    const auto* a = std::get_if<FailAction>(&event.actions[i].part);
    if (!a || a->thing.index < 0) continue;
    const Failing thing = list_failing(s)[static_cast<std::size_t>(a->thing.index)];
    findings.inside("do." + std::to_string(i + 1), [&] { check_failure(s, thing, *a, findings); });
  }
  return findings;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/check/check_external.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/model/suggest.h"

namespace berth {
namespace {

void check_command(const Scenario& s, const ExternalCommand<double>& c, Findings& findings) {
  std::vector<std::string> events;
  for (const EventSpec& e : s.event) events.push_back(e.name);
  if (c.as == CommandKind::event &&
      std::find(events.begin(), events.end(), c.to.name) == events.end())
    findings.add("to", fmt::format("no event {}{}", c.to.name, suggest(c.to.name, events)));
  for (const ContactSpec& contact : s.contact) {
    if (!c.is_of_contact() || contact.name != c.to.name) continue;
    if (std::holds_alternative<Impact<double>>(contact.law))
      findings.add("to", "an impact is no force that could be given: " + contact.name);
    if (contact.delay > 0 || contact.sample_time > 0 || contact.robot_frequency > 0 ||
        contact.filter_time > 0)
      findings.add("to", contact.name +
                             " has a loop of its own: no delay, samples, lag or filter where the "
                             "force is given");
    if (contact.feedback == Feedback::normal)
      findings.add("to", contact.name +
                             " has feedback = \"normal\": a force that is given acts as the vector "
                             "it is");
  }
}

}  // namespace

void mark_commanded(Scenario& scenario) {
  for (const External<double>& e : scenario.external)
    for (const ExternalCommand<double>& c : e.commands)
      for (EventSpec& event : scenario.event)
        event.commanded |= c.as == CommandKind::event && c.to.name == event.name;
}

bool is_given(const Scenario& scenario, const ContactSpec& contact) {
  for (const External<double>& e : scenario.external)
    for (const ExternalCommand<double>& c : e.commands)
      if (c.as == CommandKind::contact && c.to.name == contact.name) return true;
  return false;
}

void check_compensations(const Scenario& scenario, Problems& problems) {
  for (const ContactSpec& c : scenario.contact)
    if (std::visit([](const auto& how) { return how.needs_samples; }, c.compensation) &&
        !(c.sample_time > 0) && !is_given(scenario, c))
      problems.add("contact." + c.name + ".compensation",
                   "needs a sample_time: it works from sample to sample");
}

void check_external(const Scenario& scenario, const External<double>& external,
                    Findings& findings) {
  for (const ExternalCommand<double>& c : external.commands)
    findings.inside("commands." + c.name, [&] { check_command(scenario, c, findings); });
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// A summary for a reader.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/simulate/summary.h"

namespace berth {
namespace {

// A summary stays one; all events are in the result file.
constexpr std::size_t kMostEventsShown = 30;

// Contacts come and go without number; what the scenario's events and docks do is what is asked for.
bool is_of_a_contact(const EventRecord& h) {
  return h.kind.starts_with("contact_") || h.kind == "impact" || h.kind == "rest" ||
         h.kind == "lift_off";
}

// Which to show: all when they are few; else all that are not of a contact, as far as they go, then
// the last ones, then the first.
std::vector<std::size_t> choose_events(const std::vector<EventRecord>& events) {
  std::vector<std::size_t> chosen;
  std::vector<bool> is_chosen(events.size(), false);
  const auto take = [&](std::size_t i) {
    if (chosen.size() < kMostEventsShown && !is_chosen[i]) chosen.push_back(i), is_chosen[i] = true;
  };
  if (events.size() > kMostEventsShown) {
    constexpr std::size_t last = 5;  // always there, whatever they are
    for (std::size_t i = events.size() - last; i < events.size(); ++i) take(i);
    for (std::size_t i = 0; i < events.size(); ++i)
      if (!is_of_a_contact(events[i])) take(i);
  }
  for (std::size_t i = 0; i < events.size(); ++i) take(i);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Without a delay a contact has settled as soon as it is off: said once.
std::vector<EventRecord> without_repeats(const std::vector<EventRecord>& events) {
  std::vector<EventRecord> out;
  for (const EventRecord& h : events) {
    const bool repeats = h.kind == "contact_settled" && !out.empty() && out.back().t == h.t &&
                         out.back().kind == "contact_off" && out.back().name == h.name;
    if (!repeats) out.push_back(h);
  }
  return out;
}

std::string describe_events(const std::vector<EventRecord>& all) {
  const std::vector<EventRecord> events = without_repeats(all);
  std::string out;
  std::size_t next = 0;
  const auto skip_to = [&](std::size_t i) {
    if (i > next) out += fmt::format("\n  {:>14}  {} more events", "…", i - next);
    next = i + 1;
  };
  for (const std::size_t i : choose_events(events)) {
    skip_to(i);
    out += fmt::format("\n  {:>12.6f} s  {} {}", events[i].t, events[i].kind, events[i].name);
  }
  skip_to(events.size());
  return out;
}

}  // namespace

std::string describe(const Summary& s) {
  std::string out = s.title.empty() ? "" : s.title + "\n";
  switch (s.outcome.ending) {
    case Ending::reached_end:
      out += fmt::format("Reached the end at {:.6g} s{}{}", s.outcome.t,
                         s.verdict.empty() ? "" : ", ", s.verdict);
      break;
    case Ending::stopped:
      out += fmt::format("Stopped at {:.6g} s: {}", s.outcome.t, s.outcome.reason);
      break;
    case Ending::interrupted: out += fmt::format("Interrupted at {:.6g} s", s.outcome.t); break;
    default:
      out += fmt::format("Could not go on beyond {:.9g} s: {}{}{}", s.outcome.t,
                         name(s.outcome.ending), s.outcome.reason.empty() ? "" : ": ",
                         s.outcome.reason);
  }
  out += fmt::format(
      " in {} steps ({} rejected, {} evaluations, {:.3g} s of computing). "
      "Energy is conserved to {:.1e}, linear momentum to {:.1e}, angular momentum to {:.1e}.",
      s.steps.accepted, s.steps.rejected, s.steps.rhs, s.wall_seconds, s.audit.energy,
      s.audit.linear_momentum, s.audit.angular_momentum);
  for (const DockSummary& d : s.docks)
    out += fmt::format(
        "\n  {} ({}{}, {}): peak load {:.4g} N and {:.4g} N·m, violation {:.1e} m and {:.1e} rad",
        d.name, d.loop ? "loop, " : "", d.type, d.enforce, d.track.force_peak(),
        d.track.torque_peak(), d.track.violation().position, d.track.violation().attitude);
  for (const ContactSummary& c : s.contacts) {
    out += fmt::format("\n  {}: ", c.name);
    if (c.track.touches == 0) {
      out += "never touched";
      continue;
    }
    out += fmt::format(
        "{} contact{}, {}: energy {:+.4g} J, peak force {:.4g} N, penetration {:.4g} mm",
        c.track.touches, c.track.touches == 1 ? "" : "s", c.track.verdict(), c.track.energy,
        c.track.force_peak, 1e3 * std::max(c.track.penetration_peak, 0.0));
    if (std::isfinite(c.restitution_ideal))
      out += fmt::format("; restitution {:.4f} against {:.4f} without the loop ({:+.2f} %)",
                         c.track.restitution(), c.restitution_ideal,
                         100 * (c.track.restitution() / c.restitution_ideal - 1));
  }
  // Of a capture that failed, what did not come to hold.
  for (const ConditionSummary& c : s.conditions) {
    if (c.met || s.verdict == "captured") continue;
    out += fmt::format("\n  {}: wanted {} {} {:.4g} {}, ", c.event, c.channel,
                       c.greater ? "above" : "below", c.limit, c.unit);
    out += std::isfinite(c.best) ? fmt::format("came to {:.4g} {} at {:.6g} s", c.best, c.unit, c.t)
                                 : std::string("never watched");
  }
  out += describe_events(s.events);
  for (const Expectation& e : s.expectations)
    out += fmt::format("\n  {} {}: wanted {}, got {}", e.met ? "met   " : "FAILED", e.what,
                       e.wanted, e.got);
  for (const std::string& w : s.warnings) out += "\n  warning: " + w;
  if (!s.h5.empty()) out += "\n  recorded in " + s.h5;
  if (!s.csv.empty()) out += "\n  table in " + s.csv;
  return out + "\n";
}

std::string describe_samples(const Summary& s) {
  if (s.samples.empty()) return "";
  std::size_t width = 0;
  for (const Channel& c : s.channels) width = std::max(width, c.name.size() + 2);
  std::string out = fmt::format("{:<{}} {:<10}", "", width, "t [s]");
  for (const Sample& sample : s.samples) out += fmt::format(" {:>16.10g}", sample.t);
  out += "\n";
  for (const Channel& c : s.channels)
    for (int k = 0; k < c.width; ++k) {
      const char letter = (c.width == 4 ? "wxyz" : "xyz")[k];
      out +=
          fmt::format("{:<{}} {:<10}", c.width == 1 ? c.name : fmt::format("{}.{}", c.name, letter),
                      width, "[" + c.unit + "]");
      for (const Sample& sample : s.samples)
        out += fmt::format(" {:>16.9g}", sample.row[static_cast<std::size_t>(c.first + k)] + 0.0);
      out += "\n";
    }
  return out;
}

}  // namespace berth

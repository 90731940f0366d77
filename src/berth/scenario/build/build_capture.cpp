// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/build_capture.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth {
namespace {

using Clauses = std::vector<std::string>;

std::string all_of(const Clauses& c) { return fmt::format("{}", fmt::join(c, " and ")); }
std::string any_of(const Clauses& c) { return fmt::format("{}", fmt::join(c, " or ")); }

// "gap < 0.14000000000000001": as {:.17g} has it, at a fraction of the cost.
std::string write_clause(const std::string& channel, std::string_view how, double limit) {
  char digits[32];
  char* const end =
      std::to_chars(digits, std::end(digits), limit, std::chars_format::general, 17).ptr;
  std::string out = channel;
  out += how;
  out.append(digits, end);
  return out;
}
std::string below(const std::string& channel, double limit) {
  return write_clause(channel, " < ", limit);
}
std::string above(const std::string& channel, double limit) {
  return write_clause(channel, " > ", limit);
}

class CaptureWriter {
 public:
  CaptureWriter(const CaptureSpec& capture, Scenario& to, Problems& problems)
      : c_(capture), s_(to), problems_(problems) {}

  void write() {
    if (c_.between.size() == 2)
      s_.measure.push_back({.name = c_.name,
                            .between = {c_.between[1], c_.between[0]},
                            .grasps = {},
                            .mating = true});
    problems_.places.emplace("measure." + c_.name, problems_.place_around("capture." + c_.name));
    for (const char* quantity :
         {"gap", "closing", "lateral", "lateral_speed", "speed", "tilt", "roll", "rate"})
      reported_.push_back(of(quantity));
    for (const ContactRef& contact : c_.contacts) reported_.push_back(contact.name + ".force");
    if (!c_.soft.empty()) reported_.push_back(c_.soft.name + ".force");
    reported_.push_back(c_.dock.name + ".force");

    if (!c_.contacts.empty()) {
      Clauses touching;
      for (const ContactRef& contact : c_.contacts)
        touching.push_back(above(contact.name + ".touching", 0.5));
      EventSpec& touch = add("touch");
      touch.when = any_of(touching);
      EventSpec& inside = add("inside");
      inside.after = event("touch");
      inside.direction = Edge::now;
      Clauses all = motion_inside();
      all.push_back(above(of("closing"), c_.envelope.closing_min));
      all.push_back(below(of("lateral"), c_.envelope.offset));
      all.push_back(below(of("rate"), c_.envelope.rate));
      inside.when = all_of(all);
    }
    if (!c_.soft.empty()) {
      EventSpec& soft = add("soft");
      soft.when = all_of(in_the_zone());
      soft.follows_best = true;
      soft.actions.push_back({LatchAction{c_.soft, Lock::nominal}});
    }
    add_hard();
    add_failures();
  }

 private:
  std::string of(const char* quantity) const { return c_.name + "." + quantity; }
  std::string event(const char* what) const { return c_.name + "_" + what; }

  EventSpec& add(const char* what) {
    EventSpec& e = s_.event.emplace_back();
    e.name = event(what);
    e.report = reported_;
    e.may_wait = true;
    problems_.places.emplace("event." + e.name, problems_.place_around("capture." + c_.name));
    return e;
  }

  Clauses motion_inside() const {
    const EnvelopeSpec& e = c_.envelope;
    return {below(of("closing"), e.closing_max), below(of("lateral_speed"), e.lateral_speed),
            below(of("tilt"), e.tilt), below(of("roll"), e.roll), above(of("roll"), -e.roll)};
  }
  Clauses in_the_zone() const {
    Clauses all = motion_inside();
    all.push_back(below(of("gap"), c_.zone_depth));
    all.push_back(below(of("lateral"), c_.zone_radius));
    return all;
  }

  // What soft capture does not hold, friction in the cone must.
  void add_hard() {
    EventSpec& hard = add("hard");
    Clauses calm{below(of("gap"), c_.hard_gap), below(of("lateral"), c_.hard_lateral),
                 below(of("tilt"), c_.hard_tilt), below(of("speed"), c_.hard_speed)};
    if (c_.soft.empty()) {
      for (std::string& clause : in_the_zone()) calm.push_back(std::move(clause));
    } else {
      hard.after = event("soft");
    }
    hard.when = all_of(calm);
    hard.follows_best = true;
    hard.hold = c_.hard_hold;
    hard.actions.push_back({LatchAction{c_.dock}});
    if (!c_.soft.empty()) hard.actions.push_back({ReleaseAction{c_.soft}});
    hard.actions.push_back({c_.stop ? Action(StopAction{"captured"}) : VerdictAction{"captured"}});
  }

  void add_failures() {
    const std::string& held = event(c_.soft.empty() ? "hard" : "soft");
    const auto fail = [&](const char* what, const char* verdict, const std::string& unless) {
      EventSpec& e = add(what);
      e.unless = unless;
      e.actions.push_back({StopAction{verdict}});
      return &e;
    };
    if (!c_.contacts.empty()) {
      EventSpec* e = fail("bounced_off", "bounced_off", held);
      e->after = event("touch");
      e->when = above(of("gap"), c_.bounce_distance);
    }
    if (c_.mouth_radius > 0)
      fail("missed", "missed", held)->when =
          all_of({below(of("gap"), c_.mouth_depth), above(of("lateral"), c_.mouth_radius)});
    if (c_.give_up_after > 0) fail("late", "missed", event("hard"))->at = c_.give_up_after;
    if (c_.force_max > 0) {
      Clauses over{above(c_.dock.name + ".force", c_.force_max)};
      if (!c_.soft.empty()) over.push_back(above(c_.soft.name + ".force", c_.force_max));
      for (const ContactRef& contact : c_.contacts)
        over.push_back(above(contact.name + ".force", c_.force_max));
      fail("overload", "overload", "")->when = any_of(over);
    }
  }

  const CaptureSpec& c_;
  Scenario& s_;
  Problems& problems_;
  std::vector<std::string> reported_;
};

}  // namespace

Scenario expand_captures(const Scenario& scenario, Problems& problems) {
  Scenario to = scenario;
  for (const CaptureSpec& c : scenario.capture) CaptureWriter(c, to, problems).write();
  return to;
}

std::string find_capture_of(const Scenario& scenario, std::string_view path) {
  const auto is_below = [&](const std::string& table) {
    return path == table || path.starts_with(table + ".");
  };
  const auto has = [](const auto& specs, const std::string& name) {
    return std::any_of(specs.begin(), specs.end(), [&](const auto& x) { return x.name == name; });
  };
  for (const CaptureSpec& c : scenario.capture) {
    if (is_below("measure." + c.name) && !has(scenario.measure, c.name)) return c.name;
    const std::string first = "event." + c.name + "_";
    if (!path.starts_with(first)) continue;
    const std::string event(path.substr(6, path.find('.', 6) - 6));
    if (!has(scenario.event, event)) return c.name;
  }
  return "";
}

}  // namespace berth

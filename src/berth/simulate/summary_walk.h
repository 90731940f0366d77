// SPDX-License-Identifier: Apache-2.0
#pragma once

// Walks a summary, or any part of it, in the order of its rows, and reports to a visitor
//
//   begin_object(), end_object(), begin_array(), end_array()
//   enter(key, unit, meaning) → false: this one is of no interest;  leave()
//   number(x), integer(n), boolean(b), text(s)
//
// What is under a key that is not entered is not computed.

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "berth/simulate/summary.h"

namespace berth {

// Samples with the channels that name their numbers.
struct NamedSample {
  const Sample* sample;
  const ChannelList* channels;
};

// Steps and audit have rows, but belong to other layers.
template <class P>
constexpr auto rows_of() {
  if constexpr (std::same_as<P, StepCounters>) {
    return Schema{SummaryRow{"accepted", &P::accepted, unit::none, "steps"},
                  SummaryRow{"rejected", &P::rejected, unit::none, "steps tried and refused"},
                  SummaryRow{"rhs", &P::rhs, unit::none, "evaluations of the derivative"}};
  } else {
    return P::fields();
  }
}

namespace summary_walk {

template <class P>
concept HasRows = std::same_as<P, StepCounters> || requires {
  P::fields();
};

template <class V>
void walk(double x, V& v) {
  v.number(x + 0.0);  // −0 + 0 = 0
}
template <std::integral T, class V>
void walk(T x, V& v) {
  if constexpr (std::same_as<T, bool>) {
    v.boolean(x);
  } else {
    v.integer(static_cast<std::int64_t>(x));
  }
}
template <class V>
void walk(const std::string& s, V& v) {
  v.text(s);
}

template <class T, class V>
void walk(const std::vector<T>& list, V& v);
template <class T, class V>
void walk(const Keyed<T>& list, V& v);
template <class V>
void walk(const FinalState& f, V& v);
template <class V>
void walk(const EventRecord& h, V& v);
template <class V>
void walk(const NamedSample& s, V& v);
template <HasRows P, class V>
void walk(const P& part, V& v);

template <class V>
void walk(const Vec3<double>& r, V& v) {
  walk(std::vector<double>{r.x, r.y, r.z}, v);
}
template <class V>
void walk(const Quaternion<double>& q, V& v) {
  walk(std::vector<double>{q.w, q.x, q.y, q.z}, v);
}
template <class V>
void walk(const Coordinates& c, V& v) {
  if (c.numbers.size() == 1) {
    walk(c.numbers[0], v);
  } else {
    walk(c.numbers, v);
  }
}

// A value under its key; none when an optional is empty.
template <class T, class V>
void walk_under(std::string_view key, const Unit& u, std::string_view meaning, const T& value,
                V& v) {
  if constexpr (requires { value.has_value(); }) {
    if (value) walk_under(key, u, meaning, *value, v);
  } else if (v.enter(key, u, meaning)) {
    if constexpr (std::is_pointer_v<T>) {
      walk(*value, v);
    } else {
      walk(value, v);
    }
    v.leave();
  }
}
template <class T, class V>
void walk_items(const Keyed<T>& list, V& v) {
  for (const auto& [key, value] : list) walk_under(key, kNoUnit, "", value, v);
}

template <class V>
void walk(const FinalState& f, V& v) {
  v.begin_object();
  walk_items(f.craft, v);
  if (!f.bodies.empty()) walk_under("bodies", kNoUnit, "", f.bodies, v);
  v.end_object();
}
template <class V>
void walk_values(const EventRecord& h, V& v) {
  for (const NamedValue& n : h.values)
    std::visit([&](const auto& value) { walk_under(n.name, kNoUnit, "", value, v); }, n.value);
}
template <class V>
void walk(const EventRecord& h, V& v) {
  v.begin_object();
  walk_under("t", unit::second, "when it happened", h.t, v);
  walk_under("kind", kNoUnit, "", h.kind, v);
  walk_under("name", kNoUnit, "", h.name, v);
  walk_values(h, v);
  v.end_object();
}
template <class V>
void walk(const NamedSample& s, V& v) {
  v.begin_object();
  walk_under("t", unit::second, "", s.sample->t, v);
  for (const Channel& c : *s.channels) {
    const auto first = s.sample->row.begin() + c.first;
    const Coordinates numbers{std::vector<double>(first, first + c.width)};
    walk_under(c.name, Unit{c.unit}, c.description, numbers, v);
  }
  v.end_object();
}

template <class T, class V>
void walk(const std::vector<T>& list, V& v) {
  v.begin_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!v.enter_item(i)) continue;
    walk(list[i], v);
    v.leave();
  }
  v.end_array();
}
template <class T, class V>
void walk(const Keyed<T>& list, V& v) {
  v.begin_object();
  walk_items(list, v);
  v.end_object();
}
template <HasRows P, class V>
void walk(const P& part, V& v) {
  v.begin_object();
  const auto visit = [&](const auto& row) {
    // Some values are made to be walked over: none that is not wanted.
    if constexpr (requires { v.wants(row.name); })
      if (!v.wants(row.name)) return;
    walk_under(row.name, row.unit, row.meaning, std::invoke(row.get, part), v);
  };
  for_each_row(rows_of<P>(), visit);
  v.end_object();
}

}  // namespace summary_walk

// The audits, with the largest violation of all docks.
struct AuditRows {
  Audit audit;
  double constraint_position, constraint_attitude;

  static constexpr auto fields() {
    using P = AuditRows;
    return Schema{
        SummaryRow{"energy", [](const P& a) { return a.audit.energy; }, unit::none,
                   "largest error of the ledgers, relative"},
        SummaryRow{"linear_momentum", [](const P& a) { return a.audit.linear_momentum; },
                   unit::none, "likewise"},
        SummaryRow{"angular_momentum", [](const P& a) { return a.audit.angular_momentum; },
                   unit::none, "likewise"},
        SummaryRow{"constraint_position", &P::constraint_position, unit::metre,
                   "largest violation of all docks"},
        SummaryRow{"constraint_attitude", &P::constraint_attitude, unit::rad, "likewise"},
    };
  }
};

constexpr auto Summary::fields() {
  using P = Summary;
  constexpr auto docks = [](const P& s, bool loops) {
    Keyed<const DockSummary*> out;
    for (const DockSummary& d : s.docks)
      if (d.loop == loops) out.emplace_back(d.name, &d);
    return out;
  };
  return Schema{
      SummaryRow{"outcome", [](const P& s) { return std::string(name(s.outcome.ending)); }, kNoUnit,
                 "how the run ended"},
      SummaryRow{"reason", [](const P& s) { return s.outcome.reason; }, kNoUnit,
                 "why it ended so; empty when there is nothing to add"},
      SummaryRow{"verdict", &P::verdict, kNoUnit, "of the last event that gave one"},
      SummaryRow{"time", [](const P& s) { return s.outcome.t; }, unit::second, "when it ended"},
      SummaryRow{"steps", &P::steps, kNoUnit, "of the integrator"},
      SummaryRow{"wall_seconds", &P::wall_seconds, unit::second, "of computing"},
      SummaryRow{"warnings", &P::warnings, kNoUnit, ""},
      SummaryRow{"audit",
                 [](const P& s) {
                   return AuditRows{s.audit, s.constraint_position, s.constraint_attitude};
                 },
                 kNoUnit, "how well the run kept what must be kept"},
      SummaryRow{"final", &P::final, kNoUnit, "state at the end"},
      SummaryRow{"docks", [=](const P& s) { return docks(s, false); }, kNoUnit, ""},
      SummaryRow{"loops", [=](const P& s) { return docks(s, true); }, kNoUnit, ""},
      SummaryRow{"contacts",
                 [](const P& s) {
                   Keyed<const ContactSummary*> out;
                   for (const ContactSummary& c : s.contacts) out.emplace_back(c.name, &c);
                   return out;
                 },
                 kNoUnit, ""},
      SummaryRow{"thrusters",
                 [](const P& s) {
                   Keyed<const ThrusterSummary*> out;
                   for (const ThrusterSummary& t : s.thrusters) out.emplace_back(t.name, &t);
                   return out;
                 },
                 kNoUnit, "what thruster sets did"},
      SummaryRow{"conditions",
                 [](const P& s) {
                   Keyed<const ConditionSummary*> out;
                   for (const ConditionSummary& c : s.conditions) out.emplace_back(c.name, &c);
                   return out;
                 },
                 kNoUnit, "of captures: how near each came to holding"},
      SummaryRow{"events", &P::events, kNoUnit, "what happened"},
      SummaryRow{"samples",
                 [](const P& s) {
                   std::vector<NamedSample> out;
                   for (const Sample& x : s.samples) out.push_back({&x, &s.channels});
                   return out;
                 },
                 kNoUnit, "channels at asked-for times"},
      SummaryRow{"expectations", &P::expectations, kNoUnit, ""},
  };
}

}  // namespace berth

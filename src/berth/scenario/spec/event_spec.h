// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[event]] as plain structs.

#include <optional>
#include <string>
#include <vector>

#include "berth/run/actions/list.h"

namespace berth {

// One action of an event: that whose key stands in its table.
struct ActionSpec {
  Action part;

  static constexpr auto fields() { return Schema{}; }
  static constexpr auto choice() { return Choice{kByOwnKey, &ActionSpec::part}; }
};

enum class Edge : unsigned char { begins, ends, now };
constexpr auto keywords_of(Edge) {
  return std::array{Keyword{"begins", "when the condition begins to hold"},
                    Keyword{"ends", "when it ceases"},
                    Keyword{"now", "only if it holds when the other trigger comes"}};
}

struct EventSpec {
  std::string name;
  std::optional<double> at;
  EventRef after;
  double delay = 0;
  ContactRef impact;
  std::string when;
  OneOf<Edge> direction;
  double hold = 0;
  bool repeat = false;
  EventRef unless;
  std::vector<std::string> report;
  std::vector<ActionSpec> actions;
  bool commanded = false;     // no input: an external names it
  bool may_wait = false;      // nor this: events of a capture may never come
  bool follows_best = false;  // nor this: how near it came is reported

  static constexpr auto fields() {
    using P = EventSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what other events call it", required},
        Field{"at", &P::at, unit::second, Range::not_negative,
              "trigger: this time; with when, from then on"},
        Field{"after", &P::after, unit::none, Range::any, "trigger: another event"},
        Field{"delay", &P::delay, unit::second, Range::not_negative, "after the other event"},
        Field{"impact", &P::impact, unit::none, Range::any,
              "trigger: an impact of this contact; with when, if that holds as it comes"},
        Field{"when", &P::when, unit::none, Range::any,
              "trigger: a condition on channels, as in \"servicer.rate < 0.001\""},
        Field{"direction", &P::direction, unit::none, Range::any,
              "which change of the condition counts"},
        Field{"hold", &P::hold, unit::second, Range::not_negative,
              "how long the condition must hold"},
        Field{"repeat", &P::repeat, unit::none, Range::any, "act every time, not only once"},
        Field{"unless", &P::unless, unit::none, Range::any,
              "not any more once this event has acted"},
        Field{"report", &P::report, unit::none, Range::any,
              "channels whose numbers at that moment go with the event"},
        Field{"do", &P::actions, unit::none, Range::any, "what is done, in order"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth

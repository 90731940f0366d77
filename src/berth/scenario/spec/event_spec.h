// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[event]] as plain structs.

#include <optional>
#include <string>
#include <vector>

#include "berth/control/profile.h"
#include "berth/scenario/spec/dock_spec.h"
#include "berth/scenario/spec/task_spec.h"

namespace berth {

// One action of an event, as written.
struct ActionSpec {
  ControlRef control;
  ForceRef force;
  SensorRef sensor;
  JointRef kick;
  MovingBodyRef strike;
  DockRef latch, release;
  std::optional<std::string> verdict, stop;
  OneOf<Lock> lock = Lock::current;
  std::optional<bool> enable;
  std::vector<Profile<double>> reference;
  std::optional<TaskSpec> task;
  std::optional<double> rate, add, record;
  Vec3<double> impulse, point, angular_impulse;

  static constexpr auto fields() {
    using P = ActionSpec;
    return std::tuple{
        Field{"control", &P::control, unit::none, Range::any,
              "to switch (enable) or to give a reference"},
        Field{"force", &P::force, unit::none, Range::any, "to switch (enable)"},
        Field{"sensor", &P::sensor, unit::none, Range::any, "to switch (enable)"},
        Field{"enable", &P::enable, unit::none, Range::any, "on or off"},
        Field{"reference", &P::reference, unit::of_input, Range::any,
              "new profiles; their start is counted from the event"},
        Field{"task", &P::task, unit::none, Range::any, "a new task, likewise"},
        Field{"kick", &P::kick, unit::none, Range::any, "whose speed changes"},
        Field{"rate", &P::rate, unit::rad_per_s, Range::any, "kick: the new speed"},
        Field{"add", &P::add, unit::rad_per_s, Range::any, "kick: added to the speed"},
        Field{"strike", &P::strike, unit::none, Range::any, "that takes an impulse"},
        Field{"impulse", &P::impulse, unit::N_s, Range::any, "strike: impulse, body axes"},
        Field{"point", &P::point, unit::metre, Range::any, "strike: where, body axes"},
        Field{"angular_impulse", &P::angular_impulse, unit::N_m_s, Range::any,
              "strike: angular impulse, body axes"},
        Field{"latch", &P::latch, unit::none, Range::any, "that joins"},
        Field{"lock", &P::lock, unit::none, Range::any, "latch: in which pose"},
        Field{"release", &P::release, unit::none, Range::any, "that lets go"},
        Field{"record", &P::record, unit::second, Range::positive, "new interval between rows"},
        Field{"verdict", &P::verdict, unit::none, Range::any, "of the run, which goes on"},
        Field{"stop", &P::stop, unit::none, Range::any, "end the run with this verdict"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
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
  bool may_wait = false;      // no input: events of a capture may never come
  bool follows_best = false;  // nor this: how near it came is reported

  static constexpr auto fields() {
    using P = EventSpec;
    return std::tuple{
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

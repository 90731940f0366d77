// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events — triggers × actions, the one engine behind everything that happens during a run.
//
//   trigger   at a time · after another event, with a delay · when a condition becomes true, held
//             for some time · when a contact is hit, if a condition holds as it is
//   actions   switch a controller or a force · give a controller a new reference · kick a joint or
//             a body · latch or release a dock · change how often is recorded · give a verdict,
//             and stop with it or not
//
// Times are located, never stepped over. Events due at one moment act in the order of the file; an
// event acts once unless `repeat` is set.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "berth/control/profile.h"
#include "berth/run/condition.h"
#include "berth/run/event_record.h"

namespace berth {

// Switches a controller or force by name.
struct SwitchAction {
  std::string name;
  bool enable = true;
};
// New references for a controller, their `start` counted from the event.
struct ReferenceAction {
  std::string name;
  std::vector<Profile<double>> reference;
};
// Changes the speed of a joint of one speed.
struct KickAction {
  std::string joint;
  bool add = false;  // to the present rate, or instead of it
  double rate = 0;   // [rad/s] or [m/s]
};
// Impulse on a body: linear [N·s] at a point, and angular impulse [N·m·s], all in body axes.
struct ImpulseAction {
  std::string body;
  Vec3<double> impulse, point, angular_impulse;
};
// Joins a dock: as the ports stand (current), or as designed (nominal) when they are close enough.
struct LatchAction {
  std::string dock;
  bool nominal = false;
};
struct ReleaseAction {
  std::string dock;
};
struct RecordAction {
  double interval = 0;  // [s]
};
struct VerdictAction {
  std::string verdict;
  bool stops = false;
};
using Action = std::variant<SwitchAction, ReferenceAction, KickAction, ImpulseAction, LatchAction,
                            ReleaseAction, RecordAction, VerdictAction>;

struct Event {
  std::string name;
  std::optional<double> at;  // [s]
  int after = -1;            // index of another event
  int unless = -1;           // likewise: not any more once that one has acted
  int hit = -1;              // index of a contact with an impact law
  double delay = 0;          // [s] after it
  std::optional<Condition> when;
  bool on_false = false;  // act when the condition ends instead of when it begins
  bool at_once = false;   // act only if the condition holds when the other trigger comes
  double hold = 0;        // [s] the condition must last
  bool repeat = false;
  bool may_wait = false;              // that it never acts is no news
  bool follows_best = false;          // how near each of its inequalities came is reported
  std::vector<std::string> reported;  // channels that go with it
  std::vector<int> reported_places;   // their places in a row
  std::string where;                  // file and line, for messages
  std::vector<Action> actions;
};

}  // namespace berth

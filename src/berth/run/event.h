// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events — triggers × actions, the one engine behind everything that happens during a run.
//
//   trigger   at a time · after another event, with a delay · when a condition becomes true, held
//             for some time · when a contact is hit, if a condition holds as it is
//   actions   what is done then, one file each (actions/list.h)
//
// Times are located, never stepped over. Events due at one moment act in the order of the file; an
// event acts once unless `repeat` is set.

#include <optional>
#include <string>
#include <vector>

#include "berth/run/actions/list.h"
#include "berth/run/condition.h"
#include "berth/run/event_record.h"

namespace berth {

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
  bool commanded = false;             // by an external
  bool may_wait = false;              // that it never acts is no news
  bool follows_best = false;          // how near each of its inequalities came is reported
  std::vector<std::string> reported;  // channels that go with it
  std::vector<int> reported_places;   // their places in a row
  std::string where;                  // file and line, for messages
  std::vector<Action> actions;
};

}  // namespace berth

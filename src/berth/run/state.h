// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunState — everything a run is at one instant: copied and continued, it gives the same bits.
//
//   where        t, x, the mode it moves in, what events have made of the system (Configuration)
//   ahead        event queue, armed events, contacts in their loops, sampled parts that sleep
//   past         what delayed contacts depend on, the memory of step control
//   recorded     run log: ledgers, peaks, events, warnings, verdict

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "berth/integrate/past.h"
#include "berth/run/event_queue.h"
#include "berth/run/external.h"
#include "berth/run/run_log.h"
#include "berth/run/stepper.h"
#include "berth/system/contacts.h"
#include "berth/system/system.h"

namespace berth {

// Where a contact stands in the loop of its force.
struct LoopState {
  bool inside = false, pressing = true;  // depth ≥ 0, law pushes: what it touches by
  bool asks = false;                     // whether the law pushes, where it is located next
  double friction_work_before = 0;       // [J] at the last touch
  double last_slip = 0;                  // [m/s] at the end of the step before
  int echoes = 0;                        // changes whose force is still on its way
  double filter_empty = 0;               // [s] from when on its filter holds nothing
  // Of its samples: the last measured, the last arrived, whether it touched, whether there is a next
  // one, which arrived.
  ContactSignal<double> last_measured, arrived;
  bool sampled = false, sampling = false;
  std::uint64_t latest = 0;
};

// What is known of one event.
struct EventWatch {
  bool armed = false;
  bool holds = false;       // its condition
  std::uint64_t tries = 0;  // times the condition has begun to hold
  std::uint64_t acted = 0;
  // The number, from 1, of the action that waits for its mechanism, 0 for none; and that it is over.
  std::uint64_t waiting = 0;
  bool goes_on = false;
  // Of each comparison: whether it holds; and its margin where a crossing has just been located, on
  // the near side of it, else NaN.
  std::vector<char> truth;
  std::vector<double> edge;
  // Of each inequality of an event that follows its best: the largest smooth margin so far, and when.
  std::vector<double> best, best_t;
};

// What was welded while delayed contacts are in force.
struct FormerModel {
  double until = 0;  // [s]
  Model<double> model;
};

struct DelayLine {
  Past<double> past;
  bool active = false;               // a delayed contact is awake
  double shortest = 0, longest = 0;  // [s] of the delays
  std::vector<FormerModel> former;   // oldest first
};

struct RunState {
  double t = 0, t_previous = 0;  // [s]
  std::vector<double> x;
  Mode<double> mode;
  EventQueue event_queue;
  std::optional<Stepper> stepper;
  DelayLine delays;
  std::vector<LoopState> loops;
  std::vector<EventWatch> watches;
  std::vector<ExternalState> externals;
  std::set<std::string> asleep;  // sampled parts and externals that are switched off
  RunLog run_log;
  std::string verdict;
  std::string stop_reason;  // where no verdict is the reason
  bool stopped = false, started = false;
  std::optional<double> record_interval;  // [s] set by an event
};

}  // namespace berth

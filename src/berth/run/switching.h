// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switching parts — everything that changes the mode of a run at an instant.
//
//   start(core)              before the first step
//   watch(core)              after everything that happened: what is watched until the next time
//
// Margins: smooth functions whose sign matters.
//
//   count(watch)             how many are watched
//   need(core, i)            what the i-th takes to evaluate
//   sees_idle(core, i)       and whether open docks and contacts are part of that
//   fill(core, watch, at, out)  all of them, on any scalar (numbers.h)
//   sign(core, i, first)     the sign it is known to have, its value at the beginning of a step being
//                            `first`; 0: none
//   noise(core, i)           what rounding may make of zero
//   decides(core, i, first)  its next change of sign makes something happen, whatever else does
//   takes_far_side           it acts where its sign has changed, not just before
//   may_meet(core, i, h)     of a variational step, between whose ends nothing is sampled
//   narrow(core, near)       of those that may change sign in a step, drops what can bring nothing about
//   pass(core, i, rising)    its sign has changed; true: something happens there
//   agrees(core, i, value)   whether what is known of it fits a value, rounding aside
//   follows_best(core, i), best, note_best   how near zero it came from below, where somebody asks
//
// Acting:
//
//   switch_mode(core)        at the instant that was located: do it
//   due(core, entry)         an entry of the event queue; true: it was its own
//   follow(core)             what a jump brings about at the same instant; true: something did
//   settle(core, ends)       at the end of a step in which nothing was located, with all its margins
//                            there; true: something happens
//
// The loop walks the list (SwitchingParts) and knows none of them by name.

#include <tuple>

#include "berth/run/core.h"

namespace berth {

// An instant that was evaluated, on a scalar of which the core is not: lists of what is watched are the
// core's, everything in motion is here.
template <Scalar T>
struct At {
  const System<T>& system;
  const Mode<T>& mode;
  std::span<const T> x;
  const Workspace<T>& w;
  std::vector<T>& scratch;
};

// What most have nothing to say about.
struct SwitchingPart {
  static constexpr bool takes_far_side = false;
  static void watch(Core&) {}
  static std::size_t count(const Watch&) { return 0; }
  static Need need(const Core&, std::size_t) { return Need::motion; }
  static bool sees_idle(const Core&, std::size_t) { return false; }
  template <Scalar T>
  static void fill(const Core&, const Watch&, const At<T>&, std::span<T>) {}
  static int sign(const Core&, std::size_t, double) { return 0; }
  static double noise(const Core&, std::size_t) { return 0; }
  static bool decides(const Core&, std::size_t, double) { return false; }
  static bool may_meet(const Core&, std::size_t, double) { return false; }
  static void narrow(Core&, std::vector<std::size_t>&) {}
  static bool pass(Core&, std::size_t, bool) { return false; }
  static bool agrees(const Core&, std::size_t, double) { return true; }
  static bool follows_best(const Core&, std::size_t) { return false; }
  static double best(const Core&, std::size_t) { return 0; }
  static void note_best(Core&, std::size_t, double, double) {}
  static void switch_mode(Core&) {}
  static bool due(Core&, const Entry&) { return false; }
  static bool follow(Core&) { return false; }
  static bool settle(Core&, std::span<const double>) { return false; }
};

// Contacts with a force: touching, sticking, and the loop around them.
struct ContactSwitching : SwitchingPart {
  // Of two places that are about to touch, that which does: the law asks for its rate.
  static constexpr bool takes_far_side = true;
  static void start(Core& core);
  static void watch(Core& core);
  static std::size_t count(const Watch& watch) { return watch.contact_margins.size(); }
  static bool sees_idle(const Core& core, std::size_t i);
  template <Scalar T>
  static void fill(const Core& core, const Watch& watch, const At<T>& at, std::span<T> out);
  static int sign(const Core& core, std::size_t i, double first = 0);
  static double noise(const Core& core, std::size_t i);
  static bool decides(const Core& core, std::size_t i, double first);
  static bool may_meet(const Core& core, std::size_t i, double h);
  static bool pass(Core& core, std::size_t i, bool rising);
  static bool agrees(const Core& core, std::size_t i, double value);
  static void switch_mode(Core& core);
  static bool due(Core& core, const Entry& entry);
  // Slow sliding that dies away sticks.
  static bool settle(Core& core, std::span<const double> ends);
};

// Impacts, rest and lifting off.
struct ImpactSwitching : SwitchingPart {
  static void start(Core& core);
  static void watch(Core& core);
  static std::size_t count(const Watch& watch) { return watch.impact_margins.size(); }
  static Need need(const Core& core, std::size_t i);
  static bool sees_idle(const Core&, std::size_t) { return true; }
  template <Scalar T>
  static void fill(const Core& core, const Watch& watch, const At<T>& at, std::span<T> out);
  static int sign(const Core& core, std::size_t i, double first);
  static bool decides(const Core& core, std::size_t i, double first);
  static bool may_meet(const Core& core, std::size_t i, double h);
  static bool pass(Core& core, std::size_t i, bool rising);
  static bool agrees(const Core& core, std::size_t i, double value);
  static void switch_mode(Core& core);
  // Who would have to be pulled now lifts off.
  static bool follow(Core& core);
};

// Events of the scenario.
struct EventSwitching : SwitchingPart {
  static void start(Core& core);
  static void watch(Core& core);
  static std::size_t count(const Watch& watch) { return watch.event_margins.size(); }
  static Need need(const Core& core, std::size_t i);
  static bool sees_idle(const Core& core, std::size_t i);
  template <Scalar T>
  static void fill(const Core& core, const Watch& watch, const At<T>& at, std::span<T> out);
  static int sign(const Core& core, std::size_t i, double first);
  static double noise(const Core& core, std::size_t i);
  static bool decides(const Core& core, std::size_t i, double first);
  static void narrow(Core& core, std::vector<std::size_t>& near);
  static bool pass(Core& core, std::size_t i, bool rising);
  // Comparisons are known by where the step ends.
  static bool settle(Core& core, std::span<const double> ends);
  // How near an inequality came to holding, or how well it held.
  static bool follows_best(const Core& core, std::size_t i);
  static double best(const Core& core, std::size_t i);
  static void note_best(Core& core, std::size_t i, double margin, double t);
  static void switch_mode(Core& core);
  static bool due(Core& core, const Entry& entry);
  // Conditions may have changed without crossing anything; what is to act does, in the order of the
  // file.
  static bool follow(Core& core);
  // A contact is about to be hit: conditions are judged by the state in which it is.
  static void trigger_hit(Core& core, int contact);
};

// Sampled sensors.
struct SensorSampling : SwitchingPart {
  static void start(Core& core);
  static bool due(Core& core, const Entry& entry);
};

// Externals.
struct ExternalSampling : SwitchingPart {
  static void start(Core& core);
  static bool due(Core& core, const Entry& entry);
};

// Sampled controllers.
struct ControlSampling : SwitchingPart {
  static void start(Core& core);
  static bool due(Core& core, const Entry& entry);
};

// Pulsed thrusters.
struct ThrusterPulsing : SwitchingPart {
  static void start(Core& core);
  static bool due(Core& core, const Entry& entry);
};

using SwitchingParts = std::tuple<ContactSwitching, ImpactSwitching, EventSwitching, SensorSampling,
                                  ExternalSampling, ControlSampling, ThrusterPulsing>;

// Calls f(part, first) for every part, with the place of its first margin.
template <class F>
void for_each_switching(const Watch& watch, F&& f) {
  std::size_t first = 0;
  const auto call = [&](auto part) {
    f(part, first);
    first += part.count(watch);
  };
  std::apply([&](auto... parts) { (call(parts), ...); }, SwitchingParts{});
}
template <class F>
void for_each_switching(const Core& core, F&& f) {
  for_each_switching(core.watch, f);
}

}  // namespace berth

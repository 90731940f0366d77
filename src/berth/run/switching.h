// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switching parts — everything that changes the mode of a run at an instant.
//
//   start(core)              before the first step
//   watch(core)              after everything that happened: what is watched until the next time
//   count(core)              margins watched: smooth functions whose sign matters
//   need(core, i)            what the i-th takes to evaluate
//   fill(core, x, w, out)    all of them
//   sign(core, i)            the sign it is known to have; 0: none
//   noise(core, i)           what rounding may make of zero
//   decides(core, i)         its next change of sign makes something happen, whatever else does
//   takes_far_side           it acts where its sign has changed, not just before
//   pass(core, i, rising)    its sign has changed; true: something happens there
//   agrees(core, i, value)   whether what is known of it fits a value, rounding aside
//   turn(core)               at the instant that was located: do it
//   due(core, entry)         an entry of the agenda; true: it was its own
//
// The loop walks the list (kSwitching) and knows none of them by name.

#include <concepts>
#include <tuple>

#include "berth/run/core.h"

namespace berth {

template <class P>
concept Switching = std::same_as<decltype(P::takes_far_side), const bool> &&
    requires(Core& core, const Workspace<double>& w, std::span<const double> x,
             std::span<double> out, std::size_t i, bool rising, double value, const Entry& e) {
  P::start(core);
  P::watch(core);
  { P::count(core) } -> std::same_as<std::size_t>;
  { P::need(core, i) } -> std::same_as<Need>;
  P::fill(core, x, w, out);
  { P::sign(core, i) } -> std::same_as<int>;
  { P::noise(core, i) } -> std::same_as<double>;
  { P::decides(core, i) } -> std::same_as<bool>;
  { P::pass(core, i, rising) } -> std::same_as<bool>;
  { P::agrees(core, i, value) } -> std::same_as<bool>;
  P::turn(core);
  { P::due(core, e) } -> std::same_as<bool>;
};

// Contacts with a force: touching, sticking, and the loop around them.
struct ContactSwitching {
  // Of two places that are about to touch, that which does: the law asks for its rate.
  static constexpr bool takes_far_side = true;
  static void start(Core& core);
  static void watch(Core& core);
  static std::size_t count(const Core& core) { return core.contact_margins.size(); }
  static Need need(const Core&, std::size_t) { return Need::motion; }
  static void fill(Core& core, std::span<const double> x, const Workspace<double>& w,
                   std::span<double> out);
  static int sign(const Core& core, std::size_t i);
  static double noise(const Core& core, std::size_t i);
  static bool decides(const Core& core, std::size_t i);
  static bool pass(Core& core, std::size_t i, bool rising);
  static bool agrees(const Core& core, std::size_t i, double value);
  static void turn(Core& core);
  static bool due(Core& core, const Entry& entry);
  // At the end of a step in which nothing was located: slow sliding that dies away sticks.
  static bool settle_slip(Core& core);
};

// Impacts, rest and lifting off.
struct ImpactSwitching {
  static constexpr bool takes_far_side = false;
  static void start(Core& core);
  static void watch(Core& core);
  static std::size_t count(const Core& core) { return core.impact_margins.size(); }
  static Need need(const Core& core, std::size_t i);
  static void fill(Core& core, std::span<const double> x, const Workspace<double>& w,
                   std::span<double> out);
  static int sign(const Core& core, std::size_t i);
  static double noise(const Core& core, std::size_t i);
  static bool decides(const Core& core, std::size_t i);
  static bool pass(Core& core, std::size_t i, bool rising);
  static bool agrees(const Core& core, std::size_t i, double value);
  static void turn(Core& core);
  static bool due(Core&, const Entry&) { return false; }
  // After a jump of what acts: who would have to be pulled now.
  static void lift_off_all(Core& core);
};

// Sampled controllers.
struct ControlSampling {
  static constexpr bool takes_far_side = false;
  static void start(Core& core);
  static void watch(Core&) {}
  static std::size_t count(const Core&) { return 0; }
  static Need need(const Core&, std::size_t) { return Need::motion; }
  static void fill(Core&, std::span<const double>, const Workspace<double>&, std::span<double>) {}
  static int sign(const Core&, std::size_t) { return 0; }
  static double noise(const Core&, std::size_t) { return 0; }
  static bool decides(const Core&, std::size_t) { return false; }
  static bool pass(Core&, std::size_t, bool) { return false; }
  static bool agrees(const Core&, std::size_t, double) { return true; }
  static void turn(Core&) {}
  static bool due(Core& core, const Entry& entry);
  // A sampled part, controller or thruster set, that was switched off is on again.
  static void wake(Core& core, const std::string& name);
};

// Pulsed thrusters.
struct ThrusterPulsing {
  static constexpr bool takes_far_side = false;
  static void start(Core& core);
  static void watch(Core&) {}
  static std::size_t count(const Core&) { return 0; }
  static Need need(const Core&, std::size_t) { return Need::motion; }
  static void fill(Core&, std::span<const double>, const Workspace<double>&, std::span<double>) {}
  static int sign(const Core&, std::size_t) { return 0; }
  static double noise(const Core&, std::size_t) { return 0; }
  static bool decides(const Core&, std::size_t) { return false; }
  static bool pass(Core&, std::size_t, bool) { return false; }
  static bool agrees(const Core&, std::size_t, double) { return true; }
  static void turn(Core&) {}
  static bool due(Core& core, const Entry& entry);
};

// Events of the scenario.
struct EventSwitching {
  static constexpr bool takes_far_side = false;
  static void start(Core& core);
  static void watch(Core& core);
  static std::size_t count(const Core& core) { return core.event_margins.size(); }
  static Need need(const Core& core, std::size_t i);
  static void fill(Core& core, std::span<const double> x, const Workspace<double>& w,
                   std::span<double> out);
  static int sign(const Core& core, std::size_t i);
  static double noise(const Core& core, std::size_t i);
  static bool decides(const Core& core, std::size_t i);
  static bool pass(Core& core, std::size_t i, bool rising);
  // Jumps are noticed by notice_all, edges by the sign that is known.
  static bool agrees(const Core&, std::size_t, double) { return true; }
  static void turn(Core& core);
  static bool due(Core& core, const Entry& entry);
  // After a jump of the state: conditions may have changed without crossing anything.
  static void notice_all(Core& core);
  // Everything that is to act now, in the order of the file.
  static void fire_pending(Core& core);
  // How near an inequality came to holding, until it did.
  static bool follows_best(const Core& core, std::size_t i);
  static double best(const Core& core, std::size_t i);
  static void note_best(Core& core, std::size_t i, double margin, double t);
  // A contact is about to be hit: conditions are judged by the state in which it is.
  static void trigger_hit(Core& core, int contact);
};

using SwitchingParts =
    std::tuple<ContactSwitching, ImpactSwitching, EventSwitching, ControlSampling, ThrusterPulsing>;

// Calls f(part, first) for every part, with the place of its first margin.
template <class F>
void for_each_switching(const Core& core, F&& f) {
  std::size_t first = 0;
  const auto call = [&](auto part) {
    static_assert(Switching<decltype(part)>);
    f(part, first);
    first += part.count(core);
  };
  std::apply([&](auto... parts) { (call(parts), ...); }, SwitchingParts{});
}

}  // namespace berth

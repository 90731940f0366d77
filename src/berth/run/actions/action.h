// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an event does: one file per action, one line of list.h. An action states
//
//   type                 the key that its table in `do` begins with: { kick = "craft.panel", … }
//   fields()             its inputs, that key among them
//   check(around, f)     rules between them, if there are any
//   act(core, event)     what is done, at the state and the time of core.s
//
// One that needs a mechanism which may be late states also
//
//   find_wait(core)                 [s] until it can act; 0: now, INFINITY: never
//   report_wait(core, event, wait)  that it waits
//
// It and what stands behind it in `do` wait, and the event has not acted until then.
//
// act is a template because what a run holds (Core) has its events, and those have their actions.
// Names of bodies, docks and parts are resolved when it acts: craft may be welded together by then.

#include <concepts>
#include <stdexcept>
#include <string>

#include "berth/model/fields.h"
#include "berth/model/findings.h"
#include "berth/system/configuration.h"
#include "berth/system/latch.h"

namespace berth {

template <class A, class C>
concept Waits = requires(const A& action, const C& core) {
  { action.find_wait(core) } -> std::same_as<double>;
};

// Calls f(part) for the controller, force or sensor of this name.
template <class F>
void with_named(System<double>& system, const std::string& name, F&& f) {
  for_each_named_part(system, [&](auto& part) {
    if (part.name == name) f(part);
  });
}

// Switches a controller, force or sensor; the energy that a spring brings along is work from outside.
void switch_part(auto& core, const std::string& name, bool enable) {
  strike(core.system, core.s.t, core.s.x, core.s.mode, core.w,
         [&] { with_named(core.system, name, [&](auto& part) { part.enabled = enable; }); });
  if (enable) wake_sampled(core, name);
}

inline int find_dock_named(const System<double>& system, const std::string& name) {
  for (std::size_t k = 0; k < system.docks.size(); ++k)
    if (system.docks[k].name == name) return static_cast<int>(k);
  throw std::invalid_argument("no dock named " + name);
}

void warn(auto& core, std::string text) { core.s.run_log.warnings.push_back(std::move(text)); }

}  // namespace berth

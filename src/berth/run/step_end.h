// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepEnd — what the loop has to know of the state a step ends in, beside x and what is watched.

#include <vector>

#include "berth/system/contacts.h"
#include "berth/system/docks.h"
#include "berth/system/ledger.h"
#include "berth/system/system.h"

namespace berth {

template <Scalar T>
struct StepEnd {
  struct OfDock {
    Violation<T> violation;  // of those that are joined, as the load
    Wrench<T> load;
  };
  struct OfContact {
    T gap{}, gap_rate{};  // [m], [m/s]
    T fastest{};          // [m/s] no part of the gap changes faster
    T slip{}, stick{};    // [m/s] of one that touches, and its margin of sticking
  };
  Balance<T> balance;
  std::vector<OfDock> docks;
  std::vector<OfContact> contacts;
  std::vector<T> press;   // [N] of rests
  std::vector<T> levels;  // of thrusters

  StepEnd() = default;
  explicit StepEnd(const System<T>& system)
      : docks(system.docks.size()),
        contacts(system.contacts.size()),
        press(system.rests.size(), T(0.0)),
        levels(Workspace<T>(system).command.levels) {}

  // Calls f(number) for all of them.
  void for_each(auto&& f) {
    const auto vector = [&](Vec3<T>& v) { f(v.x), f(v.y), f(v.z); };
    auto& [kinetic, potential, supplied, lost, linear, impulse, angular, angular_impulse,
           linear_scale, angular_scale] = balance;
    f(kinetic), f(potential), f(supplied), f(lost);
    vector(linear), vector(impulse), vector(angular), vector(angular_impulse);
    f(linear_scale), f(angular_scale);
    for (auto& [violation, load] : docks) {
      f(violation.position), f(violation.attitude);
      vector(load.torque), vector(load.force);
    }
    for (auto& [gap, gap_rate, fastest, slip, stick] : contacts)
      f(gap), f(gap_rate), f(fastest), f(slip), f(stick);
    for (T& p : press) f(p);
    for (T& l : levels) f(l);
  }
};

// From a workspace in which everything was evaluated at x, idle contacts too.
template <Scalar T>
void find_step_end(const System<T>& system, const Mode<T>& mode, std::span<const T> x,
                   const Workspace<T>& w, StepEnd<T>& end) {
  end.balance = find_balance<T>(system, x, w);
  for (std::size_t k = 0; k < end.docks.size(); ++k)
    if (system.docks[k].engaged)
      end.docks[k] = {find_violation(system.docks[k], w.docks[k]), w.docks[k].wrench};
  for (std::size_t k = 0; k < end.contacts.size(); ++k) {
    const Contact<T>& c = system.contacts[k];
    const ContactMotion<T>& m = w.contacts[k];
    const Grip& grip = mode.contacts[k].now;
    auto& to = end.contacts[k];
    to = {m.gap, m.gap_rate, find_speed_bound(c, w.motion, m)};
    if (c.is_impact() || !c.can_stick() || !grip.touching) continue;
    to.slip = norm(m.slip_S);
    to.stick = find_stick_margin(c, m, grip);
  }
  for (std::size_t k = 0; k < end.press.size(); ++k) end.press[k] = w.rests[k].load[0];
  std::copy(w.command.levels.begin(), w.command.levels.end(), end.levels.begin());
}

}  // namespace berth

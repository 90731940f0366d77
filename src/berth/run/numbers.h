// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the loop reads of an instant, on any scalar: what is watched, and what goes into the log.
//
//   numbers    margins of the switching parts in their order, then peaks (run_log.h)
//   step end   balances, loads and violations of docks, gaps, valves (step_end.h)

#include "berth/run/resting.h"
#include "berth/run/step_end.h"
#include "berth/run/switching.h"

namespace berth {

// --- margins -------------------------------------------------------------------------------------

template <Scalar T>
void ContactSwitching::fill(const Core&, const Watch& watch, const At<T>& at, std::span<T> out) {
  using Margin = Watch::ContactMargin;
  for (std::size_t i = 0; i < watch.contact_margins.size(); ++i) {
    const auto k = index(watch.contact_margins[i].contact);
    const Contact<T>& c = at.system.contacts[k];
    const ContactMotion<T>& m = at.w.contacts[k];
    switch (watch.contact_margins[i].kind) {
      case Margin::depth: out[i] = m.in.depth; break;
      case Margin::press: out[i] = find_press_margin(c, m); break;
      case Margin::stick: out[i] = find_stick_margin(c, m, at.mode.contacts[k].now); break;
    }
  }
}

template <Scalar T>
void ImpactSwitching::fill(const Core& core, const Watch& watch, const At<T>& at,
                           std::span<T> out) {
  using Margin = Watch::ImpactMargin;
  for (std::size_t i = 0; i < watch.impact_margins.size(); ++i) {
    const Margin& margin = watch.impact_margins[i];
    const auto k = index(margin.contact);
    const bool rests = at.mode.contacts[k].now.touching;
    if (!rests) {
      out[i] = at.w.contacts[k].gap + margin.skin;
      continue;
    }
    const std::size_t r = rest_of(core, margin.contact);
    const Rest<T>& rest = at.system.rests[r];
    const RestMotion<T>& m = at.w.rests[r];
    switch (margin.kind) {
      case Margin::gap: out[i] = m.load[0]; break;
      case Margin::heading: out[i] = m.ahead + margin.skin; break;
      case Margin::slip: out[i] = norm_squared(m.slip) - square(kStopped * rest.rest_speed); break;
      case Margin::stick:
        out[i] = square(rest.friction * m.load[0]) - square(m.load[1]) - square(m.load[2]);
        break;
    }
  }
}

template <Scalar T>
void EventSwitching::fill(const Core& core, const Watch& watch, const At<T>& at, std::span<T> out) {
  if (watch.event_margins.empty()) return;
  std::vector<T>& named = at.scratch;  // each number once
  named.resize(watch.places.size());
  core.channels.fill<T>(watch.places, at.system, at.x, at.w, named, Cut::undone);
  for (std::size_t i = 0; i < watch.event_margins.size(); ++i) {
    const Watch::EventMargin& m = watch.event_margins[i];
    const Inequality& c = core.events[index(m.event)].when->inequalities()[index(m.inequality)];
    out[i] = c.smooth_margin(named[index(m.slot)]);
  }
}

// --- peaks ---------------------------------------------------------------------------------------

template <Scalar T>
void fill_peaks(std::span<const PeakNumber> peaks, const System<T>& system, std::span<const T> x,
                const Workspace<T>& w, std::span<T> out) {
  Violation<T> off;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const auto k = static_cast<std::size_t>(peaks[i].owner);
    const auto energy = [&] {
      const T* work = x.data() + w.layout.contacts + system.contacts[k].first_state;
      return work[0] + work[1];
    };
    switch (peaks[i].kind) {
      case PeakNumber::dock_force: out[i] = norm_squared(w.docks[k].wrench.force); break;
      case PeakNumber::dock_torque: out[i] = norm_squared(w.docks[k].wrench.torque); break;
      case PeakNumber::position:
        off = find_violation(system.docks[k], w.docks[k]);
        out[i] = square(off.position);
        break;
      case PeakNumber::attitude: out[i] = square(off.attitude); break;  // the one before it
      case PeakNumber::rest_force:
      case PeakNumber::contact_force: out[i] = norm_squared(w.contacts[k].force_N()); break;
      case PeakNumber::depth: out[i] = -w.contacts[k].gap; break;
      case PeakNumber::gained: out[i] = energy(); break;
      case PeakNumber::given: out[i] = -energy(); break;
    }
  }
}

// --- together ------------------------------------------------------------------------------------

// Everything that is watched, from a workspace in which the derivative was evaluated at x, with the
// accelerations in w.v_dot. Idle contacts that are far (`gaps` has as many as contacts) stay where they
// were as the step began.
template <Scalar T>
void fill_numbers(const Core& core, const Watch& watch, std::span<const PeakNumber> peaks,
                  const System<T>& system, const Mode<T>& mode, std::span<const T> x,
                  std::span<const T> gaps, Workspace<T>& w, std::vector<T>& scratch,
                  std::span<T> out) {
  if (watch.names_idle) idle_dock_stage<T>(system, x, w);
  if (gaps.empty()) {
    idle_contact_stage<T>(system, x, mode, w);
  } else {
    for (std::size_t k = 0; k < gaps.size(); ++k) {
      if (!is_idle(system.contacts[k], mode.contacts[k])) continue;
      w.contacts[k].gap = gaps[k];
      w.contacts[k].in.depth = -gaps[k];
    }
  }
  find_observed_loads(system, mode, w);
  const At<T> at{system, mode, x, w, scratch};
  std::size_t n = 0;
  for_each_switching(watch, [&](auto part, std::size_t first) {
    n = first + part.count(watch);
    part.fill(core, watch, at, out.subspan(first, n - first));
  });
  fill_peaks(peaks, system, x, w, out.subspan(n));
}

}  // namespace berth

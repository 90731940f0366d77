// SPDX-License-Identifier: Apache-2.0
#pragma once

// A scenario as `berth live` runs it, and as the other side must know it.
//
//   external     the one that [live] names, or the first
//   measures     poses and rates of every craft first: <craft>.rho_BO_N, quaternion_BN, rhodot_BO_N,
//                omega_BN_B; then those of the external
//   method       paced by the clock: one of fixed steps, so that a tick costs the same every time; the
//                scenario's own if it is one, else rk4 with steps of a period
//   limits       every force, torque and effort from outside has one

#include <optional>

#include "berth/live/datagram.h"
#include "berth/scenario/scenario.h"

namespace berth {

struct LiveChoices {
  std::optional<double> rate;  // [Hz] of the ticks; left out: as the external has it
  bool lockstep = false;       // not paced by the clock
};

struct LiveSetup {
  Scenario scenario;
  BuiltScenario built;
  LiveSpec live;
  std::size_t external = 0;  // its number
  DatagramLayout layout;
  std::vector<double> limits;  // of each command; 0 = none

  const External<double>& served() const { return scenario.external[external]; }
};

// Nothing, and problems, where it cannot be.
std::optional<LiveSetup> build_live(Scenario scenario, const LiveChoices& choices,
                                    Problems& problems);

// The contact whose force the external gives; nothing: none.
std::optional<std::size_t> find_given_contact(const Scenario& scenario,
                                              const External<double>& external);

}  // namespace berth

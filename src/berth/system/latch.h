// SPDX-License-Identifier: Apache-2.0
#pragma once

// Latch, release, strike — jumps of a system at one instant, with what they add to the ledgers.
// Each leaves x and the rows in `mode` as they are after it.
//
//   latch     multipliers stop the ports against each other at once: internal impulses,
//               C v⁺ = 0,   M (v⁺ − v⁻) = Cᵀ Λ,   loss = T⁻ − T⁺                                 (1)
//             a spring takes the ports as they come, and brings the energy it is stretched by
//   release   what a soft dock has stored is lost with it
//   strike    any change from outside, entered as work and impulse

#include "berth/system/docks.h"
#include "berth/system/ledger.h"

namespace berth {

struct LatchResult {
  bool joined = false;
  bool refused = false;      // nominal, and the ports are farther from mated than the gap
  bool cannot_fuse = false;  // held exactly instead
  Violation<double> off;     // before
  double energy_lost = 0;    // [J] by (1)
  Wrench<double> impulse;    // [N·s], [N·m·s] on B2 at P2, N axes
};
// `nominal`: closed as designed; else frozen as the ports stand.
LatchResult latch(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                  Workspace<double>& w, int dock, bool nominal);

struct ReleaseResult {
  bool released = false;
  double energy_lost = 0;  // [J]
};
ReleaseResult release(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                      Workspace<double>& w, int dock);

// What the bodies hold at (t, x).
Balance<double> find_balance_at(const System<double>& system, double t, std::span<const double> x,
                                const Mode<double>& mode, Workspace<double>& w);

// A change of speeds, or a spring that appears.
template <class Change>
void strike(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
            Workspace<double>& w, Change&& change) {
  const Balance<double> before = find_balance_at(system, t, x, mode, w);
  change();
  const Balance<double> after = find_balance_at(system, t, x, mode, w);
  double* ledger = x.data() + w.layout.ledger;
  ledger[0] += (after.kinetic - before.kinetic) + (after.potential - before.potential);
  for (int k = 0; k < 3; ++k) {
    ledger[2 + k] += after.linear[k] - before.linear[k];
    ledger[5 + k] += after.angular[k] - before.angular[k];
  }
}

// Sets the speed of a joint of one speed; docked craft pass it on at once.
void kick_joint(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                Workspace<double>& w, int body, double rate, bool add);
// An impulse [N·s] at a point and an angular impulse [N·m·s], all in body axes.
void strike_body(System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                 Workspace<double>& w, int body, const Vec3<double>& impulse,
                 const Vec3<double>& point, const Vec3<double>& angular_impulse);

}  // namespace berth

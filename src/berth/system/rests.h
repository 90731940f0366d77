// SPDX-License-Identifier: Apache-2.0
#pragma once

// Friction of probes at rest, between steps.

#include "berth/system/docks.h"

namespace berth {

// f(k) for every rest whose friction acts.
template <Scalar T, class F>
BERTH_INLINE void for_each_sliding(const System<T>& system, const Mode<T>& mode, F&& f) {
  for (std::size_t k = 0; k < system.rests.size(); ++k) {
    const Rest<T>& rest = system.rests[k];
    if (is_resting(rest, mode) && mode.contacts[static_cast<std::size_t>(rest.contact)].sliding)
      f(k);
  }
}

// A row of (3) of rest.h.
inline bool is_friction(const System<double>& system, const ActiveRow& row) {
  return row.row > 0 && !find_dock(system, row.closure);
}

// Probes that stick side by side, on one rigid body say, hold more than there is to hold. Whatever
// loads along the independent rows do, the same loads shared with those they imply do too:
//
//   J_l = Σ c_l J   =>   λ_l = z_l,  λ − Σ c_l z_l    for any z                                   (1)
//
// Shared is so that Σ |λ_t|²/λ_n is least: each carries as much as it is pressed on, where it can.
//
// Completes mode.shares. On entry `relieves` has the column S_l of each; with S factored in w
// c_l = S⁻¹S_l.
void share_friction(const System<double>& system, Mode<double>& mode, Workspace<double>& w);

// [m/s²] u̇ of (1) of rest.h along the surface, B1 axes. After acceleration_stage.
Vec3<double> find_slip_acceleration(const System<double>& system, std::size_t rest,
                                    const Workspace<double>& w);

}  // namespace berth

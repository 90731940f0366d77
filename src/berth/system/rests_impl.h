// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/system/docks_impl.h"
#include "berth/system/rests.h"

namespace berth {

// (1) of share_friction; the loads of mode.rows are in w.multipliers.lambda.
template <Scalar T>
void share_loads(const System<T>& system, const Mode<T>& mode, Workspace<T>& w) {
  if (mode.shares.empty()) return;
  const std::size_t n = mode.rows.size();
  std::vector<T> load(w.multipliers.lambda.begin(),
                      w.multipliers.lambda.begin() + static_cast<std::ptrdiff_t>(n));
  const auto load_of = [&](const ActiveRow& row) -> T& {
    return closure_at(w, row.closure).load[static_cast<std::size_t>(row.row)];
  };
  for (const RowShare& s : mode.shares) {
    T z(0.0);
    for (std::size_t i = 0; i < n; ++i) z = z + s.taken[i] * w.multipliers.lambda[i];
    for (std::size_t i = 0; i < n; ++i) load[i] = load[i] - s.relieves[i] * z;
    load_of(s.row) = z;
  }
  for (std::size_t i = 0; i < n; ++i) load_of(mode.rows[i]) = load[i];
  for (std::size_t k = 0; k < system.rests.size(); ++k) {
    const Rest<T>& rest = system.rests[k];
    if (mode.contacts[static_cast<std::size_t>(rest.contact)].now.sticking)
      gather_wrench(w.motion.body(rest.port_1.body).R_NB,
                    static_cast<ClosureMotion<T>&>(w.rests[k]));
  }
}

template <Scalar T>
void find_observed_loads(const System<T>& system, const Mode<T>& mode, Workspace<T>& w) {
  find_fused_loads(system, w);
  share_loads(system, mode, w);
  for (std::size_t k = 0; k < system.rests.size(); ++k) {
    if (!is_resting(system.rests[k], mode)) continue;
    ContactMotion<T>& m = w.contacts[static_cast<std::size_t>(system.rests[k].contact)];
    m.touching = true;
    m.normal_N = w.rests[k].wrench.force;
    m.signal.normal = -w.rests[k].load[0];
    if (!system.rests[k].rough) continue;
    const Rest<T>& rest = system.rests[k];
    m.normal_N = w.rests[k].load[0] * (w.motion.body(rest.port_1.body).R_NB * rest.normal);
    m.friction_N = w.rests[k].wrench.force - m.normal_N;
  }
}

}  // namespace berth

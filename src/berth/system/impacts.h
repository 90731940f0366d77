// SPDX-License-Identifier: Apache-2.0
#pragma once

// Impacts: what impacts at several points do to the speeds, all at one moment.
//
//   v⁺ = v⁻ + M⁻¹(Cᵀκ + Gᵀλ)     C the docks in force, which stay as they are: C v⁺ = C v⁻    (1)
//   moreau       0 ≤ λ_n ⊥ u⁺ + e min(u⁻, 0) ≥ 0,   u = G v the speeds out of the surfaces    (2)
//   sequential   the fastest approach is reflected first, as if alone, until none is left     (3)
//   friction     |λ_t| ≤ μ λ_n, against what slides after the impact                          (4)
//
// Restitution and friction together may ask for energy (Kane and Levinson): then the restitution is
// lowered until they do not, and at last both are given up: a plastic impact takes energy from
// anyone.

#include "berth/system/docks.h"

namespace berth {

struct ImpactPoint {
  int body_1, body_2;
  Vec3<double> lever_1, lever_2;  // [m] from the bodies' origins, N axes
  Vec3<double> n_N;               // out of the surface: along it body 1 goes free
  double restitution = 0, friction = 0;
};

struct ImpactResult {
  std::vector<double> v;                           // speeds after the impacts
  std::vector<double> before, after;               // [m/s] u of each point
  std::vector<Vec3<double>> impulse_N;             // [N·s] on body 1
  std::vector<double> normal_work, friction_work;  // [J] their sum is what the impacts bring
};

// With the motion in w and the rows of docks in `mode`.
ImpactResult find_impact(const System<double>& system, const Mode<double>& mode,
                         const Workspace<double>& w, const std::vector<ImpactPoint>& points,
                         bool sequential);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Equilibrium of contacts: craft that start pressed against a surface instead of before it.
//
//   touch     γ = 0, γ̇ = 0            γ the gaps of the chosen contacts                          (1)
//   press     γ̈(q) = 0                what presses on them is what their laws push back with     (2)
//
// Craft are moved by δq = M⁻¹Jᵀμ, J = ∂γ̇/∂v: the least displacement, measured by masses, that changes
// the gaps; docks in force stay closed. (2) is solved for the independent ones among these displacements
// by Newton's method: of a box on its four corners there are three.

#include <string>
#include <vector>

#include "berth/system/system.h"

namespace berth {

// What stands in the way of an equilibrium, by contact.
struct NoEquilibrium {
  std::size_t contact;
  std::string why;
};

// Moves model.q0 and v0. Contacts with a law of impact are only brought to touch, (1). Expects laws
// without delay, filter or lag.
std::vector<NoEquilibrium> move_to_equilibrium(System<double>& system,
                                               const std::vector<std::size_t>& contacts);

}  // namespace berth

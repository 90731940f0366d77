// SPDX-License-Identifier: Apache-2.0
#pragma once

// Structure — bodies, joints and ports of a scenario: what everything else refers to.
//
// It follows from names and kinds alone. Numbers that could not be read stand at their defaults, so that
// checking goes on after a mistake.

#include <map>

#include "berth/math/kepler.h"
#include "berth/scenario/scenario.h"

namespace berth {

// "servicer.probe" and so on. Bodies themselves are ports too: their own frames.
using Ports = std::map<std::string, Port<double>, std::less<>>;

// Bodies that components of this name end in: "servicer.arm" => its last link.
using LastBodies = std::map<std::string, int>;

struct Structure {
  bool in_orbit = false;
  OrbitState orbit_state{};
  LastBodies last_bodies;
  Ports ports;

  // Null without one.
  const OrbitState* orbit() const { return in_orbit ? &orbit_state : nullptr; }
};

// Adds bodies, components and ports to an empty system. Hubs stand where their own state puts them.
Structure build_structure(const Scenario& scenario, System<double>& system, Problems& problems);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// BodyShapes — what to draw for each body: solids of its kind, made from its mass properties.
//
//   hub, body, payload   the box of even density with its mass m and principal moments I
//                          a² = 6 (I_b + I_c − I_a)/m   along each axis                          (1)
//   panel                that box, made thin
//   wheel                a disc along its spin axis     r² = 2 J_s/m                             (2)
//   slosh                a ball of water of its mass
//   link                 a bar from its joint to the next
//
// Probes, cones and planes come from the contacts. A `shape` of the scenario replaces the rest.

#include <string>
#include <vector>

#include "berth/record/json_text.h"
#include "berth/scenario/scenario.h"

namespace berth {

struct DrawnBody {
  std::string name;
  std::string kind;                    // hub | panel | wheel | slosh | link | payload | body
  int body = 0;                        // in the model
  int craft = 0;                       // those of one craft, or of one tree on the ground, share it
  nlohmann::ordered_json shapes = {};  // a list
  bool is_asked = false;               // they are the scenario's
};

// Every body but the ground, in the order of the model; the ground behind them where it is touched.
std::vector<DrawnBody> find_drawn_bodies(const Scenario& scenario, const System<double>& system);

// Something stands on the ground, touches it or falls towards it.
bool needs_ground(const System<double>& system);

}  // namespace berth

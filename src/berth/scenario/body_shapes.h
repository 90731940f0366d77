// SPDX-License-Identifier: Apache-2.0
#pragma once

// BodyShapes — what to draw for each body: what parts draw of themselves (model/drawing.h), boxes for
// hubs and bodies, probes and surfaces of contacts. A `shape` of the scenario replaces the solids of its
// body.

#include <string>
#include <vector>

#include "berth/model/drawing.h"
#include "berth/scenario/scenario.h"

namespace berth {

// A model of a file on a body: r_PB_B = at + q (scale · r_PM_M).
struct DrawnModel {
  std::shared_ptr<const GlbModel> file;
  Vec3<double> at;  // [m]
  Quaternion<double> q;
  double scale;  // [m] of a unit of the file
};

struct DrawnBody {
  std::string name;
  BodyKind kind = BodyKind::body;
  int body = 0;   // in the model
  int craft = 0;  // those of one craft, or of one tree on the ground, share it
  std::vector<Solid> solids{};
  std::vector<DrawnModel> models{};
  bool is_asked = false;  // they are the scenario's
};

// Every body but the ground, in the order of the model; the ground after them where it is touched.
std::vector<DrawnBody> find_drawn_bodies(const Scenario& scenario, const System<double>& system);

// Something stands on the ground, touches it or falls towards it.
bool needs_ground(const System<double>& system);

}  // namespace berth

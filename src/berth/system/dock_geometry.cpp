// SPDX-License-Identifier: Apache-2.0

// Docks as geometry: freezing and cutting.

#include "berth/system/jumps.h"

namespace berth {

void lock_here(Dock<double>& dock, const PairMotion<double>& pair) {
  dock.arm = pair.d;
  dock.R_12 = pair.R * dock.R_12;
}

void cut(Model<double>& model, const Dock<double>& dock, const Motion<double>& motion,
         std::span<double> q, std::span<double> v) {
  const int b1 = dock.port_1.body, b2 = dock.port_2.body;
  const bool second = model.body(b2).joint == JointType::fixed && model.body(b2).parent == b1;
  const int hub = second ? b2 : b1;
  model.cut(hub);
  write_hub<double>(model, hub, motion, q, v);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// Which numbers of the state are judged together by step control.

#include "berth/run/run.h"

namespace berth {

std::vector<Block> find_error_blocks(const System<double>& system) {
  const Layout at = system.layout();
  std::vector<Block> blocks;
  const auto add = [&](int first, int size) {
    blocks.push_back({static_cast<std::size_t>(first), static_cast<std::size_t>(size), 1.0});
  };
  for (const Body<double>& b : system.model.bodies) {
    const int q = at.q + b.q, v = at.v + b.v;
    // A welded hub may be cut loose later.
    switch (b.hub ? JointType::free : b.joint) {
      case JointType::free: add(q, 3), add(q + 3, 4), add(v, 3), add(v + 3, 3); break;
      case JointType::spherical: add(q, 4), add(v, 3); break;
      case JointType::planar: add(q, 2), add(q + 2, 1), add(v, 2), add(v + 2, 1); break;
      case JointType::revolute:
      case JointType::prismatic:
        if (!b.spins) add(q, 1);
        add(v, 1);
        break;
      case JointType::fixed: break;
    }
  }
  for (int i = at.z; i < at.contacts; ++i) add(i, 1);
  for (const Contact<double>& c : system.contacts) {
    add(at.contacts + c.first_state, 2);  // its work, by which it is judged
    const int lag = at.contacts + c.lag_state(), filter = at.contacts + c.filter_state();
    if (c.has_lag()) add(lag, 3), add(lag + 3, 3);
    if (c.has_filter()) add(filter, 1), add(filter + 1, 3), add(filter + 4, 3);
    if (c.can_stick()) add(at.contacts + c.slip_state(), 3);
  }
  for (int i = at.orbit; i < at.ledger; i += 3) add(i, 3);
  return blocks;
}

}  // namespace berth

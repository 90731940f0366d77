// SPDX-License-Identifier: Apache-2.0
#pragma once

// A task — what a controller of joints is given instead of a reference for each of them.

#include "berth/control/profile.h"
#include "berth/model/fields.h"

namespace berth {

// A frame led along a straight line in another, by the joints between them.
struct TaskSpec {
  PortRef frame, relative_to;
  Vec3<double> direction{1, 0, 0}, offset;
  Profile<double> distance;

  static constexpr auto fields() {
    using P = TaskSpec;
    return Schema{
        Field{"frame", &P::frame, unit::none, Range::any,
              "that is led; it keeps its first attitude in the other", required},
        Field{"relative_to", &P::relative_to, unit::none, Range::any, "in whose axes it moves",
              required},
        Field{"direction", &P::direction, unit::none, Range::unit_vector, "of the line"},
        Field{"offset", &P::offset, unit::metre, Range::any, "where the line begins"},
        Field{"distance", &P::distance, unit::metre, Range::any,
              "along the line over time: a profile", required},
    };
  }
};

}  // namespace berth

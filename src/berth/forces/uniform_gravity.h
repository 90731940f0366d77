// SPDX-License-Identifier: Apache-2.0
#pragma once

// UniformGravity — the same acceleration everywhere: mechanisms on the ground.
//
//   f_N = m g at every body's centre of mass                                                  (1)
//
// Counted as external power and impulse like any force from outside; it excludes an orbit.

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct UniformGravity : WorldForce {
  static constexpr std::string_view type = "uniform_gravity";
  static constexpr bool external = true;

  Vec3<T> uniform;

  static constexpr auto fields() {
    using P = UniformGravity;
    return Schema{
        Field{"uniform", &P::uniform, unit::m_per_s2, Range::any, "acceleration of gravity",
              required},
    };
  }

  void bind(const Model<T>&, Findings&) {}
  void rotate_world(const Mat3<T>& R) { uniform = R * uniform; }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    for (int i = 1; i < now.model.body_count(); ++i)
      effort.add_force_at(i, now.body(i).r_CB_N, now.model.body(i).mass * uniform);  // (1)
  }
};

static_assert(Pushes<UniformGravity<double>, double>);

}  // namespace berth

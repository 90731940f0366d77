// SPDX-License-Identifier: Apache-2.0
#pragma once

// JointSpring — a spring, a damper and a constant effort along a joint of one freedom.
//
//   effort     τ = −k (q − q₀) − c q̇ + τ₀        along the joint, on the body it carries        (1)
//   energy     V = ½ k (q − q₀)²                                                              (2)
//   power      lost c q̇²,  fed in τ₀ q̇                                                        (3)
//
// Units are those of the joint: N/m, N·s/m and N of a prismatic one, N·m/rad, N·m·s/rad and N·m of a
// revolute one.

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct JointSpring : ForcePart {
  static constexpr std::string_view type = "joint_spring";

  JointRef joint;
  T stiffness{};
  T damping{};
  T rest{};    // q₀
  T effort{};  // τ₀

  static constexpr auto fields() {
    using P = JointSpring;
    return Schema{
        Field{"joint", &P::joint, unit::none, Range::any, "joint it acts along", required},
        Field{"stiffness", &P::stiffness, unit::N_m_per_rad, Range::not_negative,
              "of the spring; N/m of a prismatic joint"},
        Field{"damping", &P::damping, unit::N_m_s_per_rad, Range::not_negative,
              "damping; N·s/m of a prismatic joint"},
        Field{"rest", &P::rest, unit::rad, Range::any,
              "where the spring rests; m of a prismatic joint"},
        Field{"effort", &P::effort, unit::N_m, Range::any,
              "constant effort; N of a prismatic joint"},
    };
  }

  void bind(const Model<T>& model, Findings&) {
    q = model.body(joint.index).q;
    v = model.body(joint.index).v;
  }

  void add_effort(const Instant<T>& now, Effort<T>& to) const {
    to.joint(v) += effort - stiffness * (now.q(q) - rest) - damping * now.v(v);  // (1)
  }
  T energy(const Instant<T>& now) const { return 0.5 * stiffness * square(now.q(q) - rest); }
  T power_lost(const Instant<T>& now) const { return damping * square(now.v(v)); }
  T power_supplied(const Instant<T>& now) const { return effort * now.v(v); }

  template <class Emit>
  void channels(const Instant<T>& now, Emit&& f) const {
    f("effort", unit::N_m, "", "along the joint, on the body it carries; N of a prismatic joint",
      Kind::smooth, Needs::motion,
      [&] { return effort - stiffness * (now.q(q) - rest) - damping * now.v(v); });
  }

  int q = -1, v = -1;
};

static_assert(Pushes<JointSpring<double>, double> && StoresEnergy<JointSpring<double>, double>);

}  // namespace berth

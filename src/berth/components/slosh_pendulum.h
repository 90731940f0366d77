// SPDX-License-Identifier: Apache-2.0
#pragma once

// SloshPendulum — a bob of fuel on a rod from a ball joint in the tank.
//
//   frames     B   carrying body; the pivot is at `position`
//              S   bob; origin at the pivot, the rod along S's fixed direction ê, S = B at rest
//   state      quaternion of S in B, ω_SB_S [rad/s]
//
//   torque     τ = k ê × ê₀ − c ω_SB           on the bob about the pivot, from B              (1)
//   energy     V = k (1 − ê·ê₀)                                                                (2)
//   power      P = c |ω_SB|² ≥ 0               lost                                            (3)
//
// ê₀ is ê at rest, fixed in B. Thrust makes the restoring force of a real tank without k; k stands
// for surface tension or a diaphragm and may be zero. The bob is a solid sphere of given radius, so
// that turning about the rod has an inertia.

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct SloshPendulum : ComponentPart {
  static constexpr std::string_view type = "slosh_pendulum";

  Vec3<T> position;                   // pivot in B
  Vec3<T> direction{-1.0, 0.0, 0.0};  // ê₀ in B
  T length = 1.0;
  T mass = 1.0;
  T radius = 0.1;
  T stiffness{};
  T damping{};
  Vec3<T> deflection;  // initial rotation vector of S in B
  Vec3<T> rate;        // ω_SB_S(0)

  static constexpr auto fields() {
    using P = SloshPendulum;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any, "pivot in the carrying body"},
        Field{"direction", &P::direction, unit::none, Range::unit_vector,
              "from the pivot to the bob at rest", required},
        Field{"length", &P::length, unit::metre, Range::positive, "pivot to bob", required},
        Field{"mass", &P::mass, unit::kg, Range::positive, "bob mass", required},
        Field{"radius", &P::radius, unit::metre, Range::positive, "bob radius (solid sphere)"},
        Field{"stiffness", &P::stiffness, unit::N_m_per_rad, Range::not_negative,
              "restoring stiffness towards the rest direction"},
        Field{"damping", &P::damping, unit::N_m_s_per_rad, Range::not_negative,
              "damping of the turn rate"},
        Field{"deflection", &P::deflection, unit::rad, Range::any,
              "initial rotation vector of the rod"},
        Field{"rate", &P::rate, unit::rad_per_s, Range::any, "initial turn rate, bob axes"},
    };
  }

  void build(Model<T>& model, int mount, const std::string& name) {
    e_S = normalised(direction);
    const Quaternion<T> turn = quaternion_from_rotation_vector(deflection);
    BodySpec<T> spec;
    spec.name = name;
    spec.parent = mount;
    spec.joint = JointType::spherical;
    spec.r_FP_P = position;
    spec.mass = mass;
    spec.r_CB_B = length * e_S;
    spec.I_C_B = Sym3<T>::diagonal(0.4 * mass * radius * radius);
    spec.q = {turn.w, turn.x, turn.y, turn.z};
    spec.v = {rate.x, rate.y, rate.z};
    body = model.add_body(spec);
    carrier = mount;
    joint = model.body(body).v;
  }
  int last_body() const { return body; }
  void draw(const Model<T>& model, Drawing& drawing) const {
    drawing.push_back({body, BodyKind::slosh, draw_ball(model.body(body))});
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    const Mat3<T>& R_NS = now.body(body).R_NB;
    const Vec3<T> e0_S = transposed_times(R_NS, now.body(carrier).R_NB * e_S);
    const Vec3<T> spring = stiffness * cross(e_S, e0_S);  // (1), S axes
    for (int k = 0; k < 3; ++k) effort.joint(joint + k) += spring[k] - damping * now.v(joint + k);
  }
  // (2) as ½k|ê − ê₀|²: no cancellation near rest.
  T energy(const Instant<T>& now) const {
    const Vec3<T> e_N = now.body(body).R_NB * e_S, e0_N = now.body(carrier).R_NB * e_S;
    return 0.5 * stiffness * norm_squared(e_N - e0_N);
  }
  T power_lost(const Instant<T>& now) const {  // (3)
    return damping * (square(now.v(joint)) + square(now.v(joint + 1)) + square(now.v(joint + 2)));
  }

  Vec3<T> e_S;
  int body = -1, carrier = -1;
  int joint = -1;
};

static_assert(Component<SloshPendulum<double>, double> &&
              StoresEnergy<SloshPendulum<double>, double>);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// ReactionWheel — a rotor W on a motor-driven bearing of the body B that carries it.
//
//   frames     W   rotor, z along the spin axis ĝ, origin on the axis at `position`
//   state      θ [rad], Ω [rad/s]      turn and rate of the rotor against B
//
//   inertia    about the rotor's c.m., W axes    [ J_t   0   U_d ]
//                                                [  0   J_t   0  ]                              (1)
//                                                [ U_d   0   J_s ]
//   c.m.       d = U_s / m along W_x                                                           (2)
//
// U_s [kg·m] and U_d [kg·m²] are the static and dynamic imbalance. They are not forces added from a
// formula but the mass distribution of the rotor: the solver turns it, and the hub feels it.
//
//   torque     τ = u − c Ω − τ_c s(Ω)             on W about ĝ, opposite on B                 (3)
//   motor      u = command held within ±max_torque, fading to zero over the last 1 % below
//              max_speed when it would speed the rotor up                                      (4)
//   power      fed in u Ω;  lost c Ω² + τ_c s(Ω) Ω                                             (5)
//
// The sign of Coulomb friction is smoothed, s(Ω) = Ω/√(Ω² + Ω_c²): a step function would stop the
// integrator at every reversal and has no slope. Limits of zero mean "no limit".

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct ReactionWheel : ComponentPart {
  static constexpr std::string_view type = "reaction_wheel";

  Vec3<T> position;             // r_WB_B
  Vec3<T> axis{0.0, 0.0, 1.0};  // ĝ in B
  T mass = 1.0;
  T inertia_spin = 1.0;        // J_s
  T inertia_transverse = 1.0;  // J_t
  T static_imbalance{};        // U_s
  T dynamic_imbalance{};       // U_d
  T speed{};                   // Ω(0)
  T angle{};                   // θ(0)
  T max_torque{};
  T max_speed{};
  T viscous_friction{};   // c
  T coulomb_friction{};   // τ_c
  T coulomb_speed = 0.1;  // Ω_c

  static constexpr auto fields() {
    using P = ReactionWheel;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any,
              "wheel centre in the carrying body"},
        Field{"axis", &P::axis, unit::none, Range::unit_vector, "spin axis", required},
        Field{"mass", &P::mass, unit::kg, Range::positive, "rotor mass", required},
        Field{"inertia_spin", &P::inertia_spin, unit::kg_m2, Range::positive,
              "moment of inertia about the spin axis", required},
        Field{"inertia_transverse", &P::inertia_transverse, unit::kg_m2, Range::positive,
              "moment of inertia across the spin axis", required},
        Field{"static_imbalance", &P::static_imbalance, unit::kg_m, Range::not_negative,
              "mass times offset of the rotor's centre of mass"},
        Field{"dynamic_imbalance", &P::dynamic_imbalance, unit::kg_m2, Range::not_negative,
              "product of inertia of the rotor"},
        Field{"speed", &P::speed, unit::rad_per_s, Range::any, "initial speed"},
        Field{"angle", &P::angle, unit::rad, Range::any, "initial angle"},
        Field{"max_torque", &P::max_torque, unit::N_m, Range::not_negative,
              "motor torque limit; 0 = none"},
        Field{"max_speed", &P::max_speed, unit::rad_per_s, Range::not_negative,
              "speed limit; 0 = none"},
        Field{"viscous_friction", &P::viscous_friction, unit::N_m_s_per_rad, Range::not_negative,
              "bearing friction per speed"},
        Field{"coulomb_friction", &P::coulomb_friction, unit::N_m, Range::not_negative,
              "dry bearing friction"},
        Field{"coulomb_speed", &P::coulomb_speed, unit::rad_per_s, Range::positive,
              "speed over which dry friction changes sign"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (inertia_spin > 2.0 * inertia_transverse * (1 + 1e-12))
      findings.add("inertia_spin",
                   "inertia_spin exceeds twice inertia_transverse: no rotor is like that");
  }

  void build(Model<T>& model, int mount, const std::string& name) {
    // Any frame with z along the axis; x is taken across the smallest component of it.
    const Vec3<T> z = normalised(axis);
    const auto x_small = abs(z.x) < 0.6;
    const Vec3<T> hint{select(x_small, T(1.0), T(0.0)), select(x_small, T(0.0), T(1.0)), T(0.0)};
    const Vec3<T> x = normalised(hint - dot(hint, z) * z);
    BodySpec<T> spec;
    spec.name = name;
    spec.parent = mount;
    spec.joint = JointType::revolute;
    spec.R_PF = Mat3<T>::columns(x, cross(z, x), z);
    spec.r_FP_P = position;
    spec.mass = mass;
    spec.r_CB_B = {static_imbalance / mass, T(0.0), T(0.0)};  // (2)
    spec.I_C_B = {inertia_transverse, inertia_transverse,
                  inertia_spin,       T(0.0),  // (1)
                  dynamic_imbalance,  T(0.0)};
    spec.q = {angle};
    spec.v = {speed};
    spec.spins = true;
    spec.motor = true;
    body = model.add_body(spec);
    joint = model.body(body).v;
  }
  int last_body() const { return body; }
  void draw(const Model<T>& model, Drawing& drawing) const {
    drawing.push_back({body, BodyKind::wheel, draw_disc(model.body(body))});
  }

  // (4)
  BERTH_INLINE T motor_torque(const T& command, const T& omega) const {
    const T bound = select(max_torque > 0.0, max_torque, T(1e300));
    const T u = clamp(command, -bound, bound);
    const T room = select(u > 0.0, max_speed - omega, max_speed + omega);
    const T fade = clamp(room / (0.01 * max_speed + 1e-300), T(0.0), T(1.0));
    return select(max_speed > 0.0, fade * u, u);
  }
  BERTH_INLINE T friction_torque(const T& omega) const {
    return viscous_friction * omega +
           coulomb_friction * (omega / sqrt(square(omega) + square(coulomb_speed)));
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    const T& omega = now.v(joint);
    effort.joint(joint) +=
        motor_torque(now.commanded(joint), omega) - friction_torque(omega);  // (3)
  }
  T power_supplied(const Instant<T>& now) const {  // (5)
    return motor_torque(now.commanded(joint), now.v(joint)) * now.v(joint);
  }
  T power_lost(const Instant<T>& now) const { return friction_torque(now.v(joint)) * now.v(joint); }

  template <class Emit>
  void channels(const Instant<T>& now, Emit&& f) const {
    f("torque", unit::N_m, "", "motor torque on the rotor", Kind::smooth, Needs::loads,
      [&] { return motor_torque(now.commanded(joint), now.v(joint)); });
  }

  int body = -1;
  int joint = -1;  // speed (and motor command) index
};

static_assert(Component<ReactionWheel<double>, double> && Pushes<ReactionWheel<double>, double>);

}  // namespace berth

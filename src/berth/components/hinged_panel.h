// SPDX-License-Identifier: Apache-2.0
#pragma once

// HingedPanel — a rigid panel S on a sprung, damped, one-axis hinge H of the body B that carries it.
//
//   frames     H   hinge, fixed in B: y along the hinge axis ĥ, x outward, z = x × y
//              S   panel; S = H when θ = 0; centre of mass at Sc
//   state      θ [rad], θ̇ [rad/s]
//
//   torque     τ = −k (θ − θ₀) − c θ̇        about ĥ, on S from B                              (1)
//   energy     V = ½ k (θ − θ₀)²                                                              (2)
//   power      P = c θ̇²  ≥ 0                lost in the damper                                (3)
//
// Carried by another panel (`on = "inner"`) it makes a panel in series.

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct HingedPanel : ComponentPart {
  static constexpr std::string_view type = "hinged_panel";

  Vec3<T> position;                // hinge in B
  Vec3<T> axis{0.0, 1.0, 0.0};     // ĥ in B
  Vec3<T> outward{1.0, 0.0, 0.0};  // H_x in B
  T mass = 1.0;
  Vec3<T> centre_of_mass;  // r_ScS_S
  Sym3<T> inertia;         // about Sc, S axes
  T stiffness{};           // k
  T damping{};             // c
  T rest_angle{};          // θ₀
  T angle{};               // θ(0)
  T rate{};                // θ̇(0)

  static constexpr auto fields() {
    using P = HingedPanel;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any, "hinge in the carrying body"},
        Field{"axis", &P::axis, unit::none, Range::unit_vector, "hinge axis, panel y", required},
        Field{"outward", &P::outward, unit::none, Range::unit_vector,
              "direction of panel x at zero angle, made normal to the axis", required},
        Field{"mass", &P::mass, unit::kg, Range::positive, "panel mass", required},
        Field{"centre_of_mass", &P::centre_of_mass, unit::metre, Range::any,
              "centre of mass from the hinge, panel axes", required},
        Field{"inertia", &P::inertia, unit::kg_m2, Range::inertia,
              "about the centre of mass, panel axes", required},
        Field{"stiffness", &P::stiffness, unit::N_m_per_rad, Range::not_negative,
              "hinge stiffness"},
        Field{"damping", &P::damping, unit::N_m_s_per_rad, Range::not_negative, "hinge damping"},
        Field{"rest_angle", &P::rest_angle, unit::rad, Range::any, "angle where the spring rests"},
        Field{"angle", &P::angle, unit::rad, Range::any, "initial angle"},
        Field{"rate", &P::rate, unit::rad_per_s, Range::any, "initial rate"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (norm_squared(find_across()) < 1e-12)
      findings.add("outward", "outward and axis must not be parallel");
  }
  // `outward`, made normal to the axis.
  Vec3<T> find_across() const {
    const Vec3<T> y = normalised(axis);
    return outward - dot(outward, y) * y;
  }

  void build(Model<T>& model, int mount, const std::string& name) {
    const Vec3<T> y = normalised(axis);
    const Vec3<T> across = find_across();
    const Vec3<T> x = normalised(across);
    BodySpec<T> spec;
    spec.name = name;
    spec.parent = mount;
    spec.joint = JointType::revolute;
    spec.R_PF = Mat3<T>::columns(x, y, cross(x, y));
    spec.r_FP_P = position;
    spec.axis = {T(0.0), T(1.0), T(0.0)};
    spec.mass = mass;
    spec.r_CB_B = centre_of_mass;
    spec.I_C_B = inertia;
    spec.q = {angle};
    spec.v = {rate};
    body = model.add_body(spec);
    coordinate = model.body(body).q;
    joint = model.body(body).v;
  }
  int last_body() const { return body; }
  void draw(const Model<T>& model, Drawing& drawing) const {
    drawing.push_back({body, BodyKind::panel, draw_panel(model.body(body))});
  }

  BERTH_INLINE T torque(const T& theta, const T& theta_dot) const {
    return -(stiffness * (theta - rest_angle)) - damping * theta_dot;  // (1)
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    effort.joint(joint) += torque(now.q(coordinate), now.v(joint));
  }
  T energy(const Instant<T>& now) const {  // (2)
    return 0.5 * stiffness * square(now.q(coordinate) - rest_angle);
  }
  T power_lost(const Instant<T>& now) const { return damping * square(now.v(joint)); }  // (3)

  int body = -1;
  int coordinate = -1, joint = -1;
};

static_assert(Component<HingedPanel<double>, double> && StoresEnergy<HingedPanel<double>, double>);

}  // namespace berth

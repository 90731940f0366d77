// SPDX-License-Identifier: Apache-2.0
#pragma once

// RobotArm — rigid links on motor-driven revolute joints, one after the other.
//
//   frames     Lᵢ  link i; equals Lᵢ₋₁ (L₀ = carrying body) shifted to `position` when θᵢ = 0
//   state      θᵢ [rad], θ̇ᵢ [rad/s]
//
//   torque     τᵢ = uᵢ − cᵢ θ̇ᵢ        about the joint axis, on Lᵢ from Lᵢ₋₁                    (1)
//   motor      uᵢ = command held within ±max_torque (0 = no limit)                             (2)
//   power      fed in Σ uᵢ θ̇ᵢ;  lost Σ cᵢ θ̇ᵢ²                                                (3)

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct ArmLink {
  Vec3<T> position;
  Vec3<T> axis{0.0, 0.0, 1.0};
  T mass = 1.0;
  Vec3<T> centre_of_mass;
  Sym3<T> inertia;
  T friction{};
  T max_torque{};
  T angle{};
  T rate{};

  static constexpr auto fields() {
    using P = ArmLink;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any, "joint in the link before"},
        Field{"axis", &P::axis, unit::none, Range::unit_vector, "joint axis", required},
        Field{"mass", &P::mass, unit::kg, Range::positive, "link mass", required},
        Field{"centre_of_mass", &P::centre_of_mass, unit::metre, Range::any,
              "centre of mass from the joint", required},
        Field{"inertia", &P::inertia, unit::kg_m2, Range::inertia,
              "about the centre of mass, link axes", required},
        Field{"friction", &P::friction, unit::N_m_s_per_rad, Range::not_negative,
              "viscous joint friction"},
        Field{"max_torque", &P::max_torque, unit::N_m, Range::not_negative,
              "motor torque limit; 0 = none"},
        Field{"angle", &P::angle, unit::rad, Range::any, "initial angle"},
        Field{"rate", &P::rate, unit::rad_per_s, Range::any, "initial rate"},
    };
  }
  int joint = -1;
};

template <Scalar T>
struct RobotArm : ComponentPart {
  static constexpr std::string_view type = "robot_arm";

  std::vector<ArmLink<T>> link;

  static constexpr auto fields() {
    using P = RobotArm;
    return Schema{
        Field{"link", &P::link, unit::none, Range::any, "links from the base outward", required},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (link.empty()) findings.add("link", "is empty: an arm has at least one link");
  }

  void build(Model<T>& model, int mount, const std::string& name) {
    int parent = mount;
    for (std::size_t i = 0; i < link.size(); ++i) {
      ArmLink<T>& l = link[i];
      BodySpec<T> spec;
      spec.name = name + ".link" + std::to_string(i + 1);
      spec.parent = parent;
      spec.joint = JointType::revolute;
      spec.r_FP_P = l.position;
      spec.axis = normalised(l.axis);
      spec.mass = l.mass;
      spec.r_CB_B = l.centre_of_mass;
      spec.I_C_B = l.inertia;
      spec.q = {l.angle};
      spec.v = {l.rate};
      spec.motor = true;
      parent = model.add_body(spec);
      l.joint = model.body(parent).v;
    }
    tip = parent;
  }
  int last_body() const { return tip; }
  // To the next joint; the last one as far beyond its centre of mass as that is from its joint.
  void draw(const Model<T>& model, Drawing& drawing) const {
    for (std::size_t i = 0; i < link.size(); ++i) {
      const bool last = i + 1 == link.size();
      const int body = tip - static_cast<int>(link.size() - 1 - i);
      drawing.push_back({body, BodyKind::link,
                         draw_link(last ? 2.0 * model.body(body).r_CB_B : link[i + 1].position)});
    }
  }

  // (2)
  BERTH_INLINE static T motor_torque(const ArmLink<T>& l, const T& command) {
    const T bound = select(l.max_torque > 0.0, l.max_torque, T(1e300));
    return clamp(command, -bound, bound);
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    for (const ArmLink<T>& l : link)
      effort.joint(l.joint) +=
          motor_torque(l, now.commanded(l.joint)) - l.friction * now.v(l.joint);  // (1)
  }
  T power_supplied(const Instant<T>& now) const {  // (3)
    T sum(0.0);
    for (const ArmLink<T>& l : link)
      sum += motor_torque(l, now.commanded(l.joint)) * now.v(l.joint);
    return sum;
  }
  T power_lost(const Instant<T>& now) const {
    T sum(0.0);
    for (const ArmLink<T>& l : link) sum += l.friction * square(now.v(l.joint));
    return sum;
  }

  int tip = -1;
};

static_assert(Component<RobotArm<double>, double> && Pushes<RobotArm<double>, double>);

}  // namespace berth

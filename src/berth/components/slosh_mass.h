// SPDX-License-Identifier: Apache-2.0
#pragma once

// SloshMass — a particle of fuel on a spring along one axis of the tank.
//
//   frames     B   carrying body; the particle rests at `position` and moves along ê
//   state      ρ [m], ρ̇ [m/s]
//
//   force      f = −k ρ − c ρ̇        along ê, on the particle from B                          (1)
//   energy     V = ½ k ρ²                                                                     (2)
//   power      P = c ρ̇² ≥ 0          lost                                                     (3)
//   or         k = m ω²,  c = 2 ζ m ω    from a natural frequency ω and a damping ratio ζ        (4)

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct SloshMass : ComponentPart {
  static constexpr std::string_view type = "slosh_mass";

  Vec3<T> position;
  Vec3<T> axis{1.0, 0.0, 0.0};
  T mass = 1.0;
  T stiffness{};
  T damping{};
  T frequency{};
  T damping_ratio{};
  T displacement{};
  T rate{};

  static constexpr auto fields() {
    using P = SloshMass;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any,
              "rest position in the carrying body"},
        Field{"axis", &P::axis, unit::none, Range::unit_vector, "direction of travel", required},
        Field{"mass", &P::mass, unit::kg, Range::positive, "moving mass", required},
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::not_negative, "spring stiffness"},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative, "damping"},
        Field{"frequency", &P::frequency, unit::rad_per_s, Range::not_negative,
              "natural frequency, instead of stiffness; 0 = none"},
        Field{"damping_ratio", &P::damping_ratio, unit::none, Range::not_negative,
              "with frequency, instead of damping"},
        Field{"displacement", &P::displacement, unit::metre, Range::any, "initial displacement"},
        Field{"rate", &P::rate, unit::m_per_s, Range::any, "initial rate"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (frequency > 0.0 && stiffness > 0.0)
      findings.add("frequency", "frequency or stiffness, not both");
    if (damping_ratio > 0.0 && damping > 0.0)
      findings.add("damping_ratio", "damping_ratio or damping, not both");
    if (damping_ratio > 0.0 && !(frequency > 0.0))
      findings.add("damping_ratio", "goes with a frequency");
  }

  void build(Model<T>& model, int mount, const std::string& name) {
    BodySpec<T> spec;
    spec.name = name;
    spec.parent = mount;
    spec.joint = JointType::prismatic;
    spec.r_FP_P = position;
    spec.axis = normalised(axis);
    spec.mass = mass;
    spec.particle = true;
    spec.q = {displacement};
    spec.v = {rate};
    body = model.add_body(spec);
    coordinate = model.body(body).q;
    joint = model.body(body).v;
  }
  T k() const { return stiffness + mass * square(frequency); }  // (4)
  T c() const { return damping + 2.0 * damping_ratio * mass * frequency; }
  int last_body() const { return body; }
  void draw(const Model<T>& model, Drawing& drawing) const {
    drawing.push_back({body, BodyKind::slosh, draw_ball(model.body(body))});
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    effort.joint(joint) -= k() * now.q(coordinate) + c() * now.v(joint);  // (1)
  }
  T energy(const Instant<T>& now) const { return 0.5 * k() * square(now.q(coordinate)); }
  T power_lost(const Instant<T>& now) const { return c() * square(now.v(joint)); }

  int body = -1;
  int coordinate = -1, joint = -1;
};

static_assert(Component<SloshMass<double>, double> && StoresEnergy<SloshMass<double>, double>);

}  // namespace berth

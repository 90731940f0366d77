// SPDX-License-Identifier: Apache-2.0
#pragma once

// RigidPayload — a rigid body bolted to the body B that carries it.
//
//   frames     S   payload; origin at `position` in B, turned by the rotation vector `rotation`
//
// It stays a body of its own in the tree (no degree of freedom): tidal force and gravity-gradient
// torque act on it where it is.

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct RigidPayload : ComponentPart {
  static constexpr std::string_view type = "rigid_payload";

  Vec3<T> position;
  Vec3<T> rotation;
  T mass = 1.0;
  Vec3<T> centre_of_mass;
  Sym3<T> inertia;

  static constexpr auto fields() {
    using P = RigidPayload;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any,
              "payload frame in the carrying body"},
        Field{"rotation", &P::rotation, unit::rad, Range::any,
              "rotation vector of the payload frame"},
        Field{"mass", &P::mass, unit::kg, Range::positive, "mass", required},
        Field{"centre_of_mass", &P::centre_of_mass, unit::metre, Range::any,
              "centre of mass, payload axes"},
        Field{"inertia", &P::inertia, unit::kg_m2, Range::inertia,
              "about the centre of mass, payload axes", required},
    };
  }

  void build(Model<T>& model, int mount, const std::string& name) {
    BodySpec<T> spec;
    spec.name = name;
    spec.parent = mount;
    spec.joint = JointType::fixed;
    spec.R_PF = rotation_matrix(quaternion_from_rotation_vector(rotation));
    spec.r_FP_P = position;
    spec.mass = mass;
    spec.r_CB_B = centre_of_mass;
    spec.I_C_B = inertia;
    body = model.add_body(spec);
  }
  int last_body() const { return body; }
  void draw(const Model<T>& model, Drawing& drawing) const {
    drawing.push_back({body, BodyKind::payload, draw_solid(model.body(body))});
  }

  int body = -1;
};

static_assert(Component<RigidPayload<double>, double>);

}  // namespace berth

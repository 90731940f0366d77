// SPDX-License-Identifier: Apache-2.0
#pragma once

// shape = [{ kind = "box", size = [2, 1, 1] }], shape = { gltf = "servicer.glb" }: a body's shape in
// pictures. It has no part in the mechanics; bodies without one are drawn from their inertia.
//
//   a model   r_PB_B = at + R_BM (scale · r_PM_M)   M: axes and units of the file, R_BM from rotation

#include <optional>
#include <string>
#include <vector>

#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

enum class ShapeKind : unsigned char { box, sphere, cylinder };
constexpr auto keywords_of(ShapeKind) {
  return std::array{Keyword{"box", "of the given size"}, Keyword{"sphere", "of the given radius"},
                    Keyword{"cylinder", "of the given radius and length, along x"}};
}

struct ShapeSpec {
  std::optional<OneOf<ShapeKind>> kind;
  std::optional<std::string> gltf;
  Vec3<double> size;
  double radius = 0, length = 0;
  Vec3<double> at, rotation;
  double scale = 1;

  static constexpr auto fields() {
    using P = ShapeSpec;
    return Schema{
        Field{"kind", &P::kind, unit::none, Range::any, "of solid", required_unless("gltf")},
        Field{"gltf", &P::gltf, unit::none, Range::any,
              "model instead of a solid: a binary glTF 2.0 file (.glb), path from this file"},
        Field{"size", &P::size, unit::metre, Range::any, "of a box, along its axes"},
        Field{"radius", &P::radius, unit::metre, Range::not_negative, "of a sphere or cylinder"},
        Field{"length", &P::length, unit::metre, Range::not_negative, "of a cylinder, along x"},
        Field{"at", &P::at, unit::metre, Range::any,
              "its middle, or the origin of the model, body axes"},
        Field{"rotation", &P::rotation, unit::rad, Range::any,
              "rotation vector, body axes; of a model from the axes of its file, which are the "
              "body's without it"},
        Field{"scale", &P::scale, unit::none, Range::positive, "of a model: metres in its unit"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth

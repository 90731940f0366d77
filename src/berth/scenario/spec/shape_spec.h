// SPDX-License-Identifier: Apache-2.0
#pragma once

// shape = [{ kind = "box", size = [2, 1, 1] }]: a body's shape in pictures. It has no part in
// the mechanics; bodies without one are drawn from their inertia.

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
  OneOf<ShapeKind> kind;
  Vec3<double> size;
  double radius = 0, length = 0;
  Vec3<double> at, rotation;

  static constexpr auto fields() {
    using P = ShapeSpec;
    return std::tuple{
        Field{"kind", &P::kind, unit::none, Range::any, "of solid", required},
        Field{"size", &P::size, unit::metre, Range::any, "of a box, along its axes"},
        Field{"radius", &P::radius, unit::metre, Range::not_negative, "of a sphere or cylinder"},
        Field{"length", &P::length, unit::metre, Range::not_negative, "of a cylinder, along x"},
        Field{"at", &P::at, unit::metre, Range::any, "its middle, body axes"},
        Field{"rotation", &P::rotation, unit::rad, Range::any, "rotation vector, body axes"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth

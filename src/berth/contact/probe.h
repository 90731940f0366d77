// SPDX-License-Identifier: Apache-2.0
#pragma once

// What touches: a line of points from the origin of its port back along −x, swollen by a radius.
//
//   point     the origin alone
//   sphere    a ball around it
//   capsule   a tip with the shaft behind it; it touches where it is deepest
//   polygon   corners, each a point or a ball of its own: against a flat surface the outline between
//             them is never first

#include <vector>

#include "berth/model/drawing.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct PointProbe {
  static constexpr std::string_view type = "point";

  static constexpr auto fields() { return Schema{}; }

  T find_radius() const { return T(0.0); }
  T find_length() const { return T(0.0); }
  Solid draw(double extent) const { return make_ball(0.02 * extent, {}); }
};

template <Scalar T>
struct SphereProbe {
  static constexpr std::string_view type = "sphere";

  T radius{};

  static constexpr auto fields() {
    using P = SphereProbe;
    return Schema{
        Field{"radius", &P::radius, unit::metre, Range::positive, "of the ball", required},
    };
  }

  T find_radius() const { return radius; }
  T find_length() const { return T(0.0); }
  Solid draw(double) const { return make_ball(radius, {}); }
};

template <Scalar T>
struct CapsuleProbe {
  static constexpr std::string_view type = "capsule";

  T radius{};
  T length{};

  static constexpr auto fields() {
    using P = CapsuleProbe;
    return Schema{
        Field{"radius", &P::radius, unit::metre, Range::positive, "of shaft and tip", required},
        Field{"length", &P::length, unit::metre, Range::positive,
              "of the shaft, from the centre of the tip back", required},
    };
  }

  T find_radius() const { return radius; }
  T find_length() const { return length; }
  Solid draw(double) const {
    return {.kind = Solid::capsule, .at = {}, .q = {}, .radius = radius, .length = length};
  }
};

// Built as one contact per corner (scenario/build/contacts.cpp).
template <Scalar T>
struct PolygonProbe {
  static constexpr std::string_view type = "polygon";

  std::vector<Vec3<T>> vertices;
  T radius{};

  static constexpr auto fields() {
    using P = PolygonProbe;
    return Schema{
        Field{"vertices", &P::vertices, unit::metre, Range::any,
              "corners of the outline, axes of its port", required},
        Field{"radius", &P::radius, unit::metre, Range::not_negative,
              "of the corners, where they are rounded"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (vertices.size() < 3)
      findings.add("vertices",
                   std::to_string(vertices.size()) + " make no polygon: it has three at least");
  }

  T find_radius() const { return radius; }
  T find_length() const { return T(0.0); }
  // A corner.
  Solid draw(double extent) const { return make_ball(radius > 0 ? radius : 0.02 * extent, {}); }
};

}  // namespace berth

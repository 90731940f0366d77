// SPDX-License-Identifier: Apache-2.0
#pragma once

// Drawing — the shapes of parts: solids in the axes of a body. Parts draw themselves as they report
// themselves; a picture knows solids and kinds of body, and no part by name.
//
//   component   draw(model, drawing)   solids for each body it has built
//   surface     draw(extent)           one solid at its port, x along the port's; extent [m] of the
//               craft, for faces without end
//   probe       draw(extent)           likewise; extent of the surface, for points
//
// What a body's mass and inertia suggest where nothing better is known:
//
//   box    of even density with mass m and principal moments I
//            a² = 6 (I_b + I_c − I_a)/m   along each axis                                         (1)
//   disc   along z                        r² = 2 I_zz/m                                          (2)
//   ball   of water of its mass

#include <string>
#include <vector>

#include "berth/model/model.h"

namespace berth {

struct Solid {
  enum Kind { box, sphere, cylinder, capsule, cone, plane } kind = box;
  Vec3<double> at;       // [m] its middle; of a capsule its tip, of a cone its apex
  Quaternion<double> q;  // its axes in the body's: round ones and normals of planes along x
  Vec3<double> size{};   // [m] of a box; of a square plane size.x
  double radius = 0, length = 0;  // [m]
  double half_angle = 0;          // [rad] of a cone

  friend bool operator==(const Solid&, const Solid&) = default;
};

// Which kind of body it is: colour and finish of a picture follow from it.
enum class BodyKind { hub, body, payload, panel, wheel, slosh, link };

struct DrawnPart {
  int body;
  BodyKind kind;
  std::vector<Solid> solids;
};
using Drawing = std::vector<DrawnPart>;

std::string_view name_of(Solid::Kind kind);
std::string_view name_of(BodyKind kind);

Solid make_box(const Vec3<double>& size, const Vec3<double>& at, const Quaternion<double>& q = {});
Solid make_ball(double radius, const Vec3<double>& at);
Solid make_bar(const Vec3<double>& from, const Vec3<double>& to, double radius);

std::vector<Solid> draw_solid(const Body<double>& body);  // (1), on a bar where it is far out
std::vector<Solid> draw_panel(const Body<double>& body);  // (1), made thin
std::vector<Solid> draw_disc(const Body<double>& body);   // (2)
std::vector<Solid> draw_ball(const Body<double>& body);   // of water
std::vector<Solid> draw_link(const Vec3<double>& end);    // a bar to the next joint [m]

// [m] Sides of (1); zero for a body without inertia.
Vec3<double> find_box_size(const Body<double>& body);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Joints: how a body may move against its parent.
//
//   F   joint frame, fixed in the parent P      pose R_PF, r_FP_P
//   B   body frame; equals F when the coordinates are zero
//
//   type        coordinates q                         speeds v
//   free        r_BN_N (3) [m], quaternion (4)        v_BN_N (3) [m/s], ω_BN_B (3) [rad/s]
//   fixed       —                                     —
//   revolute    angle about the axis [rad]            its rate [rad/s]
//   prismatic   travel along the axis [m]             its rate [m/s]
//   planar      x, y along F_x, F_y [m], angle        their rates
//               about F_z [rad]
//   spherical   quaternion of B in F (4)              ω_BF_B (3) [rad/s]
//
// The axis of a revolute or prismatic joint is a unit vector, the same in F and in B.

#include <array>
#include <string_view>

#include "berth/model/keywords.h"

namespace berth {

enum class JointType : unsigned char { free, fixed, revolute, prismatic, planar, spherical };

struct JointShape {
  std::string_view name;
  int coordinates;
  int speeds;
};

inline constexpr std::array<JointShape, 6> kJoints{{
    {"free", 7, 6},
    {"fixed", 0, 0},
    {"revolute", 1, 1},
    {"prismatic", 1, 1},
    {"planar", 3, 3},
    {"spherical", 4, 3},
}};

constexpr auto keywords_of(JointType) {
  return std::array{Keyword{"free", "all six"},
                    Keyword{"fixed", "none"},
                    Keyword{"revolute", "turns about the axis"},
                    Keyword{"prismatic", "travels along the axis"},
                    Keyword{"planar", "travels in the x-y plane and turns about z"},
                    Keyword{"spherical", "turns freely about a point"}};
}

constexpr const JointShape& shape(JointType type) { return kJoints[static_cast<unsigned>(type)]; }

}  // namespace berth

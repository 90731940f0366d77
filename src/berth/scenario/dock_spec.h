// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[dock]] as plain structs: a constraint by `type`, and what all docks share.

#include <optional>
#include <string>
#include <vector>

#include "berth/constraints/list.h"
#include "berth/model/fields.h"

namespace berth {

struct DockOptions {
  std::vector<std::string> between;
  Vec3<double> arm;
  std::string enforce = "exact";
  std::string lock = "nominal";
  bool engaged = true;
  bool projection = true;
  double alpha = 10;
  std::optional<double> beta;
  std::string gains;
  std::string law = "pd";
  std::optional<double> stiffness, damping, integral;
  std::optional<double> stiffness_rotation, damping_rotation, integral_rotation;
  std::optional<bool> warm_start;
  double gap = 1e-3, gap_angle = 1e-2;

  static constexpr auto fields() {
    using P = DockOptions;
    return std::tuple{
        Field{"between", &P::between, unit::none, Range::any,
              "two ports: craft.port, body.port, or a body (its own frame), or ground", required},
        Field{"arm", &P::arm, unit::metre, Range::any,
              "from the first port to the second when mated, axes of the first port's body"},
        Field{"enforce", &P::enforce, unit::none, Range::any,
              "exact | reduced | baumgarte | penalty | fused"},
        Field{"lock", &P::lock, unit::none, Range::any,
              "at the start: nominal (ports mated as designed) | current (as they stand)"},
        Field{"engaged", &P::engaged, unit::none, Range::any,
              "joined at the start; else an event latches it"},
        Field{
            "projection", &P::projection, unit::none, Range::any,
            "exact, reduced: pull back to zero violation after every step; false shows the drift"},
        Field{"alpha", &P::alpha, unit::per_s, Range::positive,
              "of baumgarte and of penalty gains"},
        Field{"beta", &P::beta, unit::per_s, Range::not_negative,
              "damping likewise; default alpha"},
        Field{"gains", &P::gains, unit::none, Range::any,
              "penalty: normalised (default) | alpha_beta (not scaled by mass) | physical"},
        Field{"law", &P::law, unit::none, Range::any, "penalty: pd | pid"},
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::not_negative,
              "physical gains: spring"},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative,
              "physical gains: damper"},
        Field{"integral", &P::integral, unit::N_per_m_s, Range::not_negative,
              "physical gains: integral, pid"},
        Field{"stiffness_rotation", &P::stiffness_rotation, unit::N_m_per_rad, Range::not_negative,
              "physical gains: torsion spring"},
        Field{"damping_rotation", &P::damping_rotation, unit::N_m_s_per_rad, Range::not_negative,
              "physical gains: torsion damper"},
        Field{"integral_rotation", &P::integral_rotation, unit::N_m_per_rad_s, Range::not_negative,
              "physical gains: integral of the angle, pid"},
        Field{"warm_start", &P::warm_start, unit::none, Range::any,
              "penalty: start with the load of the exact joint; default true, but for alpha_beta"},
        Field{"gap", &P::gap, unit::metre, Range::not_negative,
              "farthest the ports may be for lock = \"nominal\""},
        Field{"gap_angle", &P::gap_angle, unit::rad, Range::not_negative, "likewise"},
    };
  }
};

struct DockSpec {
  std::string name;
  VariantOf<Constraints<double>>::type part;
  DockOptions options;
};

// A craft put where a dock wants it.
struct PlacementSpec {
  std::string docked_to;

  static constexpr auto fields() {
    using P = PlacementSpec;
    return std::tuple{
        Field{"docked_to", &P::docked_to, unit::none, Range::any,
              "port of another craft that a dock joins to one of this", required},
    };
  }
};

}  // namespace berth

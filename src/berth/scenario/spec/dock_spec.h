// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[dock]] as plain structs: a constraint by `type`, and what all docks share.

#include <optional>
#include <string>
#include <vector>

#include "berth/constraints/list.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"
#include "berth/system/dock.h"

namespace berth {

enum class Gains : unsigned char { normalised, alpha_beta, physical };
constexpr auto keywords_of(Gains) {
  return std::array{
      Keyword{"normalised", "alpha and beta by the masses the joint has between its craft"},
      Keyword{"alpha_beta", "alpha and beta, not scaled by mass"},
      Keyword{"physical", "stiffness, damping and integral"}};
}

enum class PenaltyLaw : unsigned char { pd, pid };
constexpr auto keywords_of(PenaltyLaw) {
  return std::array{Keyword{"pd", "spring and damper"}, Keyword{"pid", "and an integral"}};
}

struct DockSpec {
  std::string name;
  VariantOf<Constraints<double>>::type part;
  std::vector<PortRef> between;
  Vec3<double> arm;
  OneOf<Enforce> enforce;
  OneOf<Lock> lock;
  std::optional<bool> engaged;
  bool projection = true;
  double alpha = 10;
  std::optional<double> beta;
  std::optional<OneOf<Gains>> gains;
  OneOf<PenaltyLaw> law;
  std::optional<double> stiffness, damping, integral;
  std::optional<double> stiffness_rotation, damping_rotation, integral_rotation;
  std::optional<bool> warm_start;
  double gap = 1e-3, gap_angle = 1e-2;

  static constexpr auto fields() {
    using P = DockSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"between", &P::between, unit::none, Range::any,
              "two of them: craft.port, body.port, or a body (its own frame), or ground", required},
        Field{"arm", &P::arm, unit::metre, Range::any,
              "from the first port to the second when mated, axes of the first port's body"},
        Field{"enforce", &P::enforce, unit::none, Range::any, "how it is held"},
        Field{"lock", &P::lock, unit::none, Range::any, "in which pose, from the start"},
        Field{"engaged", &P::engaged, unit::none, Range::any,
              "joined at the start, else an event latches it; default: true, false if a capture "
              "names it"},
        Field{
            "projection", &P::projection, unit::none, Range::any,
            "exact, reduced: pull back to zero violation after every step; false shows the drift"},
        Field{"alpha", &P::alpha, unit::per_s, Range::positive,
              "of baumgarte and of penalty gains"},
        Field{"beta", &P::beta, unit::per_s, Range::not_negative,
              "damping likewise; default alpha"},
        Field{"gains", &P::gains, unit::none, Range::any,
              "penalty: what they are counted in; default: physical where any is given, else "
              "normalised"},
        Field{"law", &P::law, unit::none, Range::any, "of penalty"},
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
  static constexpr auto choice() { return Choice{"type", &DockSpec::part}; }
  void check(const Surroundings& around, Findings& findings) const;

  bool has_physical_gains() const {
    return stiffness || damping || integral || stiffness_rotation || damping_rotation ||
           integral_rotation;
  }
  Gains find_gains() const {
    return gains.value_or(has_physical_gains() ? Gains::physical : Gains::normalised);
  }
};

// A craft put where a dock wants it.
struct PlacementSpec {
  PortRef docked_to;

  static constexpr auto fields() {
    using P = PlacementSpec;
    return Schema{
        Field{"docked_to", &P::docked_to, unit::none, Range::any,
              "of another craft, that a dock joins to a port of this", required},
    };
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[capture]] as plain structs: when a docking counts as one. It becomes a measure and events like
// those a user could write (build/build_capture.h).

#include <optional>
#include <string>
#include <vector>

#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

// The motion a docking mechanism is made for, in the spirit of the international docking standard.
struct EnvelopeSpec {
  double closing_min = 0.05, closing_max = 0.10;
  double lateral_speed = 0.04;
  double offset = 0.10;
  double tilt = 0.06981317007977318;  // 4°
  double roll = 0.06981317007977318;
  double rate = 0.0034906585039886592;  // 0.2 °/s

  static constexpr auto fields() {
    using P = EnvelopeSpec;
    return Schema{
        Field{"closing_min", &P::closing_min, unit::m_per_s, Range::any,
              "slowest along the port's axis, at first touch"},
        Field{"closing_max", &P::closing_max, unit::m_per_s, Range::positive, "fastest likewise"},
        Field{"lateral_speed", &P::lateral_speed, unit::m_per_s, Range::positive, "across it"},
        Field{"offset", &P::offset, unit::metre, Range::positive, "beside the axis"},
        Field{"tilt", &P::tilt, unit::rad, Range::positive, "between the two axes"},
        Field{"roll", &P::roll, unit::rad, Range::positive, "about the axis"},
        Field{"rate", &P::rate, unit::rad_per_s, Range::positive, "of turning against each other"},
    };
  }
};

struct CaptureSpec {
  std::string name;
  std::vector<PortRef> between;
  std::vector<ContactRef> contacts;
  DockRef soft, dock;
  EnvelopeSpec envelope;
  double zone_depth = 0.05, zone_radius = 0.05;
  double hard_gap = 0.01, hard_lateral = 0.01, hard_tilt = 0.0174532925199433, hard_speed = 0.002;
  double hard_hold = 0;
  double force_max = 0;
  double mouth_depth = 0, mouth_radius = 0, bounce_distance = 0.5;
  double give_up_after = 0;
  bool stop = false;

  static constexpr auto fields() {
    using P = CaptureSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what its channels and events begin with",
              required},
        Field{"between", &P::between, unit::none, Range::any,
              "the probe's port and the port that takes it in", required},
        Field{"contacts", &P::contacts, unit::none, Range::any,
              "that count as touching; their force is watched"},
        Field{"soft", &P::soft, unit::none, Range::any,
              "of springs, that draws the craft together, from soft capture on"},
        Field{"dock", &P::dock, unit::none, Range::any, "that joins for good", required},
        Field{"envelope", &P::envelope, unit::none, Range::any, "motion that is allowed"},
        Field{"zone_depth", &P::zone_depth, unit::metre, Range::any,
              "soft capture when the probe's port is less than this before the other"},
        Field{"zone_radius", &P::zone_radius, unit::metre, Range::positive,
              "and less than this beside its axis"},
        Field{"hard_gap", &P::hard_gap, unit::metre, Range::positive,
              "hard dock when the ports are no farther apart"},
        Field{"hard_lateral", &P::hard_lateral, unit::metre, Range::positive, "nor beside"},
        Field{"hard_tilt", &P::hard_tilt, unit::rad, Range::positive, "nor tilted"},
        Field{"hard_speed", &P::hard_speed, unit::m_per_s, Range::positive, "nor faster"},
        Field{"hard_hold", &P::hard_hold, unit::second, Range::not_negative, "for so long"},
        Field{"force_max", &P::force_max, unit::newton, Range::not_negative,
              "overload: force at a contact or dock; 0 = no limit"},
        Field{"mouth_depth", &P::mouth_depth, unit::metre, Range::any,
              "missed: the probe's port passes the plane so far before the other …"},
        Field{"mouth_radius", &P::mouth_radius, unit::metre, Range::not_negative,
              "… farther than this from the axis; 0 = not judged"},
        Field{"bounce_distance", &P::bounce_distance, unit::metre, Range::positive,
              "bounced_off: after a touch, this far away again"},
        Field{"give_up_after", &P::give_up_after, unit::second, Range::not_negative,
              "missed: not captured by then; 0 = never"},
        Field{"stop", &P::stop, unit::none, Range::any, "end the run once captured"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth

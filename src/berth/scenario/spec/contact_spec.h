// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[contact]] as plain structs: a surface by its type with its own inputs, tables for what else has
// kinds, and what all contacts share.

#include <string>
#include <vector>

#include "berth/contact/list.h"
#include "berth/model/fields.h"

namespace berth {

enum class Release : unsigned char { repulsive, adhesive, bilateral };
constexpr auto keywords_of(Release) {
  return std::array{Keyword{"repulsive", "let go when the law would pull"},
                    Keyword{"adhesive", "let go when the probe is out"},
                    Keyword{"bilateral", "never let go, for studies of the loop"}};
}

enum class Feedback : unsigned char { vector, normal };
constexpr auto keywords_of(Feedback) {
  return std::array{Keyword{"vector", "the late force as it was"},
                    Keyword{"normal",
                            "its size along the normal of now, for a facility that knows the "
                            "surface"}};
}

enum class ContactStart : unsigned char { placed, equilibrium };
constexpr auto keywords_of(ContactStart) {
  return std::array{
      Keyword{"placed", "as the craft are placed, which may not overlap"},
      Keyword{
          "equilibrium",
          "touching, at the depth where the law carries what presses on it; the craft are moved"}};
}

struct ContactSpec {
  std::string name;
  std::vector<PortRef> between;
  VariantOf<Surfaces<double>>::type surface;
  VariantOf<Probes<double>>::type probe;
  VariantOf<ContactLaws<double>>::type law;
  VariantOf<Frictions<double>>::type friction;
  VariantOf<Compensations<double>>::type compensation;
  OneOf<Release> release;
  OneOf<Feedback> feedback;
  OneOf<ContactStart> start;
  double delay = 0;
  double sample_time = 0;
  double jitter = 0;
  int seed = 0;
  double robot_frequency = 0, robot_damping = 1;
  double filter_time = 0;

  static constexpr auto fields() {
    using P = ContactSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"between", &P::between, unit::none, Range::any,
              "the port of the probe, then the port of the surface", required},
        Field{"probe", &P::probe, unit::none, Range::any, "what touches; left out = a point"},
        Field{"law", &P::law, unit::none, Range::any,
              "along the normal: { type = \"spring_dashpot\", stiffness = … } or another",
              required},
        Field{"friction", &P::friction, unit::none, Range::any,
              "along the surface; a number is the coefficient of coulomb"},
        Field{"compensation", &P::compensation, unit::none, Range::any,
              "of the delay, by the facility"},
        Field{"release", &P::release, unit::none, Range::any, "when it lets go"},
        Field{"start", &P::start, unit::none, Range::any, "where it stands at the start"},
        Field{"delay", &P::delay, unit::second, Range::not_negative,
              "how late the force is fed back"},
        Field{"feedback", &P::feedback, unit::none, Range::any, "what of the late force acts"},
        Field{"sample_time", &P::sample_time, unit::second, Range::period,
              "measured so often and held; 0 = continuous"},
        Field{"jitter", &P::jitter, unit::second, Range::not_negative,
              "at most this much more delay, another for each sample"},
        Field{"seed", &P::seed, unit::none, Range::not_negative, "of the jitter"},
        Field{"robot_frequency", &P::robot_frequency, unit::rad_per_s, Range::not_negative,
              "of the robot's second-order lag; 0 = none"},
        Field{"robot_damping", &P::robot_damping, unit::none, Range::positive,
              "of the lag, by critical"},
        Field{"filter_time", &P::filter_time, unit::second, Range::not_negative,
              "of the force sensor's first-order filter; 0 = none"},
    };
  }
  static constexpr auto choice() { return Choice{"surface", &ContactSpec::surface}; }
  void check(const Surroundings& around, Findings& findings) const;
};

// [stability]: where the contact is linearised; left out, where the scenario first touches.
struct StabilitySpec {
  ContactRef contact;
  double contact_distance = 0;
  double azimuth = 0;
  double preload = 0;

  static constexpr auto fields() {
    using P = StabilitySpec;
    return Schema{
        Field{"contact", &P::contact, unit::none, Range::any,
              "that is analysed; default: the first"},
        Field{"contact_distance", &P::contact_distance, unit::metre, Range::not_negative,
              "of the point from the cone's apex, along the wall; 0 = where it first touches"},
        Field{"azimuth", &P::azimuth, unit::rad, Range::any,
              "of the point about the cone's axis: atan2(−y, z) in its port"},
        Field{"preload", &P::preload, unit::newton, Range::not_negative,
              "force with which the probe is pressed on"},
    };
  }
};

}  // namespace berth

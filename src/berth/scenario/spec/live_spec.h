// SPDX-License-Identifier: Apache-2.0
#pragma once

// [live] and [facility] as plain structs: how `berth live` goes with the clock, and the laboratory that
// `berth facility` emulates.

#include <optional>
#include <string>
#include <vector>

#include "berth/math/vec3.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

enum class Apply : unsigned char { latency, arrival };
constexpr auto keywords_of(Apply) {
  return std::array{
      Keyword{"latency", "an answer acts a latency after its tick; one that comes later does not"},
      Keyword{"arrival", "what has arrived acts at the next tick, whenever it was asked for"}};
}

enum class Overrun : unsigned char { stop, slip, catch_up };
constexpr auto keywords_of(Overrun) {
  return std::array{Keyword{"stop", "the run ends"},
                    Keyword{"slip", "all later ticks are moved by as much"},
                    Keyword{"catch_up", "later ticks follow faster until the schedule is met"}};
}

enum class Excess : unsigned char { stop, drop, clamp };
constexpr auto keywords_of(Excess) {
  return std::array{Keyword{"stop", "the run ends, all commands at zero"},
                    Keyword{"drop", "the answer is refused, as if none had come"},
                    Keyword{"clamp", "it is reduced to its limit"}};
}

struct LiveSpec {
  std::string external;
  OneOf<Apply> apply;
  OneOf<Overrun> overrun;
  OneOf<Excess> excess;
  double late_after = 0.1;

  static constexpr auto fields() {
    using P = LiveSpec;
    return Schema{
        Field{"external", &P::external, unit::none, Range::any,
              "that is served; default: the first"},
        Field{"apply", &P::apply, unit::none, Range::any, "when an answer acts"},
        Field{"overrun", &P::overrun, unit::none, Range::any,
              "what follows when a tick is late by a period or more"},
        Field{"excess", &P::excess, unit::none, Range::any,
              "what follows when a command exceeds its limit"},
        Field{"late_after", &P::late_after, unit::none, Range::positive,
              "part of a period after which a tick counts as late"},
    };
  }
};

// One of the two robots.
struct RobotSpec {
  std::string craft;
  Vec3<double> base;
  double reach = 0;
  double tilt = 0;

  static constexpr auto fields() {
    using P = RobotSpec;
    return Schema{
        Field{"craft", &P::craft, unit::none, Range::any, "whose mock-up it carries", required},
        Field{"base", &P::base, unit::metre, Range::any,
              "where it stands, laboratory axes, from the mock-up of the surface at the start"},
        Field{"reach", &P::reach, unit::metre, Range::not_negative,
              "largest distance of the mock-up's origin from its base; 0 = no limit"},
        Field{"tilt", &P::tilt, unit::rad, Range::not_negative,
              "largest rotation of the mock-up from its attitude at the start; 0 = no limit"},
    };
  }
};

// The force and torque sensor between robot and mock-up of the probe.
struct ForceSensorSpec {
  Vec3<double> position;
  Vec3<double> euler;
  double sign = 1;
  bool tare = true;
  bool compensate = true;
  double mass = 0;
  Vec3<double> centre_of_mass;
  double mass_error = 0;
  Vec3<double> bias, torque_bias;
  double noise = 0, torque_noise = 0;
  double filter_time = 0;

  static constexpr auto fields() {
    using P = ForceSensorSpec;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any,
              "of the sensor on the craft of the probe, body axes"},
        Field{"euler", &P::euler, unit::rad, Range::any,
              "attitude of its axes against those of the body: 3-2-1"},
        Field{"sign", &P::sign, unit::none, Range::any,
              "1: it reads what acts on the mock-up, -1: what the mock-up does to it"},
        Field{"tare", &P::tare, unit::none, Range::any, "set to zero when the run is armed"},
        Field{"compensate", &P::compensate, unit::none, Range::any,
              "weight and inertia of the mock-up are taken out of what it reads"},
        Field{"mass", &P::mass, unit::kg, Range::not_negative,
              "of the mock-up in front of the sensor"},
        Field{"centre_of_mass", &P::centre_of_mass, unit::metre, Range::any,
              "of the mock-up, body axes"},
        Field{"mass_error", &P::mass_error, unit::none, Range::any,
              "of the mass that compensation assumes: part of it"},
        Field{"bias", &P::bias, unit::newton, Range::any, "of the force, sensor axes"},
        Field{"torque_bias", &P::torque_bias, unit::N_m, Range::any, "of the torque, sensor axes"},
        Field{"noise", &P::noise, unit::newton, Range::not_negative,
              "standard deviation of each component of the force"},
        Field{"torque_noise", &P::torque_noise, unit::N_m, Range::not_negative,
              "standard deviation of each component of the torque"},
        Field{"filter_time", &P::filter_time, unit::second, Range::not_negative,
              "of its first-order filter; 0 = none"},
    };
  }
};

struct FacilitySpec {
  double delay = 0, jitter = 0;
  double answer_delay = 0, answer_jitter = 0;
  int seed = 0;
  double robot_frequency = 0, robot_damping = 1;
  double max_speed = 0, max_rate = 0;
  double share = 0;
  Vec3<double> gravity{0, 0, -9.81};
  std::optional<double> stiffness, damping, friction;
  std::vector<RobotSpec> robot;
  ForceSensorSpec sensor;

  static constexpr auto fields() {
    using P = FacilitySpec;
    return Schema{
        Field{"delay", &P::delay, unit::second, Range::not_negative,
              "dead time of the robots: they make so late what they are commanded"},
        Field{"jitter", &P::jitter, unit::second, Range::not_negative,
              "at most this much more dead time, another at each tick"},
        Field{"answer_delay", &P::answer_delay, unit::second, Range::not_negative,
              "of the clock before an answer is sent; not in lockstep"},
        Field{"answer_jitter", &P::answer_jitter, unit::second, Range::not_negative,
              "at most this much more, another for each answer; not in lockstep"},
        Field{"seed", &P::seed, unit::none, Range::not_negative, "of jitter and noise"},
        Field{"robot_frequency", &P::robot_frequency, unit::rad_per_s, Range::not_negative,
              "of the second-order lag of both robots; 0 = none"},
        Field{"robot_damping", &P::robot_damping, unit::none, Range::positive,
              "of the lag, by critical"},
        Field{"max_speed", &P::max_speed, unit::m_per_s, Range::not_negative,
              "of a robot; 0 = no limit"},
        Field{"max_rate", &P::max_rate, unit::rad_per_s, Range::not_negative,
              "of a robot's attitude; 0 = no limit"},
        Field{"share", &P::share, unit::none, Range::not_negative,
              "part of the relative translation that the robot of the surface makes"},
        Field{"gravity", &P::gravity, unit::m_per_s2, Range::any,
              "in the laboratory, whose axes are those of N"},
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::positive,
              "of the mock-ups' contact; default: that of the contact's law"},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative,
              "likewise of spring_dashpot"},
        Field{"friction", &P::friction, unit::none, Range::not_negative,
              "coefficient of coulomb; default: the friction of the contact"},
        Field{"robot", &P::robot, unit::none, Range::any, "limits of the two robots"},
        Field{"sensor", &P::sensor, unit::none, Range::any, "that measures force and torque"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// [time], [integrator], [orbit], [gravity], [record] and [expect] as plain structs: how a scenario is run
// and what must come out.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/model/fields.h"
#include "berth/model/findings.h"
#include "berth/run/methods.h"
#include "berth/run/options.h"

namespace berth {

struct TimeSpec {
  double stop = 0;

  static constexpr auto fields() {
    using P = TimeSpec;
    return Schema{
        Field{"stop", &P::stop, unit::second, Range::positive, "when the run ends", required},
    };
  }
};

enum class ErrorMeasure : unsigned char { largest, mean };
constexpr auto keywords_of(ErrorMeasure) {
  return std::array{Keyword{"largest", "of all states, a step held to a tenth of the tolerance"},
                    Keyword{"mean",
                            "root mean square, a step held to the whole tolerance, as in the "
                            "literature"}};
}

struct IntegratorSpec {
  std::string method = "dop853";
  double tolerance = 1e-10;
  OneOf<ErrorMeasure> norm;
  double step = 0;
  double max_step = 0;
  int max_steps = kMostStepsTried;
  int max_events = kMaxEvents;
  double max_wall_time = 0;

  static constexpr auto fields() {
    using P = IntegratorSpec;
    return Schema{
        Field{"method", &P::method, unit::none, Range::any,
              std::string_view(kMethodText.data(), kMethodText.size())},
        Field{"tolerance", &P::tolerance, unit::none, Range::positive,
              "error relative to 1 m, 1 rad, 1 m/s, 1 rad/s plus the state; a step is held to a "
              "tenth"},
        Field{"norm", &P::norm, unit::none, Range::any, "of the errors of all states"},
        Field{"step", &P::step, unit::second, Range::not_negative, "step of fixed-step methods"},
        Field{"max_step", &P::max_step, unit::second, Range::not_negative,
              "longest step; 0 = no limit"},
        Field{"max_steps", &P::max_steps, unit::none, Range::positive,
              "steps tried before the run ends as too_many_steps"},
        Field{"max_events", &P::max_events, unit::none, Range::positive,
              "events before it ends as too_many_events"},
        Field{"max_wall_time", &P::max_wall_time, unit::second, Range::not_negative,
              "of the clock before it ends as out_of_time; 0 = no limit; of single runs alone"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

// Elements or position and velocity, not both.
struct OrbitSpec {
  std::optional<Vec3<double>> position, velocity;
  std::optional<double> semi_major_axis, altitude;
  double eccentricity = 0, inclination = 0, node = 0, periapsis = 0, anomaly = 0;

  double mu = 3.986004415e14;
  double j2 = 0;
  double equatorial_radius = 6378136.3;
  bool gravity_gradient = true;

  static constexpr auto fields() {
    using P = OrbitSpec;
    return Schema{
        Field{"mu", &P::mu, unit::m3_per_s2, Range::positive, "gravitational parameter"},
        Field{"j2", &P::j2, unit::none, Range::any, "oblateness coefficient; 0 = sphere"},
        Field{"equatorial_radius", &P::equatorial_radius, unit::metre, Range::positive,
              "radius that goes with j2 and altitude"},
        Field{"gravity_gradient", &P::gravity_gradient, unit::none, Range::any,
              "gravity-gradient torque on every body"},
        Field{"position", &P::position, unit::metre, Range::any,
              "reference point from the Earth's centre, N axes"},
        Field{"velocity", &P::velocity, unit::m_per_s, Range::any, "its velocity, N axes"},
        Field{"semi_major_axis", &P::semi_major_axis, unit::metre, Range::positive,
              "instead of position and velocity"},
        Field{"altitude", &P::altitude, unit::metre, Range::any,
              "of a circular orbit above equatorial_radius, instead of semi_major_axis"},
        Field{"eccentricity", &P::eccentricity, unit::none, Range::not_negative, "below 1"},
        Field{"inclination", &P::inclination, unit::rad, Range::any, "of the orbit plane"},
        Field{"node", &P::node, unit::rad, Range::any, "right ascension of the ascending node"},
        Field{"periapsis", &P::periapsis, unit::rad, Range::any, "argument of periapsis"},
        Field{"anomaly", &P::anomaly, unit::rad, Range::any, "true anomaly at the start"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
  std::optional<double> find_semi_major_axis() const {
    return altitude ? equatorial_radius + *altitude : semi_major_axis;
  }
};

struct GravitySpec {
  Vec3<double> uniform;

  static constexpr auto fields() {
    using P = GravitySpec;
    return Schema{
        Field{"uniform", &P::uniform, unit::m_per_s2, Range::any, "acceleration of gravity",
              required},
    };
  }
};

// Names of channels; a trailing * stands for any ending.
inline bool fits_channel(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

struct RecordGroupSpec {
  std::string name;
  double interval = 0;
  std::vector<std::string> channels;

  static constexpr auto fields() {
    using P = RecordGroupSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "of the group", required},
        Field{"interval", &P::interval, unit::second, Range::positive, "between rows", required},
        Field{"channels", &P::channels, unit::none, Range::any,
              "names; a trailing * stands for any ending", required},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

struct RecordSpec {
  double interval = 0;
  std::vector<std::string> channels = {"*"};
  bool at_events = true;
  bool scene = true;
  std::vector<RecordGroupSpec> group;

  static constexpr auto fields() {
    using P = RecordSpec;
    return Schema{
        Field{"interval", &P::interval, unit::second, Range::not_negative,
              "between rows; 0 = a thousandth of the run"},
        Field{"channels", &P::channels, unit::none, Range::any,
              "names; a trailing * stands for any ending"},
        Field{"at_events", &P::at_events, unit::none, Range::any, "a row at every event too"},
        Field{"scene", &P::scene, unit::none, Range::any,
              "poses of all bodies too, for the 3-D view of the report"},
        Field{"group", &P::group, unit::none, Range::any, "channels at another rate"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

// What must come out; left out = not asked.
struct ExpectSpec {
  std::optional<std::string> verdict, outcome;
  std::optional<double> energy, linear_momentum, angular_momentum;
  std::optional<double> force_peak_max, torque_peak_max;
  std::optional<double> violation_position_max, violation_attitude_max;
  std::vector<std::string> final;

  static constexpr auto fields() {
    using P = ExpectSpec;
    return Schema{
        Field{"verdict", &P::verdict, unit::none, Range::any, "what an event says of the run"},
        Field{"outcome", &P::outcome, unit::none, Range::any, "how the run ends"},
        Field{"energy", &P::energy, unit::none, Range::positive, "largest energy audit"},
        Field{"linear_momentum", &P::linear_momentum, unit::none, Range::positive,
              "largest linear momentum audit"},
        Field{"angular_momentum", &P::angular_momentum, unit::none, Range::positive,
              "largest angular momentum audit"},
        Field{"force_peak_max", &P::force_peak_max, unit::newton, Range::positive,
              "largest force at any dock or contact"},
        Field{"torque_peak_max", &P::torque_peak_max, unit::N_m, Range::positive,
              "largest torque at any dock"},
        Field{"violation_position_max", &P::violation_position_max, unit::metre, Range::positive,
              "largest violation of any dock"},
        Field{"violation_attitude_max", &P::violation_attitude_max, unit::rad, Range::positive,
              "largest violation of any dock"},
        Field{"final", &P::final, unit::none, Range::any,
              "conditions on channels that hold at the end"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth

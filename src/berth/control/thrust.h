// SPDX-License-Identifier: Apache-2.0
#pragma once

// Thrust — a wanted force over time along a fixed direction: burns, separations.
//
//   f = F(t) d̂,   d̂ in body, inertial or LVLH axes, through `centre`                              (1)
//
// asked of a thruster set; without one it acts from outside.

#include "berth/control/control_part.h"

namespace berth {

enum class ThrustAxes : unsigned char { body, inertial, lvlh };
constexpr auto keywords_of(ThrustAxes) {
  return std::array{Keyword{"body", "the body's own"}, Keyword{"inertial", "N"},
                    Keyword{"lvlh", "of the reference orbit: x V-bar, z nadir"}};
}

template <Scalar T>
struct Thrust : ControlPart {
  static constexpr std::string_view type = "thrust";

  MovingBodyRef body;
  ThrusterRef thrusters;
  OneOf<ThrustAxes> axes;
  Vec3<T> direction{1.0, 0.0, 0.0};
  Profile<T> force;  // F(t)
  Vec3<T> centre;
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using A = Thrust;
    return Schema{
        Field{"body", &A::body, unit::none, Range::any, "body that is pushed", required},
        Field{"thrusters", &A::thrusters, unit::none, Range::any, "to use; none = an ideal force"},
        Field{"axes", &A::axes, unit::none, Range::any, "of the direction"},
        Field{"direction", &A::direction, unit::none, Range::unit_vector, "of the force"},
        Field{"force", &A::force, unit::newton, Range::any, "its size over time: a profile",
              required},
        Field{"centre", &A::centre, unit::metre, Range::any,
              "where it shall act, body axes: the centre of mass of what is pushed"},
        Field{"sample_time", &A::sample_time, unit::second, Range::period,
              "period; 0 = continuous"},
        Field{"latency", &A::latency, unit::second, Range::not_negative, "from command to thrust",
              of_samples},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    check_latency(latency, sample_time, findings);
    if (axes == ThrustAxes::lvlh && !around.has_orbit)
      findings.add("axes", "\"lvlh\" needs an [orbit]");
  }
  void bind(const Model<T>&, Findings&) { along = normalised(direction); }
  void rotate_world(const Mat3<T>& R) {
    if (axes == ThrustAxes::inertial) direction = R * direction;
  }
  int pushed_body() const { return body.index; }
  int thruster_set() const { return thrusters.index; }
  bool pushes_from_outside() const { return thrusters.index < 0; }

  int output_count() const { return 3; }
  void find_output(const Instant<T>& now, const T*, T* out) const {
    const Mat3<T>& R_NB = now.body(body.index).R_NB;
    Vec3<T> d = along;
    if (axes == ThrustAxes::lvlh) d = transposed_times(R_NB, now.motion.orbit.R_NL() * along);
    if (axes == ThrustAxes::inertial) d = transposed_times(R_NB, along);
    const T size = force.at(now.motion.t, now.motion.t_from).value;
    for (int k = 0; k < 3; ++k) out[k] = size * d[k];  // (1)
  }
  void apply(const T* out, Command<T>& command) const {
    const Vec3<T> f{out[0], out[1], out[2]};
    Wrench<T>& to = thrusters.index >= 0
                        ? command.thrusters[static_cast<std::size_t>(thrusters.index)]
                        : command.loads[static_cast<std::size_t>(body.index)];
    to += Wrench<T>{cross(centre, f), f};
  }
  void add_times(std::vector<double>& times) const { force.add_times(times); }

  template <class Emit>
  void channels(const Instant<T>&, const T* out, Emit&& f) const {
    f("force", unit::newton, "B", "asked of the thrusters", Kind::smooth, Needs::loads, [&] {
      return Vec3<T>{out[0], out[1], out[2]};
    });
  }

  Vec3<T> along;  // d̂
};

}  // namespace berth

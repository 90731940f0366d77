// SPDX-License-Identifier: Apache-2.0
#pragma once

// Thrust — a wanted force over time along a fixed direction: burns, separations.
//
//   f = F(t) d̂,   d̂ in body, inertial or LVLH axes, through `centre`                              (1)
//
// asked of a thruster set; without one it acts from outside.

#include "berth/control/profile.h"

namespace berth {

template <Scalar T>
struct Thrust {
  static constexpr std::string_view type = "thrust";

  std::string body;
  std::string thrusters;
  std::string axes = "body";
  Vec3<T> direction{1.0, 0.0, 0.0};
  Profile<T> force;  // F(t)
  Vec3<T> centre;
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using A = Thrust;
    return std::tuple{
        Field{"body", &A::body, unit::none, Range::any, "body that is pushed", required},
        Field{"thrusters", &A::thrusters, unit::none, Range::any,
              "thruster set to use; none = an ideal force"},
        Field{"axes", &A::axes, unit::none, Range::any,
              "of the direction: body | inertial | lvlh (x V-bar, z nadir)"},
        Field{"direction", &A::direction, unit::none, Range::unit_vector, "of the force"},
        Field{"force", &A::force, unit::newton, Range::any, "its size over time: a profile",
              required},
        Field{"centre", &A::centre, unit::metre, Range::any,
              "where it shall act, body axes: the centre of mass of what is pushed"},
        Field{"sample_time", &A::sample_time, unit::second, Range::not_negative,
              "period; 0 = continuous"},
        Field{"latency", &A::latency, unit::second, Range::not_negative, "from word to deed"},
    };
  }

  void bind(const Model<T>& model) {
    index = model.find_body(body);
    if (index < 0) throw std::invalid_argument("thrust: no body named " + body);
    if (axes != "body" && axes != "inertial" && axes != "lvlh")
      throw std::invalid_argument("thrust: axes is body, inertial or lvlh, not " + axes);
    force.check();
    along = normalised(direction);
  }
  void turn_world(const Mat3<T>& R) {
    if (axes == "inertial") direction = R * direction;
  }

  int state_count() const { return 0; }
  int output_count() const { return 3; }
  void find_output(const Instant<T>& now, const T*, T* out) const {
    const Mat3<T>& R_NB = now.body(index).R_NB;
    Vec3<T> d = along;
    if (axes[0] == 'l') d = transposed_times(R_NB, now.motion.orbit.R_NL() * along);
    if (axes[0] == 'i') d = transposed_times(R_NB, along);
    const T size = force.at(now.motion.t, now.motion.t_from).value;
    for (int k = 0; k < 3; ++k) out[k] = size * d[k];  // (1)
  }
  void find_state_rate(const Instant<T>&, const T*, T*) const {}
  void apply(const T* out, Command<T>& command) const {
    const Vec3<T> f{out[0], out[1], out[2]};
    Wrench<T>& to = thruster_set >= 0 ? command.thrusters[static_cast<std::size_t>(thruster_set)]
                                      : command.loads[static_cast<std::size_t>(index)];
    to += Wrench<T>{cross(centre, f), f};
  }
  void add_times(std::vector<double>& times) const { force.add_times(times); }

  template <class Tell>
  void tell(const Instant<T>&, const T* out, Tell&& f) const {
    f("force", unit::newton, "B", "asked of the thrusters", Kind::smooth, Needs::loads, [&] {
      return Vec3<T>{out[0], out[1], out[2]};
    });
  }

  std::string name;     // what events and channels call it
  bool enabled = true;  // switched by events
  int index = 0;
  int thruster_set = -1;
  Vec3<T> along;
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// RelativePose — a camera or lidar: where a port of one craft is against a port of another.
//
//   position    ρ of relative_motion.h                               F axes                     (1)
//   velocity    ρ̇ likewise                                           seen in F, F axes          (2)
//   attitude    rotation vector of the craft from mated              its own body axes          (3)
//   reading     (1) + bias + noise,  (2) + noise,  (3) + bias + noise                           (4)
//
// It sits at P1 and sees P2 within its range, and within `field_of_view` of the outward axis x of P1.

#include "berth/model/constraint.h"
#include "berth/model/relative_motion.h"
#include "berth/sensors/sensor_part.h"

namespace berth {

template <Scalar T>
struct RelativePose : SensorPart {
  static constexpr std::string_view type = "relative_pose";
  static constexpr std::array readings{
      Reading{"position", 3, unit::metre, "of the port from the other"},
      Reading{"velocity", 3, unit::m_per_s, "its rate, seen in the axes it is measured in"},
      Reading{"attitude", 3, unit::rad, "rotation vector from mated, body axes"},
  };

  std::vector<PortRef> between;
  OneOf<RelativeAxes> axes;
  double sample_time = 0;
  double latency = 0;
  Vec3<T> bias;
  Vec3<T> bias_attitude;
  double noise_position = 0, noise_velocity = 0, noise_attitude = 0;
  double field_of_view = 0;
  double range_min = 0, range_max = 0;
  double dropout = 0;
  int seed = 0;

  static constexpr auto fields() {
    using P = RelativePose;
    return Schema{
        Field{"between", &P::between, unit::none, Range::any,
              "the port it sits at, and the port of the other craft", required},
        Field{"axes", &P::axes, unit::none, Range::any, "of position and velocity"},
        Field{"sample_time", &P::sample_time, unit::second, Range::period,
              "from reading to reading; 0 = continuous, ideal"},
        Field{"latency", &P::latency, unit::second, Range::not_negative,
              "from measurement to reading", of_samples},
        Field{"bias", &P::bias, unit::metre, Range::any, "of the position"},
        Field{"bias_attitude", &P::bias_attitude, unit::rad, Range::any, "of the attitude"},
        Field{"noise_position", &P::noise_position, unit::metre, Range::not_negative,
              "standard deviation per axis", of_samples},
        Field{"noise_velocity", &P::noise_velocity, unit::m_per_s, Range::not_negative, "likewise",
              of_samples},
        Field{"noise_attitude", &P::noise_attitude, unit::rad, Range::not_negative, "likewise",
              of_samples},
        Field{"field_of_view", &P::field_of_view, unit::rad, Range::not_negative,
              "half angle about the outward axis of its port; 0 = all around"},
        Field{"range_min", &P::range_min, unit::metre, Range::not_negative,
              "nearer, it sees nothing"},
        Field{"range_max", &P::range_max, unit::metre, Range::not_negative,
              "farther, it sees nothing; 0 = no limit"},
        Field{"dropout", &P::dropout, unit::none, Range::not_negative,
              "probability that a reading is lost", of_samples},
        Field{"seed", &P::seed, unit::none, Range::not_negative, "of noise and dropouts",
              of_samples},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    check_sampling(sample_time, latency,
                   noise_position + noise_velocity + noise_attitude + field_of_view + range_min +
                           range_max + dropout >
                       0,
                   findings);
    check_dropout(dropout, findings);
    if (between.size() != 2)
      findings.add("between", "two ports are needed, not " + std::to_string(between.size()));
    if (axes == RelativeAxes::lvlh && !around.has_orbit)
      findings.add("axes", "\"lvlh\" needs an [orbit]");
    if (range_max > 0 && range_min >= range_max)
      findings.add("range_min", shown(range_min) + " m is not below range_max");
  }
  void bind(const Model<T>& model, Findings& findings) {
    port_1 = model.port(between[0].index);
    port_2 = model.port(between[1].index);
    if (model.root_of(port_1.body) == model.root_of(port_2.body))
      findings.add("between", "both ports are on one craft");
    R_mated = mated_attitude(port_2, port_1);
  }
  // Also asked of one that has no ports, when a file is checked.
  std::string axes_name() const {
    return axes == RelativeAxes::lvlh || between.size() < 2 ? "lvlh" : between[1].name;
  }

  void measure(const Instant<T>& now, T* out) const {
    const BodyMotion<T>&b1 = now.body(port_1.body), &b2 = now.body(port_2.body);
    const RelativeMotion<T> r = find_relative_motion(now, port_1, port_2, axes);
    const Vec3<T> off = rotation_vector(quaternion(transpose(b2.R_NB * R_mated) * b1.R_NB));
    const Vec3<T> all[] = {r.rho_F + bias, r.rho_dot_F, off + bias_attitude};
    for (const Vec3<T>& reading : all)
      for (int k = 0; k < 3; ++k) *out++ = reading[k];
  }

  bool sample(const Instant<T>& now, std::uint64_t number, T*, T* out) const {
    const auto source = static_cast<std::uint64_t>(seed);
    measure(now, out);
    const double noise[] = {noise_position, noise_velocity, noise_attitude};
    for (std::uint32_t j = 0; j < 9; ++j)
      out[j] += find_normal(source, number, j) * noise[j / 3];  // (4)
    return sees(now) && !(dropout > 0 && find_uniform(source, number, 9) < dropout);
  }

  // P2 from P1, against the outward axis.
  bool sees(const Instant<T>& now) const {
    const BodyMotion<T>&b1 = now.body(port_1.body), &b2 = now.body(port_2.body);
    const Vec3<T> to =
        (b2.r_BN_N + b2.R_NB * port_2.r_PB_B) - (b1.r_BN_N + b1.R_NB * port_1.r_PB_B);
    const T range = norm(to), along = dot(b1.R_NB * port_1.R_BP.column_x(), to);
    if (range < range_min || (range_max > 0 && range > range_max)) return false;
    return !(field_of_view > 0) || along >= range * cos(std::min(field_of_view, M_PI));
  }

  Port<T> port_1, port_2;
  Mat3<T> R_mated;  // attitude of the craft in the other when mated
};

}  // namespace berth

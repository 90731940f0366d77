// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gyro — the angular velocity of a body.
//
//   reading   ω + b + w + n                  body axes                                          (1)
//   drift     w ← w + σ_w √(Δt / 1 h) ξ      ξ normal, once per sample: a random walk           (2)
//
// b is the bias, n normal noise. After one hour w has the standard deviation σ_w.

#include "berth/sensors/sensor_part.h"

namespace berth {

template <Scalar T>
struct Gyro : SensorPart {
  static constexpr std::string_view type = "gyro";
  static constexpr std::array readings{
      Reading{"rate", 3, unit::rad_per_s, "angular velocity, as it is read"},
  };

  MovingBodyRef body;
  double sample_time = 0;
  double latency = 0;
  Vec3<T> bias;
  double noise = 0;
  double walk = 0;
  double dropout = 0;
  int seed = 0;

  static constexpr auto fields() {
    using P = Gyro;
    return Schema{
        Field{"body", &P::body, unit::none, Range::any, "body it is on", required},
        Field{"sample_time", &P::sample_time, unit::second, Range::period,
              "from reading to reading; 0 = continuous, ideal"},
        Field{"latency", &P::latency, unit::second, Range::not_negative,
              "from measurement to reading", of_samples},
        Field{"bias", &P::bias, unit::rad_per_s, Range::any, "at the start, body axes"},
        Field{"noise", &P::noise, unit::rad_per_s, Range::not_negative,
              "standard deviation per axis", of_samples},
        Field{"walk", &P::walk, unit::rad_per_s, Range::not_negative,
              "random walk of the bias: its standard deviation after one hour, per axis",
              of_samples},
        Field{"dropout", &P::dropout, unit::none, Range::not_negative,
              "probability that a reading is lost", of_samples},
        Field{"seed", &P::seed, unit::none, Range::not_negative, "of noise, walk and dropouts",
              of_samples},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    check_sampling(sample_time, latency, noise + walk + dropout > 0, findings);
    check_dropout(dropout, findings);
  }
  void bind(const Model<T>&, Findings&) {}
  std::string axes_name() const { return body.name; }
  int state_count() const { return 3; }

  void measure(const Instant<T>& now, T* out) const {
    const BodyMotion<T>& b = now.body(body.index);
    const Vec3<T> omega = transposed_times(b.R_NB, b.omega_BN_N) + bias;
    for (int k = 0; k < 3; ++k) out[k] = omega[k];
  }

  bool sample(const Instant<T>& now, std::uint64_t number, T* z, T* out) const {
    constexpr double hour = 3600;  // [s]
    const auto source = static_cast<std::uint64_t>(seed);
    measure(now, out);
    for (std::uint32_t k = 0; k < 3; ++k) {
      out[k] += z[k] + find_normal(source, number, k) * noise;                            // (1)
      z[k] += find_normal(source, number, 3 + k) * walk * std::sqrt(sample_time / hour);  // (2)
    }
    return !(dropout > 0 && find_uniform(source, number, 9) < dropout);
  }
};

}  // namespace berth

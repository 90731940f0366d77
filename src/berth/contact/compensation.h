// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compensation — what a facility does to a force that arrives h late before it feeds it back.
//
//   none
//   lead        f + h ḟ, ḟ from the last two samples
//   passivity   an observer adds up the energy the contact has given; a controller brakes along the
//               whole tip velocity as soon as that would become positive
//   model       the force of a spring–dashpot of estimated k, b on the known surface, now; what is
//               measured is not used
//
// lead and passivity work from sample to sample and need a sample_time. Each states what it does:
//
//   extrapolates   extrapolate: a sample and the one before => what is sent
//   brakes         find_brake: energy given by the next sample => force against the tip velocity
//   has_model      find_force: penetration => the f_n that takes the place of what was measured

#include "berth/contact/law.h"
#include "berth/contact/signal.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct NoCompensation {
  static constexpr std::string_view type = "none";
  static constexpr bool needs_samples = false, extrapolates = false, brakes = false,
                        has_model = false;
  static constexpr auto fields() { return Schema{}; }
};

template <Scalar T>
struct LeadCompensation {
  static constexpr std::string_view type = "lead";
  static constexpr bool needs_samples = true, extrapolates = true, brakes = false,
                        has_model = false;

  double time = 0;

  static constexpr auto fields() {
    using P = LeadCompensation;
    return Schema{
        Field{"time", &P::time, unit::second, Range::not_negative, "h of the lead; 0 = the delay"},
    };
  }

  ContactSignal<T> extrapolate(const ContactSignal<T>& now, const ContactSignal<T>& before,
                               double delay, double sample_time) const {
    const double h = select(time > 0, time, delay);
    return now + T(h / sample_time) * (now - before);
  }
};

template <Scalar T>
struct PassivityCompensation {
  static constexpr std::string_view type = "passivity";
  static constexpr bool needs_samples = true, extrapolates = false, brakes = true,
                        has_model = false;
  static constexpr auto fields() { return Schema{}; }

  // For `given` [J] until the next sample: −(given/(|v|² sample_time)) v, if it is positive.
  Vec3<T> find_brake(const T& given, const Vec3<T>& v_N, double sample_time) const {
    const T way = norm_squared(v_N) * sample_time;
    const T gain = max(given, T(0.0)) / select(way > T(0.0), way, T(1.0));
    return -select(way > T(0.0), gain, T(0.0)) * v_N;
  }
};

template <Scalar T>
struct ModelCompensation {
  static constexpr std::string_view type = "model";
  static constexpr bool needs_samples = false, extrapolates = false, brakes = false,
                        has_model = true;

  T stiffness{};
  T damping{};

  static constexpr auto fields() {
    using P = ModelCompensation;
    return Schema{
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::positive, "estimated k", required},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative, "estimated b"},
    };
  }

  T find_force(const Penetration<T>& p) const { return -(stiffness * p.depth) - damping * p.rate; }
};

}  // namespace berth

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
// lead and passivity work from sample to sample and need a sample_time.

#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct NoCompensation {
  static constexpr std::string_view type = "none";
  static constexpr auto fields() { return std::tuple{}; }
};

template <Scalar T>
struct LeadCompensation {
  static constexpr std::string_view type = "lead";

  double time = 0;

  static constexpr auto fields() {
    using P = LeadCompensation;
    return std::tuple{
        Field{"time", &P::time, unit::second, Range::not_negative, "h of the lead; 0 = the delay"},
    };
  }
};

template <Scalar T>
struct PassivityCompensation {
  static constexpr std::string_view type = "passivity";
  static constexpr auto fields() { return std::tuple{}; }
};

template <Scalar T>
struct ModelCompensation {
  static constexpr std::string_view type = "model";

  T stiffness{};
  T damping{};

  static constexpr auto fields() {
    using P = ModelCompensation;
    return std::tuple{
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::positive, "estimated k", required},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative, "estimated b"},
    };
  }
};

template <Scalar T>
using Compensations = PartList<NoCompensation<T>, LeadCompensation<T>, PassivityCompensation<T>,
                               ModelCompensation<T>>;

}  // namespace berth

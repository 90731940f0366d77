// SPDX-License-Identifier: Apache-2.0
#pragma once

// Friction — what opposes sliding, never more than μ |f_n|.
//
//   none
//   coulomb   −μ |f_n| tanh(|v|/v_s) v̂          smooth about rest, where it lets a load creep     (1)
//   stick     as coulomb with v_s/5 while sliding; slower than v_s the point is anchored,
//             −k_t s − c_t v   with s the way from the anchor                                     (2)
//             until that exceeds μ |f_n|
//
// (2) starts from s = 0, so the spring only gives back what it took: both are passive.

#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct NoFriction {
  static constexpr std::string_view type = "none";
  static constexpr auto fields() { return std::tuple{}; }
};

template <Scalar T>
struct Coulomb {
  static constexpr std::string_view type = "coulomb";

  T coefficient{};
  T speed{5e-4};

  static constexpr auto fields() {
    using P = Coulomb;
    return std::tuple{
        Field{"coefficient", &P::coefficient, unit::none, Range::not_negative, "μ", required},
        Field{"speed", &P::speed, unit::m_per_s, Range::positive, "v_s, below which it fades"},
    };
  }
};

template <Scalar T>
struct Stick {
  static constexpr std::string_view type = "stick";

  T coefficient{};
  T speed{5e-4};
  T stiffness{};
  T damping{};

  static constexpr auto fields() {
    using P = Stick;
    return std::tuple{
        Field{"coefficient", &P::coefficient, unit::none, Range::not_negative, "μ", required},
        Field{"speed", &P::speed, unit::m_per_s, Range::positive,
              "v_s, below which the point is anchored"},
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::not_negative,
              "k_t of the anchor; 0 = that of the law"},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative,
              "c_t of the anchor; 0 = its stiffness times 0.02 s"},
    };
  }
};

template <Scalar T>
using Frictions = PartList<NoFriction<T>, Coulomb<T>, Stick<T>>;

// (1), for a normal force of this size.
template <Scalar T>
Vec3<T> find_sliding_force(const T& limit, const T& v_s, const Vec3<T>& v) {
  const T speed = sqrt(norm_squared(v) + 1e-30);
  const T e = exp(-2.0 * speed / v_s);
  return (-limit * (1.0 - e) / ((1.0 + e) * speed)) * v;
}

}  // namespace berth

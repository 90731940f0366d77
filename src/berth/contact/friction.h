// SPDX-License-Identifier: Apache-2.0
#pragma once

// Friction — what opposes sliding, never more than μ |f_n|. v is the slip velocity: that of the one
// body's material against the other's at the point of contact, along the surface.
//
//   none
//   coulomb   −μ |f_n| tanh(|v|/v_s) v̂          smooth about rest, where it lets a load creep     (1)
//   stick     slides with −μ |f_n| tanh(|v|/(0.2 v_s)) v̂, and sticks once |v| < v_s               (2)
//             sticks with −k_t P s − c_t v,  ṡ = v,  P = 1 − n̂n̂ᵀ,  and slides once it exceeds μ |f_n|   (3)
//
// find_sliding_force takes |f_n| as `press`. Of a contact that ends where f_n does, it is −f_n, which goes
// on smoothly after the end: a step that reaches beyond it need not be made again, it is cut there.
//
// s is the slip since it sticks, a state of the contact: what rolls does not slip, and is not held
// back. The spring of (3) gives −d/dt ½ k_t |s|²: it gives back what it took, and all are passive.

#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

// (1), for a limit μ |f_n|.
template <Scalar T>
Vec3<T> find_sliding_force(const T& limit, const T& v_s, const Vec3<T>& v) {
  const T speed = sqrt(norm_squared(v) + 1e-30);
  const T e = exp(-2.0 * min(speed / v_s, T(50.0)));  // beyond which tanh is 1
  return (-limit * (1.0 - e) / ((1.0 + e) * speed)) * v;
}

template <Scalar T>
struct NoFriction {
  static constexpr std::string_view type = "none";
  static constexpr bool sticks = false;
  static constexpr auto fields() { return Schema{}; }

  T find_coefficient() const { return T(0.0); }
  Vec3<T> find_sliding_force(const T&, const Vec3<T>&) const { return {}; }
};

template <Scalar T>
struct Coulomb {
  static constexpr std::string_view type = "coulomb";
  static constexpr std::string_view by_number = "coefficient";  // friction = 0.3
  static constexpr bool sticks = false;

  T coefficient{};
  T speed{5e-4};

  static constexpr auto fields() {
    using P = Coulomb;
    return Schema{
        Field{"coefficient", &P::coefficient, unit::none, Range::not_negative, "μ", required},
        Field{"speed", &P::speed, unit::m_per_s, Range::positive, "v_s, below which it fades"},
    };
  }

  T find_coefficient() const { return coefficient; }
  Vec3<T> find_sliding_force(const T& press, const Vec3<T>& v) const {
    return berth::find_sliding_force(T(coefficient * press), speed, v);
  }
};

template <Scalar T>
struct Stick {
  static constexpr std::string_view type = "stick";
  static constexpr bool sticks = true;

  T coefficient{};
  T speed{5e-4};
  T stiffness{};
  T damping{};

  static constexpr auto fields() {
    using P = Stick;
    return Schema{
        Field{"coefficient", &P::coefficient, unit::none, Range::not_negative, "μ", required},
        Field{"speed", &P::speed, unit::m_per_s, Range::positive, "v_s, below which it sticks"},
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::not_negative,
              "k_t of the slip; 0 = that of the law"},
        Field{"damping", &P::damping, unit::N_s_per_m, Range::not_negative,
              "c_t of the slip; 0 = its stiffness times 0.02 s"},
    };
  }

  T find_coefficient() const { return coefficient; }
  Vec3<T> find_sliding_force(const T& press, const Vec3<T>& v) const {  // (2)
    return berth::find_sliding_force(T(coefficient * press), T(0.2 * speed), v);
  }

  // k_t, c_t on a law of this stiffness.
  T find_stiffness(const T& of_law) const { return select(stiffness > T(0.0), stiffness, of_law); }
  T find_damping(const T& of_law) const {
    return select(damping > T(0.0), damping, T(0.02 * find_stiffness(of_law)));
  }
  Vec3<T> find_sticking_force(const T& of_law, const Vec3<T>& s, const Vec3<T>& n,
                              const Vec3<T>& v) const {  // (3)
    return -find_stiffness(of_law) * (s - dot(s, n) * n) - find_damping(of_law) * v;
  }

  // ≥ 0 while it goes on sliding; sticking. Squares: smooth where a norm has a kink.
  T find_sliding_margin(const Vec3<T>& v) const { return norm_squared(v) - square(speed); }
  T find_sticking_margin(const T& f_n, const Vec3<T>& f_t) const {
    return square(coefficient * f_n) - norm_squared(f_t);
  }

  // s that goes on with the force f_t it slid with at v, while the spring holds no more than `taken`
  // [J], what friction has taken.
  Vec3<T> find_first_slip(const T& of_law, const Vec3<T>& f_t, const Vec3<T>& v,
                          const T& taken) const {
    const T k = find_stiffness(of_law), size = sqrt(norm_squared(f_t) + 1e-300);
    const T held = max(T(0.99 * size - find_damping(of_law) * norm(v)), T(0.0));
    const T stretch = min(T(held / k), sqrt(2.0 * max(taken, T(0.0)) / k));
    return (-stretch / size) * f_t;
  }
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dock — a constraint between two ports, and how it is enforced.
//
//   exact       multipliers λ with ψ̈ = 0, and projection after every step
//   reduced     the same motion from independent speeds alone (reduced_impl.h), and projection
//   baumgarte   multipliers with ψ̈ + 2β ψ̇ + α² ψ = 0; no projection                            (1)
//   penalty     λ = −(k ψ + c ψ̇ + k_I ∫ψ): a spring and damper, and an integral where asked    (2)
//   fused       the second hub is welded to the first body (or the first to the second): one tree
//
// The rows and their loads: closure.h.

#include <string>
#include <string_view>
#include <variant>

#include "berth/constraints/list.h"
#include "berth/model/lift.h"
#include "berth/system/closure.h"

namespace berth {

// In which pose ports are joined.
enum class Lock : unsigned char { nominal, current };
constexpr auto keywords_of(Lock) {
  return std::array{Keyword{"nominal", "the ports mated as designed"},
                    Keyword{"current", "the ports as they stand"}};
}

enum class Enforce : unsigned char { exact, reduced, baumgarte, penalty, fused };

constexpr auto keywords_of(Enforce) {
  return std::array{Keyword{"exact", "multipliers, no violation; projection after every step"},
                    Keyword{"reduced", "the same motion from independent speeds alone"},
                    Keyword{"baumgarte", "multipliers that lead a violation back to zero"},
                    Keyword{"penalty", "a spring and a damper, and an integral where asked"},
                    Keyword{"fused", "one body is welded to the other"}};
}
constexpr std::string_view name(Enforce e) { return keyword_of(e); }
inline constexpr auto kEnforcements = [] {
  std::array<std::string_view, keywords_of(Enforce{}).size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = keywords_of(Enforce{})[i].keyword;
  return names;
}();

// A spring, a damper and an integral in place of a row: [N/m] and so on, or per radian.
template <Scalar T>
struct RowGains {
  T stiffness{}, damping{}, integral{};
};

template <Scalar T>
struct Dock : Closure<T> {
  std::string name;
  typename VariantOf<Constraints<T>>::type constraint;
  Vec3<T> arm;                         // [m] r_P2P1 when mated, B1 axes
  Mat3<T> R_12 = Mat3<T>::identity();  // attitude of B2 in B1 when mated
  Enforce enforce = Enforce::exact;
  bool loop = false;                      // closes a chain; its frames coincide when mated
  bool engaged = true;                    // joined; switched by latch and release
  bool projected = true;                  // exact, reduced: pulled back to ψ = 0 after every step
  bool integrates = false;                // penalty: with the integral term
  T alpha{}, beta{};                      // [1/s] of (1)
  RowGains<T> force_gains, torque_gains;  // of (2), force rows and torque rows
  T reduced_mass{}, reduced_inertia{};    // [kg], [kg·m²] its craft have against each other
  T gap{}, gap_angle{};    // [m], [rad] at most between the ports for a nominal latch
  bool warm = false;       // penalty: starts with the load of the exact joint
  double latch_delay = 0;  // [s] from a latch that is commanded to the joint; INFINITY: stuck open
  int first_state = -1;    // of its integrals in the state's block; -1 = none
  std::array<T, kMostRows> integral_0{};  // [m·s] or [rad·s] ∫ψ at the start

  bool has_multipliers() const {
    return engaged && enforce != Enforce::penalty && enforce != Enforce::fused;
  }
  int force_count() const { return facts().forces; }
  int row_count() const { return facts().forces + facts().torques; }
  std::string_view type() const { return facts().type; }

 private:
  struct Facts {
    std::string_view type;
    int forces, torques;
  };
  template <class... C>
  static Facts facts_of(std::size_t index, PartList<C...>) {
    constexpr Facts all[] = {{C::type, C::forces, C::torques}...};
    return all[index];
  }
  Facts facts() const { return facts_of(constraint.index(), Constraints<T>{}); }
};

// One dock at one instant.
template <Scalar T>
struct DockMotion : ClosureMotion<T> {
  std::array<T, kMostRows> integral{};  // ∫ψ of a penalty with integral term
};

}  // namespace berth

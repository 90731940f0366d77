// SPDX-License-Identifier: Apache-2.0
#pragma once

// ComplianceDevice — a probe of length l₀ on N springs behind a pivot, as docking test rigs have it.
// In the axes of the probe's port, R the root of the probe, n̂ the normal into the wall:
//
//   r_RQ = l₀ x̂ − d n̂,   l = |r_RQ|,   r_RP = (1 − a l₀/l) r_RQ,   ŝᵢ = unit(r_RP − r_RSᵢ)         (1)
//   f_n = −(1 − a l₀/l) Σ kᵢ (n̂·ŝᵢ)² d − a l₀ (l₀/l − 1) Σ kᵢ (n̂·ŝᵢ)(x̂·ŝᵢ)                      (2)
//
// It has no damper and is not exactly conservative.

#include <vector>

#include "berth/contact/law.h"

namespace berth {

template <Scalar T>
struct ComplianceDevice {
  static constexpr std::string_view type = "compliance_device";

  T stiffness{};
  T ratio{0.8};
  T length{1.0};
  std::vector<Vec3<T>> springs;

  static constexpr auto fields() {
    using P = ComplianceDevice;
    return Schema{
        Field{"stiffness", &P::stiffness, unit::N_per_m, Range::positive, "of each spring",
              required},
        Field{"ratio", &P::ratio, unit::none, Range::positive, "a: pivot to plate, by length"},
        Field{"length", &P::length, unit::metre, Range::positive, "l₀, of the probe"},
        Field{"springs", &P::springs, unit::metre, Range::any,
              "where each begins, from the probe's root, axes of its port", required},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (springs.empty())
      findings.add("springs", "is empty: a compliance device has at least one spring");
    if (ratio >= 1.0) findings.add("ratio", shown(value(ratio)) + " must be below 1");
  }

  void settle() {}
  T find_force(const Penetration<T>& p) const {
    const Vec3<T> x{T(1.0), T(0.0), T(0.0)};
    const Vec3<T> r_RQ = length * x - p.depth * p.n_P1;
    const T l = norm(r_RQ);
    const T s = 1.0 - ratio * length / l;
    T across(0.0), along(0.0);
    for (const Vec3<T>& from : springs) {
      const Vec3<T> unit = normalised(s * r_RQ - from);
      const T n = dot(p.n_P1, unit);
      across += n * n;
      along += n * dot(x, unit);
    }
    return -(s * stiffness * across * p.depth) -
           ratio * length * (length / l - 1.0) * stiffness * along;  // (2)
  }
  T find_stiffness() const { return stiffness; }  // of one spring
  T find_press(const Penetration<T>&, const T& force) const { return -force; }
};

static_assert(ContactLaw<ComplianceDevice<double>, double>);

}  // namespace berth

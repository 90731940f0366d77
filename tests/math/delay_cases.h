// SPDX-License-Identifier: Apache-2.0
#pragma once

// The stability table of a probe in a cone with delayed force, and loops built from it. Masses of
// 3000 kg (reduced 1500), inertias of 500 kg m²; lengths in m, angles in degrees.

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "berth/math/delay_roots.h"
#include "tests/support/reference.h"

namespace berth::test {

struct StabilityCase {
  const char* name;                  // in papers/contact/numbers.toml
  double k, b, probe, angle, along;  // N/m, N s/m, length of the probe, of the cone, m*
  const char* geometry;              // the case with the same effective mass

  double number(const std::string& of, const char* what) const {
    return Reference("contact")(of + what);
  }
  double inverse_mass() const { return number(geometry, ".inverse_mass"); }
  double frequency() const { return number(name, ".omega"); }
  double delay() const { return number(name, ".delay"); }
};

// clang-format off
inline constexpr StabilityCase stability_cases[] = {
    {"base",        1000, 200, 1,   30, .5,  "base"       },
    {"probe_short", 1000, 200, .5,  30, .5,  "probe_short"},
    {"probe_long",  1000, 200, 1.5, 30, .5,  "probe_long" },
    {"cone_15",     1000, 200, 1,   15, .5,  "cone_15"    },
    {"cone_45",     1000, 200, 1,   45, .5,  "cone_45"    },
    {"near",        1000, 200, 1,   30, .25, "near"       },
    {"far",         1000, 200, 1,   30, .75, "far"        },
    {"soft_damper", 1000, 50,  1,   30, .5,  "base"       },
    {"hard_damper", 1000, 800, 1,   30, .5,  "base"       },
    {"soft_spring", 100,  200, 1,   30, .5,  "base"       },
    {"hard_spring", 5000, 200, 1,   30, .5,  "base"       },
};
// clang-format on

// Rightmost root of the first case for delays of these names [s]: real and imaginary part [1/s].
inline constexpr const char* root_delays[] = {"0.016", "0.1", "0.2", "0.4"};
inline std::complex<double> reference_root(const std::string& delay) {
  const std::vector<double>& s = Reference("contact").find("root." + delay, 2);
  return {s[0], s[1]};
}

// 1/m† = 1/m_r + (l₀² cos²θ + m²)/J
inline double inverse_mass(const StabilityCase& c) {
  const double cosine = std::cos(c.angle * std::numbers::pi / 180);
  return 1 / 1500. + (c.probe * c.probe * cosine * cosine + c.along * c.along) / 500;
}

// ẍ(t) = −b ẋ(t−h) − k x(t−h)
inline DelayLoop spring_loop(double k, double b, double h) {
  DelayLoop loop{Eigen::MatrixXd::Zero(2, 2), Eigen::MatrixXd::Zero(2, 1),
                 Eigen::MatrixXd::Zero(1, 2), h};
  loop.A(0, 1) = 1;
  loop.B(1, 0) = -1;
  loop.C << k, b;
  return loop;
}

}  // namespace berth::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The stability table of a probe in a cone with delayed force, and loops built from it. Masses of
// 3000 kg (reduced 1500), inertias of 500 kg m²; lengths in m, angles in degrees.

#include <cmath>
#include <numbers>

#include "berth/math/delay_roots.h"

namespace berth::test {

struct StabilityCase {
  double k, b, probe, angle, along;  // N/m, N s/m, length of the probe, of the cone, m*
  double inverse_mass, frequency, delay;
};

// clang-format off
inline constexpr StabilityCase stability_cases[] = {
    {1000, 200, 1,   30, .5,  2.666666666667e-3, 1.67710428667,  0.192968410197 },
    {1000, 200, .5,  30, .5,  1.541666666667e-3, 1.26092586688,  0.195914957091 },
    {1000, 200, 1.5, 30, .5,  4.541666666667e-3, 2.2299997429,   0.188126705791 },
    {1000, 200, 1,   15, .5,  3.032692070451e-3, 1.79505148702,  0.192016303550 },
    {1000, 200, 1,   45, .5,  2.166666666667e-3, 1.50419043367,  0.194274273644 },
    {1000, 200, 1,   30, .25, 2.291666666667e-3, 1.54890515262,  0.193947244429 },
    {1000, 200, 1,   30, .75, 3.291666666667e-3, 1.87496491458,  0.191344656907 },
    {1000, 50,  1,   30, .5,  2.666666666667e-3, 1.63571708138,  0.0498889631919},
    {1000, 800, 1,   30, .5,  2.666666666667e-3, 2.40440434186,  0.453905378999 },
    {100,  200, 1,   30, .5,  2.666666666667e-3, 0.666666666667, 1.390942827002 },
    {5000, 200, 1,   30, .5,  2.666666666667e-3, 3.67100994993,  0.0397161683541},
};
// clang-format on

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

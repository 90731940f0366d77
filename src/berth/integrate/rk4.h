// SPDX-License-Identifier: Apache-2.0
#pragma once

// rk4 — the classical fourth-order method with a fixed step (W. Kutta, 1901).
//
// For comparison with published fixed-step results; no error estimate, dense output is the cubic
// through both ends of the step.

#include "berth/integrate/tableau.h"

namespace berth {

namespace rk4_table {

inline constexpr double c[] = {0, 1.0 / 2, 1.0 / 2, 1, 1};

inline constexpr Coefficient a[] = {
    {1, 0, 1.0 / 2}, {2, 1, 1.0 / 2}, {3, 2, 1.0},     {4, 0, 1.0 / 6},
    {4, 1, 1.0 / 3}, {4, 2, 1.0 / 3}, {4, 3, 1.0 / 6},
};

}  // namespace rk4_table

inline constexpr Tableau kRk4 = {
    .name = "rk4",
    .stages = 4,
    .order = 4,
    .c = rk4_table::c,
    .a = rk4_table::a,
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// rkf45 — Fehlberg's pair of orders 4 and 5 (E. Fehlberg, NASA TR R-315, 1969).
//
// The fifth-order formula advances (local extrapolation); the fourth-order one only estimates the
// error. Here for comparison with published results: dopri5 does the same work better. Dense output
// is the cubic through both ends of the step.

#include "berth/integrate/tableau.h"

namespace berth {

namespace rkf45_table {

inline constexpr double c[] = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2, 1};

inline constexpr Coefficient a[] = {
    {1, 0, 1.0 / 4},        {2, 0, 3.0 / 32},        {2, 1, 9.0 / 32},    {3, 0, 1932.0 / 2197},
    {3, 1, -7200.0 / 2197}, {3, 2, 7296.0 / 2197},   {4, 0, 439.0 / 216}, {4, 1, -8.0},
    {4, 2, 3680.0 / 513},   {4, 3, -845.0 / 4104},   {5, 0, -8.0 / 27},   {5, 1, 2.0},
    {5, 2, -3544.0 / 2565}, {5, 3, 1859.0 / 4104},   {5, 4, -11.0 / 40},  {6, 0, 16.0 / 135},
    {6, 2, 6656.0 / 12825}, {6, 3, 28561.0 / 56430}, {6, 4, -9.0 / 50},   {6, 5, 2.0 / 55},
};

inline constexpr Coefficient error[] = {
    {0, 0, 1.0 / 360}, {0, 2, -128.0 / 4275}, {0, 3, -2197.0 / 75240},
    {0, 4, 1.0 / 50},  {0, 5, 2.0 / 55},
};

}  // namespace rkf45_table

inline constexpr Tableau kRkf45 = {
    .name = "rkf45",
    .stages = 6,
    .order = 5,
    .error_order = 5,
    .embedded_order = 4,
    .control_beta = 0.04,
    .control_shrink = 0.2,
    .control_grow = 10,
    .c = rkf45_table::c,
    .a = rkf45_table::a,
    .error = rkf45_table::error,
};

}  // namespace berth

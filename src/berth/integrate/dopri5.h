// SPDX-License-Identifier: Apache-2.0
#pragma once

// dopri5 — the pair of orders 5 and 4 of J. R. Dormand and P. J. Prince (J. Comp. Appl. Math. 6,
// 1980) with the fourth-order dense output of L. F. Shampine, as given by Hairer, Nørsett and
// Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.
//
// Six evaluations a step, dense output at no further cost. The choice for tolerances
// looser than 1e-6 and where contact keeps the steps short anyway.

#include "berth/integrate/tableau.h"

namespace berth {

namespace dopri5_table {

inline constexpr double c[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

inline constexpr Coefficient a[] = {
    {1, 0, 1.0 / 5},        {2, 0, 3.0 / 40},     {2, 1, 9.0 / 40},        {3, 0, 44.0 / 45},
    {3, 1, -56.0 / 15},     {3, 2, 32.0 / 9},     {4, 0, 19372.0 / 6561},  {4, 1, -25360.0 / 2187},
    {4, 2, 64448.0 / 6561}, {4, 3, -212.0 / 729}, {5, 0, 9017.0 / 3168},   {5, 1, -355.0 / 33},
    {5, 2, 46732.0 / 5247}, {5, 3, 49.0 / 176},   {5, 4, -5103.0 / 18656}, {6, 0, 35.0 / 384},
    {6, 2, 500.0 / 1113},   {6, 3, 125.0 / 192},  {6, 4, -2187.0 / 6784},  {6, 5, 11.0 / 84},
};

inline constexpr Coefficient error[] = {
    {0, 0, 71.0 / 57600},      {0, 2, -71.0 / 16695}, {0, 3, 71.0 / 1920},
    {0, 4, -17253.0 / 339200}, {0, 5, 22.0 / 525},    {0, 6, -1.0 / 40},
};

inline constexpr Coefficient dense[] = {
    {0, 0, -12715105075.0 / 11282082432.0}, {0, 2, 87487479700.0 / 32700410799.0},
    {0, 3, -10690763975.0 / 1880347072.0},  {0, 4, 701980252875.0 / 199316789632.0},
    {0, 5, -1453857185.0 / 822651844.0},    {0, 6, 69997945.0 / 29380423.0},
};

}  // namespace dopri5_table

inline constexpr Tableau kDopri5 = {
    .name = "dopri5",
    .stages = 6,
    .order = 5,
    .error_order = 5,
    .embedded_order = 4,
    .control_beta = 0.04,
    .control_shrink = 0.2,
    .control_grow = 10,
    .dense_order = 4,
    .c = dopri5_table::c,
    .a = dopri5_table::a,
    .error = dopri5_table::error,
    .dense = dopri5_table::dense,
};

}  // namespace berth

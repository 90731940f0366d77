// SPDX-License-Identifier: Apache-2.0
#pragma once

// What seems unwise about the docks of a system, before anything runs.
//
// A penalty row with k, c, k_I between bodies of reduced mass m is stable only when                (1)
//
//   c k > m k_I
//
// and its damping ratio without the integral is c / (2 √(k m)).                                  (2)

#include <string>
#include <vector>

#include "berth/system/system.h"

namespace berth {

// `t_stop` [s] and `is_stiff_method` say what a stiff spring would cost.
std::vector<std::string> find_dock_warnings(const System<double>& system, double t_stop,
                                            bool is_stiff_method);

}  // namespace berth

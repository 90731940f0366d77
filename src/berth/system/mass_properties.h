// SPDX-License-Identifier: Apache-2.0
#pragma once

// A body with everything it carries, as one rigid body at the present pose.

#include "berth/system/system.h"

namespace berth {

struct MassProperties {
  double mass = 0;                // [kg]
  Vec3<double> centre_of_mass_N;  // [m] from the origin of N
  Sym3<double> inertia_N;         // [kg·m²] about the centre of mass, N axes
};

MassProperties find_mass_properties(const Model<double>& model, const Motion<double>& motion,
                                    int body);

// [kg] of a body and all that is joined to it: by joints, and by docks that are engaged. Infinite where
// the ground is.
double find_joined_mass(const System<double>& system, int body);

// [kg·m²]
double find_largest_moment(const Sym3<double>& inertia);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
// The mechanics for double, and what only builds systems.

#include "berth/system/instances/instantiate.h"

BERTH_INSTANTIATE_SYSTEM(double)

namespace berth {
template Dock<double>& System<double>::add_dock(Dock<double>);
template int find_weldable_hub(const Model<double>&, const Dock<double>&);
template void weld(Model<double>&, const Dock<double>&);
}  // namespace berth

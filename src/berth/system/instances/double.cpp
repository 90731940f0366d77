// SPDX-License-Identifier: Apache-2.0
// The mechanics for double, and what only builds systems.

#include "berth/system/instances/instantiate.h"

BERTH_INSTANTIATE_SYSTEM(double)

namespace berth {
template Dock<double>& System<double>::add_dock(Dock<double>);
template ContactMotion<double> find_contact_motion(const Contact<double>&, const Motion<double>&,
                                                   const double*, const Grip&);
template ContactSignal<double> find_model_signal(const Contact<double>&,
                                                 const ContactMotion<double>&, const Grip&);
template void contact_stage(const System<double>&, std::span<const double>, const Mode<double>&,
                            Workspace<double>&);
template int find_weldable_hub(const Model<double>&, const Dock<double>&);
template void weld(Model<double>&, const Dock<double>&);
}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who takes part through the public face: names and shapes of externals, and answers by name as the
// numbers a run takes.

#include <memory>

#include "berth/run/external.h"
#include "berth/simulation.h"
#include "berth/system/channels.h"

namespace berth {

std::vector<Simulation::External> list_externals(const System<double>& system,
                                                 const Channels& channels);

// An answer with an unknown name, another number of numbers or one that is not finite is a
// std::invalid_argument that names external, command, shape and unit.
std::shared_ptr<const ExternalSource> make_source(Simulation::External external,
                                                  Simulation::Participant participant);

}  // namespace berth

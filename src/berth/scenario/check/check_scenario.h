// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that is wrong with a scenario and shows without its mechanics, all at once:
//
//   names        taken twice, or none
//   structure    bodies and ports that hang on nothing
//   references   names of what does not exist
//   rules        of every table and part, alone and against the bodies there are
//   channels     that conditions, events and records name
//
// What follows from another mistake is left out: rules of a table that could not be read, references to
// a component whose type is not known, channels of what is itself wrong.

#include "berth/scenario/scenario.h"

namespace berth {

// The scenario with its captures written out as measures and events, and every reference resolved; to
// be built only if there is no problem.
Scenario check_scenario(const Scenario& scenario, Problems& problems);

}  // namespace berth

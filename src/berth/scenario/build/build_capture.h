// SPDX-License-Identifier: Apache-2.0
#pragma once

// Capture logic in terms of the event engine.
//
//   <name>               a measure: how the probe's port stands to the other
//   <name>_touch         first touch; reports the motion, to be held against the envelope
//   <name>_inside        right then, if that motion is inside the envelope
//   <name>_soft          in the zone, inside the envelope: the soft dock latches
//   <name>_hard          drawn together and calm: the dock latches as it stands   verdict captured
//   <name>_bounced_off, <name>_missed, <name>_late, <name>_overload               end the run

#include "berth/scenario/scenario.h"

namespace berth {

// The scenario with its captures written out as measures and events.
Scenario expand_captures(const Scenario& scenario, Problems& problems);

// The capture that a measure or event, or an input of it, was written out from; empty: the file has it.
std::string find_capture_of(const Scenario& scenario, std::string_view path);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunFacts — what a docking engineer asks of a run, as plain numbers in SI units; the page chooses words
// and units.
//
//   captures     ports, values at touch, times of soft and hard dock, every condition with its limit
//   loads        peak forces, torques and impulses of contacts, docks and loops, and when
//   effort       impulse, ΔV and on-time of thrusters (system/thruster_track.h), wheel speeds against
//                their limits
//   thrusters, joins, contacts, wheels    what the scene draws beside bodies
//   shaped       bodies whose solids the scenario declares; gravity [m/s²], where it is uniform
//   window       [s] the stretch in which craft meet (window.h), or null
//
// Values come from the summary, the events and the scenario in the file; from its rows the fastest of
// wheels alone.

#include <nlohmann/json.hpp>

#include "berth/report/window.h"
#include "berth/simulate/result_file.h"

namespace berth {

nlohmann::ordered_json build_facts(const ResultFile& file, const TimeWindow& window);

// [N·s] of an impact or a latch; zero of any other event.
double find_impulse(const RecordedEvent& event);

}  // namespace berth

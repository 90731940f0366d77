// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth live --identify: what a facility does to a force, measured.
//
// The probe is put where the scenario first touches, at rest; from there ticks move it along the normal of
// the surface by the penetration u(t) of a stimulus (loop_stimulus.h): preload, steps, chirp. From the normal
// force that is answered the dead time, the lag of the robots and the filter of the sensor are estimated
// (identify_loop.h).

#include "berth/analysis/closed_loop.h"
#include "berth/live/identify_loop.h"
#include "berth/live/live_source.h"
#include "berth/live/loop_stimulus.h"

namespace berth {

struct IdentifiedLoop {
  LoopIdentification found;
  LoopBlock block;  // of the contact: its delay counts the latency too
  std::string contact;
  double preload = 0;   // [N] of the stimulus, by the law of the scenario
  double duration = 0;  // [s] of the stimulus
};

// Adds a problem where the scenario has no contact that is given, or none that touches. Throws
// std::runtime_error where the other side fails.
IdentifiedLoop identify_facility(const LiveSetup& setup, LiveSource& source,
                                 const std::function<void(double t, double end)>& progress,
                                 Problems& problems);

std::string describe(const IdentifiedLoop& loop);

}  // namespace berth

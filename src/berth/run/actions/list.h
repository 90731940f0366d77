// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything an event can do. action.h has what an action states.

#include "berth/model/elements.h"
#include "berth/run/actions/control.h"
#include "berth/run/actions/external.h"
#include "berth/run/actions/fail.h"
#include "berth/run/actions/force.h"
#include "berth/run/actions/kick.h"
#include "berth/run/actions/latch.h"
#include "berth/run/actions/record.h"
#include "berth/run/actions/release.h"
#include "berth/run/actions/sensor.h"
#include "berth/run/actions/stop.h"
#include "berth/run/actions/strike.h"
#include "berth/run/actions/verdict.h"

namespace berth {

using Actions = PartList<ControlAction,   //
                         ForceAction,     //
                         SensorAction,    //
                         ExternalAction,  //
                         KickAction,      //
                         StrikeAction,    //
                         LatchAction,     //
                         ReleaseAction,   //
                         FailAction,      //
                         RecordAction,    //
                         VerdictAction,   //
                         StopAction>;

using Action = VariantOf<Actions>::type;

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything a contact is made of.

#include "berth/contact/compensation.h"
#include "berth/contact/compliance_device.h"
#include "berth/contact/friction.h"
#include "berth/contact/hunt_crossley.h"
#include "berth/contact/impact.h"
#include "berth/contact/probe.h"
#include "berth/contact/spring_dashpot.h"
#include "berth/contact/surface.h"

namespace berth {

template <Scalar T>
using ContactLaws = PartList<SpringDashpot<T>, ComplianceDevice<T>, HuntCrossley<T>, Impact<T>>;

}  // namespace berth

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
using Surfaces = PartList<Cone<T>,   //
                          Plane<T>,  //
                          HalfSpace<T>>;

template <Scalar T>
using Probes = PartList<PointProbe<T>,    //
                        SphereProbe<T>,   //
                        CapsuleProbe<T>,  //
                        PolygonProbe<T>>;

template <Scalar T>
using ContactLaws = PartList<SpringDashpot<T>,     //
                             ComplianceDevice<T>,  //
                             HuntCrossley<T>,      //
                             Impact<T>>;

template <Scalar T>
using Frictions = PartList<NoFriction<T>,  //
                           Coulomb<T>,     //
                           Stick<T>>;

template <Scalar T>
using Compensations = PartList<NoCompensation<T>,         //
                               LeadCompensation<T>,       //
                               PassivityCompensation<T>,  //
                               ModelCompensation<T>>;

}  // namespace berth

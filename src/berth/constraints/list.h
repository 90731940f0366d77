// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every constraint there is between two ports.

#include "berth/constraints/direction.h"
#include "berth/constraints/hinge.h"
#include "berth/constraints/length.h"
#include "berth/constraints/on_plane.h"
#include "berth/constraints/rigid.h"
#include "berth/constraints/slider.h"
#include "berth/model/elements.h"

namespace berth {

template <Scalar T>
using Constraints = PartList<Rigid<T>,      //
                             Direction<T>,  //
                             Length<T>,     //
                             Hinge<T>,      //
                             Slider<T>,     //
                             OnPlane<T>>;

}  // namespace berth

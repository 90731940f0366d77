// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/trace.h"

#include "berth/system/instances/instantiate.h"

BERTH_INSTANTIATE_LIFTED(berth::Trace)

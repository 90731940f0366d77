// SPDX-License-Identifier: Apache-2.0
// The mechanics for Pack.

#include "berth/scalar/pack.h"

#include "berth/system/instances/instantiate.h"

BERTH_INSTANTIATE_SYSTEM(berth::Pack)

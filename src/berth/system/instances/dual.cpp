// SPDX-License-Identifier: Apache-2.0
// The mechanics for Dual.

#include "berth/scalar/dual.h"

#include "berth/system/instances/instantiate.h"

BERTH_INSTANTIATE_LIFTED(berth::Dual)

// SPDX-License-Identifier: Apache-2.0
// The mechanics for double.

#include "berth/system/instances/instantiate.h"

BERTH_INSTANTIATE_SYSTEM(double)

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Percentile bands of channels over time: at every instant the shares of cases that lie below, of those that
// are still under way then.

#include "berth/analysis/sweep_table.h"
#include "berth/report/number_block.h"

namespace berth {

// [{name, unit, description, t, p05, p25, p50, p75, p95, low, high, count}], numbers in the block; empty where no
// channels were kept.
nlohmann::ordered_json build_bands(const SweepTable& table, NumberBlock& block);

}  // namespace berth

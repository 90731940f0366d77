// SPDX-License-Identifier: Apache-2.0
#pragma once

// The head of a run's page, from the summary and the events in its file: the verdict in a sentence,
// numbers with their level (good, warn, bad), warnings, expectations, events, phases.

#include <nlohmann/json.hpp>

#include "berth/simulate/result_file.h"

namespace berth {

// Fills title … phases of a run of the page.
void add_summary(const ResultFile& file, nlohmann::ordered_json& run);

// [s] when the run ended.
double find_end_time(const ResultFile& file);

}  // namespace berth

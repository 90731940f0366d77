// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ensembles — many cases abreast on each core.
//
//   RunPrograms programs(…);
//   for_each_abreast(cases, 0, &programs, [&](std::size_t i, StepServer* server) {
//     results[i] = run(i, server);                                        // HybridRun::serve(server)
//   });
//
// Each core has some of them under way (abreast.h).

#include <cstddef>
#include <functional>

#include "berth/ensemble/run_programs.h"
#include "berth/run/step_server.h"

namespace berth {

// work(i, server) for all i below `count`, each once, in any order. threads = 0: as many as there are
// cores. Without programs the server is null, and cases run one after the other on each thread. What one
// of them throws comes to the caller; the rest is left out.
void for_each_abreast(std::size_t count, int threads, RunPrograms* programs,
                      const std::function<void(std::size_t, StepServer*)>& work);

}  // namespace berth

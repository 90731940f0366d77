// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate.h"

#include <chrono>

#include "berth/simulate/expectations.h"
#include "berth/simulate/find_summary.h"

namespace berth {

Summary simulate(const Scenario& scenario, const BuiltScenario& built,
                 const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  HybridRun run(built.system, built.options);
  run.set_events(built.events);
  run.interrupted = options.interrupted;
  run.serve(options.server);
  for (std::size_t k = 0; k < options.sources.size(); ++k) run.connect(k, options.sources[k]);
  Recorder recorder(run, scenario, options);
  recorder.start(run);

  const Outcome outcome = run.advance(scenario.time.stop, &recorder);
  Summary s = find_summary(run, outcome, scenario, built);
  s.samples = std::move(recorder.samples);
  judge(scenario.expect, run, s);
  recorder.finish(run, scenario, s);
  s.h5 = options.h5.string();
  s.csv = options.csv.string();
  s.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return s;
}

}  // namespace berth

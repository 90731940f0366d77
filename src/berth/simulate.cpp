// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate.h"

#include <chrono>

#include "berth/simulate/expectations.h"
#include "berth/simulate/find_summary.h"

namespace berth {

Summary simulate(const Scenario& scenario, const Story& story, const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Driver driver(story.system, story.options);
  driver.set_events(story.events);
  driver.add_looks(options.at);
  driver.interrupted = options.interrupted;
  Recorder recorder(driver, scenario, options);
  recorder.start(driver);

  const Outcome outcome = driver.run(scenario.time.stop, &recorder);
  Summary s = find_summary(driver, outcome, scenario, story);
  s.samples = std::move(recorder.samples);
  judge(scenario.expect, driver, s);
  recorder.finish(driver, write_scenario(scenario), to_json(s, false));
  s.h5 = options.h5.string();
  s.csv = options.csv.string();
  s.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return s;
}

}  // namespace berth

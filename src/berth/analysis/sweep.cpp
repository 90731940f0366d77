// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep.h"

#include <chrono>

#include <fmt/format.h>

#include "berth/analysis/sweep_session.h"

namespace berth {
namespace {

// All cases that come, on as many threads as wanted.
void run_cases(SweepSession& session, CaseRunner& runner, const SweepOptions& options,
               Problems& problems) {
  while (!session.is_interrupted() && session.next(problems)) {
    const std::vector<std::uint64_t> rest = session.find_rest();
    runner.run(
        rest.size(), [&](std::size_t i) { return session.settings(rest[i]); },
        [&](std::size_t i, const CaseResult& result) { session.finish(rest[i], result); },
        options.interrupted);
    if (!session.is_range_done()) return;
  }
}

std::string join(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "; " + b;
}

}  // namespace

const std::vector<Collected>& SweepResult::columns() const {
  static const std::vector<Collected> none;
  return store ? store->columns() : none;
}

SweepResult run_sweep(const Sweep& sweep, const SweepOptions& options, Problems& problems) {
  const auto begin = std::chrono::steady_clock::now();
  SweepResult out;
  std::optional<SweepMap> map;
  if (!sweep.map.empty() && is_drawn(sweep.study)) map = begin_map(sweep, sweep.map, problems);
  if (!problems.empty()) return out;
  SweepSession session(sweep, options, problems);
  CaseRunner runner(session.sweep(), session.columns(), options.threads, options.computing);
  if (problems.empty()) run_cases(session, runner, options, problems);
  out = session.close(problems);
  out.note = join(out.note, runner.find_note());
  if (map) fill_map(out, *map);
  out.map = std::move(map);
  out.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// One case of a sweep: built, run, and what is kept of it.
//
//   const ParsedScenario source(sweep.source, sweep.file);
//   CaseRun run = run_case(sweep, source, sweep.plan.settings(17));
//   const std::vector<Collected> columns = choose_columns(sweep, run);
//   collect(columns, run);                                              // into run.result
//
// CaseRunner runs many, on all cores, by programs that are compiled once.

#include <functional>
#include <optional>

#include "berth/analysis/sweep_table.h"
#include "berth/ensemble/computing.h"
#include "berth/simulate.h"

namespace berth {

struct CaseRun {
  CaseResult result;                  // nothing collected yet
  std::optional<Summary> summary{};   // none of a case that was refused or failed
  std::vector<std::string> events{};  // of its scenario, whether they act or not
  std::vector<double> bands{};        // channels over time, one after the other; NaN behind the end
  bool is_broken_off = false;         // interrupted: no result
};
// `source` is that of the sweep.
CaseRun run_case(const Sweep& sweep, const ParsedScenario& source,
                 const std::vector<std::string>& settings, StepServer* server = nullptr,
                 const std::function<bool()>& interrupted = {});

// Steps, audits, loads of docks and contacts: what one asks for first.
std::vector<std::string> default_collect();

// The columns that fit a pattern of the sweep, in the order of the summary, then those of named events, then
// channels over time. None where the case has no summary.
std::vector<Collected> choose_columns(const Sweep& sweep, const CaseRun& run);
// Patterns that fit nothing.
void check_patterns(const Sweep& sweep, const CaseRun& run, Problems& problems);
// Picks the columns out of a summary; what is missing, or of another kind, is NaN or empty.
void collect(std::span<const Collected> columns, CaseRun& run);

class CaseRunner {
 public:
  // Throws std::invalid_argument when BERTH_INSTRUCTIONS names what is not there.
  CaseRunner(const Sweep& sweep, std::vector<Collected> columns, int threads, Computing computing);

  // Case i of `count` is built by settings(i). finished() is called by the thread that ran it, one at a time.
  // Interrupted, cases in hand are broken off and have no result.
  void run(std::size_t count,
           const std::function<std::vector<std::string>(std::size_t i)>& settings,
           const std::function<void(std::size_t i, CaseResult result)>& finished,
           const std::function<bool()>& interrupted = {});

  // What would have made it faster; empty when nothing.
  std::string find_note() const;

 private:
  const Sweep& sweep_;
  std::vector<Collected> columns_;
  const ParsedScenario source_;
  int threads_;
  OpenedPrograms opened_;
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// sweep — one scenario many times over, with inputs varied (sweep_plan.h), on all cores.
//
//   Problems problems{"slew.toml", {}};
//   const Sweep sweep = build_sweep("slew.toml", {.vary = {"time.stop=lin(100,600,6)"}}, problems);
//   const SweepResult result = run_sweep(sweep, {.h5 = "slew_sweep.h5"}, problems);
//   std::cout << describe(result);
//
// A case whose input is refused, or that fails, is a row like any other. Every finished case goes to a
// journal beside the result (sweep_journal.h), and a sweep that was interrupted or killed goes on from there
// (sweep_session.h). The files have the same bytes whatever the number of threads, interrupted or not, on one
// machine or many.

#include <functional>
#include <optional>

#include "berth/analysis/case_run.h"
#include "berth/analysis/sweep_map.h"
#include "berth/ensemble/computing.h"

namespace berth {

struct SweepRequest {
  std::vector<std::string> vary;
  std::vector<std::string> settings{};  // as --set
  std::uint64_t samples = 0;            // draws of the random keys; 0 = not given
  std::optional<std::uint64_t> seed{};
  std::vector<std::string> collect{};  // patterns of paths in the summary; none = the default ones
  std::vector<std::string> map{};      // two keys
  std::optional<Design> design{};
  bool finds_indices = false;        // Sobol's
  std::vector<std::string> bands{};  // channels over time
  SweepPart part{};
  std::string until{};                  // "captured ±0.5 % at 95 %"
  std::string rare{};                   // "contacts.tip.force_peak > 400"
  std::vector<std::string> boundary{};  // two keys
};
// What is not given is taken from the scenario's [sweep] and [dispersion].

// Reads the scenario and makes sure that it builds: with the first value of every key (the middle of
// random ones), and with every value that is a text. All that is wrong goes to the problems.
Sweep build_sweep(const std::filesystem::path& file, const SweepRequest& request,
                  Problems& problems);
// The same for text that is not in a file; `name` stands for the file, craft of other files are searched
// for in `folder`.
Sweep build_sweep(const std::string& text, const std::string& name,
                  const std::filesystem::path& folder, const SweepRequest& request,
                  Problems& problems);

struct SweepOptions {
  std::filesystem::path h5;
  std::filesystem::path csv{};  // empty = none
  int threads = 0;              // 0 = all cores
  Computing computing = Computing::automatic;
  bool fresh = false;  // discard the journal of an earlier attempt
  std::function<bool()> interrupted{};
  // From the thread that finished a case, one at a time; `total` as far as is known.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

struct SweepResult {
  Sweep sweep;  // as it ended: with as many samples as there are, and what its study found
  std::shared_ptr<const CaseStore> store{};  // null: nothing was run
  CaseRange range{0, 0};                     // of all cases
  std::uint64_t finished = 0;
  std::uint64_t taken_over = 0;  // of these, from the journal
  double wall_seconds = 0;
  std::optional<SweepMap> map{};       // where one was asked for
  std::string h5{}, csv{}, journal{};  // files there are now; empty when none
  std::string note{};  // what would have made it faster, what was damaged; empty when nothing
  bool is_complete = false;

  bool complete() const { return is_complete; }
  const std::vector<Collected>& columns() const;
  void for_each(const CaseStore::Visitor& visit) const {
    if (store) store->for_each(range.first, range.last, visit);
  }
};

// Throws a RecordError when a file cannot be written. Problems: a pattern that fits nothing, a
// journal of another sweep.
SweepResult run_sweep(const Sweep& sweep, const SweepOptions& options, Problems& problems);

std::string describe(const SweepResult& result);
std::string to_json(const SweepResult& result);

}  // namespace berth

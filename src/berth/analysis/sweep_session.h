// SPDX-License-Identifier: Apache-2.0
#pragma once

// SweepSession — a sweep under way: what is finished, what comes next, where it is kept.
//
//   SweepSession session(sweep, options, problems);        // takes over what an earlier attempt has finished
//   while (session.next(problems))
//     for (std::uint64_t number : session.find_rest()) session.finish(number, …);     // run anywhere
//   SweepResult result = session.close(problems);          // the files, when all is done
//
// The first case that gives a summary fixes the columns; it is run before all others, so that a pattern which
// fits nothing is reported at once.

#include <memory>

#include "berth/analysis/case_source.h"
#include "berth/analysis/sweep.h"
#include "berth/analysis/sweep_journal.h"

namespace berth {

class SweepSession {
 public:
  // Problems: a pattern that fits nothing, a journal of another sweep. Throws a RecordError when a file cannot
  // be written.
  SweepSession(Sweep sweep, SweepOptions options, Problems& problems);

  const Sweep& sweep() const { return sweep_; }
  const std::vector<Collected>& columns() const { return columns_; }
  const CaseLines& lines() const { return *lines_; }
  bool is_interrupted() const { return options_.interrupted && options_.interrupted(); }

  // Goes on to the cases that come next; false when that was all, or something is wrong.
  bool next(Problems& problems);
  // Of these, the ones that are not finished.
  std::vector<std::uint64_t> find_rest() const;
  std::vector<std::string> settings(std::uint64_t number) const {
    return to_settings(sweep_.plan.keys, source_->inputs(number));
  }
  // One at a time.
  void finish(std::uint64_t number, const CaseResult& result);

  // Whether all cases of the present range are finished.
  bool is_range_done() const;

  SweepResult close(Problems& problems);

 private:
  bool take_over(Problems& problems);
  void find_columns(Problems& problems);
  std::filesystem::path journal_path() const { return find_journal_of(options_.h5); }
  bool is_wanted(std::uint64_t number) const { return number >= begin_ && number < range_.last; }

  Sweep sweep_;
  SweepOptions options_;
  std::unique_ptr<CaseSource> source_;
  SweepJournal journal_;
  std::optional<CaseLines> lines_;
  std::vector<Collected> columns_;
  std::shared_ptr<CaseStore> store_;
  std::uint64_t begin_ = 0;  // first case there is
  CaseRange range_{0, 0};
  bool is_started_ = false, is_exhausted_ = false;
  std::uint64_t finished_ = 0, taken_over_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_session.h"

#include <system_error>

#include <fmt/format.h>

namespace berth {
namespace {

constexpr std::size_t kMostNamed = 5;  // damaged lines

std::string name_lines(const std::vector<std::uint64_t>& lines, const std::string& journal) {
  const std::size_t shown = std::min(lines.size(), kMostNamed);
  return fmt::format(
      "{} of {} {} damaged: {} run again",
      fmt::format(
          "line{} {}{}", lines.size() > 1 ? "s" : "",
          fmt::join(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
          shown < lines.size() ? fmt::format(" and {} more", lines.size() - shown) : ""),
      journal, lines.size() > 1 ? "are" : "is",
      lines.size() > 1 ? "their cases are" : "its case is");
}

}  // namespace

SweepSession::SweepSession(Sweep sweep, SweepOptions options, Problems& problems)
    : sweep_(std::move(sweep)),
      options_(std::move(options)),
      source_(open_source(sweep_, problems)),
      journal_(journal_path()) {
  if (!problems.empty()) return;
  const std::optional<CaseRange> first = source_->next(nullptr, problems);
  if (!first || !problems.empty()) return;
  range_ = *first;
  begin_ = range_.first;
  if (!take_over(problems) && problems.empty()) find_columns(problems);
}

// What an earlier attempt has finished. False when there was none.
bool SweepSession::take_over(Problems& problems) {
  if (journal_.was_empty() || options_.fresh) return false;
  const std::vector<std::string> differences =
      find_differences(journal_.identity(), find_identity(sweep_));
  if (!differences.empty()) {
    problems.add(Place{0, 0, journal_path().string()}, "",
                 journal_.identity().is_null()
                     ? "is no journal of a sweep, or its first line is damaged; --fresh discards it"
                     : fmt::format("is of another sweep that was not finished: {}. --fresh "
                                   "discards it, --out NAME leaves it alone",
                                   fmt::join(differences, "; ")));
    return false;
  }
  columns_ = journal_.columns();
  lines_.emplace(find_identity(sweep_), columns_);
  store_ = std::make_shared<CaseStore>(options_.h5.parent_path(), columns_);
  const std::vector<std::uint64_t> damaged =
      journal_.read([&](CaseLines::Entry entry) { store_->set(entry.number, entry.result); });
  if (!damaged.empty()) notes_.push_back(name_lines(damaged, journal_path().string()));
  // Those of ranges to come are counted when they are reached.
  for (std::uint64_t i = begin_; i < range_.last; ++i) finished_ += store_->has(i) ? 1 : 0;
  taken_over_ = finished_;
  return true;
}

// Runs cases from the first on until one gives a summary, which fixes the columns. Those of another part are
// not kept.
void SweepSession::find_columns(Problems& problems) {
  const ParsedScenario source(sweep_.source, sweep_.file);
  const std::uint64_t all = sweep_.part.is_whole() ? range_.last : sweep_.plan.cases();
  std::vector<CaseRun> runs;
  while (runs.size() < all && (runs.empty() || !runs.back().summary) && !is_interrupted()) {
    CaseRun run = run_case(sweep_, source, settings(runs.size()), nullptr, options_.interrupted);
    if (run.is_broken_off) break;
    runs.push_back(std::move(run));
  }
  // Interrupted before there were columns: nothing can be kept.
  if (runs.empty() || (!runs.back().summary && runs.size() < all)) return;
  check_patterns(sweep_, runs.back(), problems);
  if (!problems.empty()) return;
  columns_ = choose_columns(sweep_, runs.back());
  lines_.emplace(find_identity(sweep_), columns_);
  store_ = std::make_shared<CaseStore>(options_.h5.parent_path(), columns_);
  journal_.start(find_identity(sweep_), columns_);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    collect(columns_, runs[i]);
    if (is_wanted(i)) finish(i, runs[i].result);
  }
}

bool SweepSession::next(Problems& problems) {
  if (!problems.empty() || !store_) return false;
  if (!is_started_) {
    is_started_ = true;
    return true;
  }
  const std::optional<CaseRange> more = source_->next(store_.get(), problems);
  if (!problems.empty()) return false;
  if (!more) {
    is_exhausted_ = true;
    return false;
  }
  range_ = *more;
  for (std::uint64_t i = range_.first; i < range_.last; ++i)
    if (store_->has(i)) ++finished_, ++taken_over_;
  return true;
}

std::vector<std::uint64_t> SweepSession::find_rest() const {
  std::vector<std::uint64_t> rest;
  for (std::uint64_t i = range_.first; i < range_.last; ++i)
    if (!store_->has(i)) rest.push_back(i);
  return rest;
}

bool SweepSession::is_range_done() const {
  for (std::uint64_t i = range_.first; i < range_.last; ++i)
    if (!store_->has(i)) return false;
  return true;
}

void SweepSession::finish(std::uint64_t number, const CaseResult& result) {
  if (!is_wanted(number) || store_->has(number)) return;
  journal_.add(number, result);
  store_->set(number, result);
  ++finished_;
  if (options_.progress) options_.progress(finished_, std::max(finished_, source_->expect()));
}

SweepResult SweepSession::close(Problems& problems) {
  SweepResult out;
  out.store = store_;
  out.finished = finished_;
  out.taken_over = taken_over_;
  out.is_complete = problems.empty() && is_exhausted_;
  if (out.is_complete) {
    source_->conclude(sweep_);
    const std::uint64_t last = range_.last;
    out.range = {begin_, last};
    write_sweep(sweep_,
                {*store_, begin_, last, [&](std::uint64_t i) { return source_->inputs(i); }},
                options_.h5, options_.csv);
    out.h5 = options_.h5.string();
    out.csv = options_.csv.string();
    // The journal goes when the files are in place.
    if (const int failure = journal_.remove())
      notes_.push_back(fmt::format("{} could not be removed: {}", journal_path().string(),
                                   std::generic_category().message(failure)));
  } else {
    out.range = {begin_, begin_ + std::max(finished_, source_->expect())};
    if (finished_ > 0) out.journal = journal_path().string();
  }
  out.note = fmt::format("{}", fmt::join(notes_, "; "));
  out.sweep = sweep_;
  return out;
}

}  // namespace berth

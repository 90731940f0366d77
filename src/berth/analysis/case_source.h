// SPDX-License-Identifier: Apache-2.0
#pragma once

// CaseSource — which cases a sweep runs next, and their inputs.
//
//   while (const auto range = source->next(&store)) run all cases of the range, in any order
//
// Most sweeps know all their cases from the start. One that stops when sure, and one that searches, decide by
// the results so far; since these are all there when next() is asked, and numbers decide the rest, a sweep
// that was interrupted comes to the same cases again.

#include <memory>
#include <optional>

#include "berth/analysis/sweep_table.h"

namespace berth {

class CaseSource {
 public:
  virtual ~CaseSource() = default;

  // The cases behind those of the call before, which are finished now; nothing when that was all. The first
  // call comes without a store.
  virtual std::optional<CaseRange> next(const CaseStore* done, Problems& problems) = 0;
  // Of a case that next() has named.
  virtual std::vector<Cell> inputs(std::uint64_t number) const = 0;
  // How many there will be, as far as is known.
  virtual std::uint64_t expect() const = 0;
  // At the end: what was found goes into the sweep.
  virtual void conclude(Sweep& /*sweep*/) const {}
};

// As the sweep's study says; problems where that cannot be done.
std::unique_ptr<CaseSource> open_source(const Sweep& sweep, Problems& problems);

// All cases of a plan, or of one part of it.
class PlannedCases : public CaseSource {
 public:
  explicit PlannedCases(const Sweep& sweep) : sweep_(sweep) {}
  std::optional<CaseRange> next(const CaseStore* done, Problems& problems) override;
  std::vector<Cell> inputs(std::uint64_t number) const override {
    return sweep_.plan.inputs(number);
  }
  std::uint64_t expect() const override { return find_range().last - find_range().first; }

 private:
  CaseRange find_range() const {
    const std::uint64_t cases = sweep_.plan.cases();
    return {sweep_.part.first(cases), sweep_.part.last(cases)};
  }
  const Sweep& sweep_;
};

}  // namespace berth

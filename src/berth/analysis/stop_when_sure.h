// SPDX-License-Identifier: Apache-2.0
#pragma once

// StopWhenSure — draws until a probability is known as well as wanted.
//
//   --until 'captured ±0.5 % at 95 %'
//
// Results are checked after numbers of cases that are fixed beforehand, so that the same cases are run
// whatever the number of threads. The interval must hold however often that is done:
//
//   random design    a confidence sequence (statistics/confidence_sequence.h)
//   sobol, halton    Student's t over the randomisations, check k with confidence 1 − α / k (k + 1)
//                    (statistics/replicates.h)

#include "berth/analysis/case_source.h"
#include "berth/analysis/criterion.h"
#include "berth/statistics/proportion.h"

namespace berth {

struct Until {
  Criterion criterion;
  double half_width;  // as a fraction
  double confidence;
};
// Nothing, and a problem, where it cannot be understood.
std::optional<Until> read_until(const std::string& text, Problems& problems);

class StopWhenSure : public CaseSource {
 public:
  StopWhenSure(const Sweep& sweep, Problems& problems);

  std::optional<CaseRange> next(const CaseStore* done, Problems& problems) override;
  std::vector<Cell> inputs(std::uint64_t number) const override {
    return sweep_.plan.inputs(number);
  }
  std::uint64_t expect() const override { return expected_; }
  void conclude(Sweep& sweep) const override;

 private:
  std::uint64_t find_next_check(std::uint64_t before) const;
  Proportion find_interval() const;

  const Sweep& sweep_;
  std::optional<Until> until_;
  std::uint64_t seen_ = 0, checks_ = 0, expected_;
  std::vector<std::uint64_t> met_, trials_;  // of every randomisation
  Proportion interval_{0, 0, 1};
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// RareEvents — the probability of what hardly ever happens, by subset simulation (search/subset_simulation.h).
//
//   --rare 'contacts.tip.force_peak > 400'
//
// Inputs are drawn in the space of independent standard normal numbers, each turned into its distribution
// (sweep_plan.h). Every case that was run is a row of the table; `--samples` is how many each of the
// replicates has on every level.

#include "berth/analysis/case_source.h"
#include "berth/analysis/criterion.h"
#include "berth/search/subset_simulation.h"

namespace berth {

class RareEvents : public CaseSource {
 public:
  RareEvents(const Sweep& sweep, Problems& problems);

  std::optional<CaseRange> next(const CaseStore* done, Problems& problems) override;
  std::vector<Cell> inputs(std::uint64_t number) const override {
    return sweep_.plan.from_normal(points_.at(number));
  }
  std::uint64_t expect() const override;
  void conclude(Sweep& sweep) const override;

 private:
  const Sweep& sweep_;
  std::optional<Criterion> criterion_;
  std::optional<SubsetSimulation> search_;
  std::vector<std::vector<double>> points_;  // standard normal numbers of every case
  std::uint64_t recorded_ = 0;               // cases whose results the search knows
};

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// DesignSearch — which values of chosen inputs are best, by CMA-ES (search/cma_es.h).
//
// Every design is judged by cases with the dispersed inputs drawn anew, the same draws for all designs of a
// generation: they are compared on equal terms. The next generation has other draws, so that the search
// does not fit the design to one set of them. At the end the design it started from and the best one are judged by cases that the search
// has not seen.
//
// Two goals: each alone, then three weightings of both (search/front.h). All designs together have the front.
//
// The worst case is sought over the dispersed inputs themselves, within three standard deviations.

#include "berth/analysis/case_source.h"
#include "berth/analysis/goal.h"
#include "berth/search/cma_es.h"
#include "berth/search/front.h"

namespace berth {

class DesignSearch : public CaseSource {
 public:
  DesignSearch(const Sweep& sweep, Problems& problems);

  std::optional<CaseRange> next(const CaseStore* done, Problems& problems) override;
  std::vector<Cell> inputs(std::uint64_t number) const override;
  std::uint64_t expect() const override;
  void conclude(Sweep& sweep) const override;

 private:
  struct Tried {
    std::vector<double> x;         // of every input, 0 … 1
    std::uint64_t first, count;    // cases
    std::uint64_t draws;           // number of its first draw
    std::vector<double> values{};  // of the goals, as they are
    double violation = 0;
  };
  // What is minimised: one goal, or both by weight.
  struct Search {
    double weight;  // of the first goal: 1, 0, or between
    std::optional<CmaEs> method{};
  };

  void judge(const CaseStore& done, Problems& problems);
  bool ask_search();
  void ask_confirmation();
  void record_answers();
  double find_scalar(const Tried& design) const;
  void add(std::vector<double> x, std::uint64_t count, std::uint64_t draws);
  double find_signed(const Tried& design, std::size_t goal) const;
  std::vector<double> find_start() const;
  std::vector<Cell> find_dispersed(const std::vector<double>& x) const;
  std::vector<double> find_values(const std::vector<double>& x) const;
  nlohmann::ordered_json to_json(const Tried& design) const;

  const Sweep& sweep_;
  bool is_worst_ = false;
  std::uint64_t samples_ = 1, budget_ = 0, confirmation_ = 0;
  std::vector<std::vector<std::size_t>> keys_;  // of each input that is searched: places
  std::vector<double> low_, high_, start_;
  std::vector<Goal> goals_;
  std::vector<GoalLimit> constraints_;
  std::vector<Search> searches_;
  std::size_t search_ = 0;
  std::uint64_t generation_ = 0;
  std::vector<Tried> designs_;
  std::size_t known_ = 0;  // designs that are judged
  bool is_confirming_ = false;
  std::string why_;
  nlohmann::ordered_json history_ = nlohmann::ordered_json::array();
};

}  // namespace berth

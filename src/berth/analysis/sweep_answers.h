// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a sweep answers, with how sure it is: how probable it is that all is as expected, what loads one must
// reckon with, which input matters.
//
// Intervals have a confidence of 95 %. That of a probability is exact for random draws (statistics/
// proportion.h); of other designs it comes from their independent randomisations (statistics/replicates.h).
// Percentiles come from order statistics, whatever the distribution (statistics/percentiles.h). Which input
// matters is Spearman's rank correlation (statistics/ranks.h), and where they were asked for, Sobol's indices
// (statistics/sensitivity.h).

#include <functional>
#include <optional>

#include <nlohmann/json.hpp>

#include "berth/analysis/sweep_plan.h"
#include "berth/statistics/percentiles.h"
#include "berth/statistics/proportion.h"
#include "berth/statistics/sensitivity.h"

namespace berth {

// The cases of a sweep, column by column, wherever they are.
struct AnswerSource {
  const SweepPlan& plan;
  std::uint64_t first = 0, last = 0;  // numbers of cases
  std::vector<double> good;           // 1: as expected
  std::vector<std::string> outputs;   // names of those that are numbers
  std::function<std::vector<double>(std::size_t output)> numbers;
  std::uint64_t checks = 0;  // of a stopping rule
};

// The share that is as expected. After `checks` of a stopping rule the interval is one that holds however
// often it was checked; 0: the number of cases was fixed.
Proportion find_share(const SweepPlan& plan, std::uint64_t first, std::span<const double> good,
                      std::uint64_t checks = 0);

struct OutputAnswers {
  std::string name;
  std::optional<Interval> median{}, p95{}, p99{};  // none where there is no number, or a grid
  std::optional<double> bound{};  // 99/95: 99 % of all cases lie below it, with 95 % confidence
  std::vector<Interval> ranks{};  // of every random input; none where it is a text
  std::vector<SensitivityIndex> sobol{};  // of every random input
  std::uint64_t left_out = 0;             // samples without a number, of Sobol's indices
};

struct SweepAnswers {
  Proportion share{};
  std::vector<std::string> inputs;     // random ones
  std::vector<OutputAnswers> outputs;  // the first is as_expected, without percentiles
  std::uint64_t ranked = 0;            // cases that the ranks are of: the first ones
};
SweepAnswers find_answers(const AnswerSource& source);

// Lines for a terminal; empty where nothing is random.
std::string describe(const SweepAnswers& answers);
nlohmann::ordered_json to_json(const SweepAnswers& answers);

}  // namespace berth

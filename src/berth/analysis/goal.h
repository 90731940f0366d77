// SPDX-License-Identifier: Apache-2.0
#pragma once

// Goal — a number that the cases of one design come to, to be made large or small, or held within a limit.
//
//   captured                           share of cases of which a criterion holds (criterion.h), 0 … 1
//   contacts.tip.force_peak > 400      likewise
//   mean(contacts.tip.force_peak)      mean of a collected number
//   p95(contacts.tip.force_peak)       95 % of the cases lie below it; any of p1 … p99
//   max(contacts.tip.force_peak)       its largest
//
// A constraint is a goal and its limit: p95(contacts.tip.force_peak) < 400.

#include <span>

#include "berth/analysis/criterion.h"

namespace berth {

struct Goal {
  enum class Kind { share, mean, percentile, largest };
  Kind kind = Kind::share;
  double below = 0;       // of a percentile, 0 … 1
  Criterion criterion{};  // of a share; its name is the path of a number elsewhere
  bool maximise = false;

  std::string text() const;
};
std::optional<Goal> read_goal(std::string_view text, bool maximise, const char* option,
                              Problems& problems);

struct GoalLimit {
  Goal goal;
  bool above = false;  // whether it is to lie above its limit
  double limit = 0;
};
std::optional<GoalLimit> read_goal_limit(std::string_view text, const char* option,
                                         Problems& problems);
std::string describe(const GoalLimit& constraint);
// How far a value is beyond the limit, as a share of it; 0 when it holds.
double find_violation(const GoalLimit& constraint, double value);

// A goal as the cases of a study answer it.
class GoalReader {
 public:
  GoalReader(const Goal& goal, const std::vector<Collected>& columns, const char* option,
             Problems& problems);
  // What one case contributes.
  double read(const CaseResult& result) const;
  // What all come to; cases without a number are left out, and NaN is what is left when none has one.
  double find(std::vector<double> contributions) const;

 private:
  Goal goal_;
  std::optional<Judge> judge_;
  std::size_t place_ = 0;
};

}  // namespace berth

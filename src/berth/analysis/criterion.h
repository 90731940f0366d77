// SPDX-License-Identifier: Apache-2.0
#pragma once

// Criterion — a question that a case answers with yes or no, or with a number.
//
//   as_expected                        completed, and [expect] is met
//   captured                           that is its verdict, or its outcome
//   contacts.tip.force_peak > 400      a collected number beyond, or below, a limit
//
// Goals of a search are made of the same names (optimise.h).

#include <optional>
#include <string>
#include <string_view>

#include "berth/analysis/case_store.h"
#include "berth/scenario/problem.h"

namespace berth {

struct Criterion {
  std::string name;   // as_expected, a verdict, or the path of a number
  bool above = true;  // of a number: whether it is to lie above the limit, or below
  std::optional<double> limit{};

  bool is_number() const { return limit.has_value(); }
};

// Nothing, and a problem of `option`, where it cannot be understood.
std::optional<Criterion> read_criterion(std::string_view text, const char* option,
                                        Problems& problems);
std::string describe(const Criterion& criterion);

// A criterion as the cases of a sweep answer it.
class Judge {
 public:
  // A problem when there is no such number among the columns.
  Judge(const Criterion& criterion, const std::vector<Collected>& columns, const char* option,
        Problems& problems);
  bool is_met(const CaseResult& result) const;
  // How far it is met: positive beyond the limit. NaN where the case has no such number.
  double find_excess(const CaseResult& result) const;

 private:
  Criterion criterion_;
  std::size_t place_ = 0;
};

// A word that no case has as verdict or outcome, though one has a similar one, is a slip: a problem.
void check_word(const Criterion& criterion, const CaseStore& store, CaseRange range,
                const char* option, Problems& problems);

// The place of a collected number, by its path; nothing, and a problem, where there is none.
std::optional<std::size_t> find_number_place(const std::string& path,
                                             const std::vector<Collected>& columns,
                                             const char* option, Problems& problems);

}  // namespace berth

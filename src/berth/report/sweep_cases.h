// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cases of a sweep as its page groups and draws them (sweep_page.h).

#include <cstdint>
#include <string>
#include <vector>

#include "berth/analysis/sweep_map.h"
#include "berth/statistics/column_statistics.h"

namespace berth {

struct CaseClass {
  std::string name;
  bool good;  // as expected
  std::uint64_t count = 0;
};

struct CaseClasses {
  std::vector<CaseClass> list;   // good ones first, then by count
  std::vector<std::uint8_t> of;  // of every case
};
// At most three good ones and five others; what is rarer is "other".
CaseClasses find_classes(const SweepTable& table, const std::vector<double>& as_expected);

// The pieces of an input, or none of one varied by texts. A key with many values is cut into twelve
// equal pieces, in the logarithm where it is spaced so.
std::optional<MapAxis> build_page_axis(const Vary& key, const std::string& unit);

// The bins of a histogram: equal pieces from the least to the largest value.
struct Bins {
  std::vector<double> edges;
  bool log = false;
  std::size_t find(double x) const;
};
Bins build_bins(const Statistics& s, bool log);
// Positive, and spread over a factor of more than a thousand.
bool is_spread_wide(const Statistics& s);

// The case numbers of the largest (or smallest) finite values of a column, the most extreme first.
std::vector<std::uint64_t> find_extremes(const std::vector<double>& column, std::size_t most,
                                         bool largest);

// Which cases are points.
struct CasePoints {
  std::vector<std::uint64_t> cases;  // ascending
  std::uint64_t failures = 0;        // of them, not as expected
};
// `always` are in whatever the limit.
CasePoints choose_points(const std::vector<double>& as_expected, std::size_t limit,
                         const std::vector<std::uint64_t>& always);

// "berth run --case N FILE": the name so that a shell reads it back.
std::string quote_for_shell(const std::string& name);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunTable — one run as a figure needs it: some channels over time, and the summary.

#include <string>
#include <string_view>
#include <vector>

#include "berth/simulate/summary.h"

namespace berth {

class RunTable {
 public:
  RunTable() = default;
  // As CsvWriter writes it.
  explicit RunTable(std::string_view csv);

  // A number by its name: "servicer.omega_BN_B.x"; "time". Throws std::out_of_range.
  const std::vector<double>& column(std::string_view name) const;
  bool has(std::string_view name) const;
  const std::vector<double>& time() const { return column("time"); }

  // One of `numbers`, or of the summary: number("docks.joint.force_peak"). NaN when there is none.
  double number(std::string_view path) const;

  Summary summary;
  Keyed<double> numbers;  // of an analysis that was made in place of a run

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace berth

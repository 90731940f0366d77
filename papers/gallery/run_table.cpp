// SPDX-License-Identifier: Apache-2.0
#include "papers/gallery/run_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace berth {

RunTable::RunTable(std::string_view csv) {
  bool head = true;
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    std::string_view line = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    for (std::size_t k = 0; !line.empty(); ++k) {
      const std::size_t comma = std::min(line.find(','), line.size());
      const std::string_view field = line.substr(0, comma);
      line.remove_prefix(std::min(comma + 1, line.size()));
      if (head) {
        names_.emplace_back(field.substr(0, field.find(" [")));
        columns_.emplace_back();
      } else if (k < columns_.size()) {
        double x = NAN;
        std::from_chars(field.data(), field.data() + field.size(), x);
        columns_[k].push_back(x);
      }
    }
    head = false;
  }
}

const std::vector<double>& RunTable::column(std::string_view name) const {
  for (std::size_t k = 0; k < names_.size(); ++k)
    if (names_[k] == name) return columns_[k];
  throw std::out_of_range("no column " + std::string(name));
}

bool RunTable::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

double RunTable::number(std::string_view path) const {
  for (const auto& [name, value] : numbers)
    if (name == path) return value;
  return find_number(summary, path);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/report/run_table.h"

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

double RunTable::rms(std::string_view name, double from, double to) const {
  const std::vector<double>&t = time(), &x = column(name);
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to) sum += x[i] * x[i], ++n;
  return std::sqrt(sum / n);
}

double RunTable::largest(std::string_view name, double from, double to) const {
  const std::vector<double>&t = time(), &x = column(name);
  double most = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to) most = std::max(most, std::fabs(x[i]));
  return most;
}

double RunTable::at(std::string_view name, double when) const {
  const std::vector<double>&t = time(), &x = column(name);
  if (t.empty()) return NAN;
  const auto next = std::lower_bound(t.begin(), t.end(), when);
  if (next == t.begin()) return x.front();
  if (next == t.end()) return x.back();
  const auto j = static_cast<std::size_t>(next - t.begin());
  const double s = (when - t[j - 1]) / (t[j] - t[j - 1]);
  return s == 1 ? x[j] : (1 - s) * x[j - 1] + s * x[j];
}

double RunTable::number(std::string_view path) const {
  for (const auto& [name, value] : numbers)
    if (name == path) return value;
  return find_number(summary, path);
}

}  // namespace berth

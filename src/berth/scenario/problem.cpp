// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/problem.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace berth {
namespace {

// Levenshtein distance: insertions, deletions and substitutions.
std::size_t find_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

Place Problems::place_around(std::string_view path) const {
  for (;;) {
    if (const auto at = places.find(path); at != places.end()) return at->second;
    const std::size_t dot = path.find_last_of('.');
    if (dot == std::string_view::npos) return {};
    path = path.substr(0, dot);
  }
}

void Problems::add(const std::string& path, std::string message) {
  add(place_around(path), path, std::move(message));
}

std::string Problems::where(std::string_view path) const {
  const Place place = place_around(path);
  const std::string& from = place.file.empty() ? file : place.file;
  return place.line > 0 ? fmt::format("{}:{}", from, place.line) : from;
}

std::string describe(const Problem& p) {
  std::string out = p.file;
  if (p.place.line > 0) out += fmt::format(":{}:{}", p.place.line, p.place.column);
  if (!p.path.empty()) out += "  " + p.path + " —";
  return out + (p.path.empty() ? "  " : " ") + p.message;
}

std::string_view find_nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  // More than a third of the letters wrong is another word, not a slip.
  std::size_t nearest = 1 + word.size() / 3;
  for (std::string_view c : candidates) {
    const std::size_t d = find_distance(word, c);
    if (d <= nearest && (best.empty() || d < nearest)) best = c, nearest = d;
  }
  return best;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/model/suggest.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string suggest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = find_nearest(word, views);
  if (!near.empty()) return fmt::format("; did you mean {}?", near);
  if (names.empty()) return "; there is none";
  return fmt::format("; there is {}", fmt::join(names, ", "));
}

}  // namespace berth

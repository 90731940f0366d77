// SPDX-License-Identifier: Apache-2.0
#pragma once

// What may be meant by a name that does not exist.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "berth/scenario/problem.h"

namespace berth {

// "; did you mean …?" or the list of what there is.
inline std::string suggest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = find_nearest(word, views);
  if (!near.empty()) return fmt::format("; did you mean {}?", near);
  if (names.empty()) return "; there is none";
  return fmt::format("; there is {}", fmt::join(names, ", "));
}

}  // namespace berth

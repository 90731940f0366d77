// SPDX-License-Identifier: Apache-2.0
#pragma once

// What may be meant by a name that does not exist.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// The candidate nearest to `word` in spelling, or empty when none is near.
std::string_view find_nearest(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean …?" or the list of what there is.
std::string suggest(std::string_view word, const std::vector<std::string>& names);

}  // namespace berth

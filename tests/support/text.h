// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strings and what they say.

#include <string>
#include <vector>

#include "berth/scenario/problem.h"

namespace berth::test {

using Strings = std::vector<std::string>;

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The first words, then the others.
inline Strings with(Strings words, const Strings& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Every problem as the user reads it, one a line.
inline std::string all_of(const Problems& problems) {
  std::string out;
  for (const Problem& p : problems.list) out += describe(p) + "\n";
  return out;
}

}  // namespace berth::test

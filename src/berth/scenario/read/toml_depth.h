// SPDX-License-Identifier: Apache-2.0
#pragma once

// TOML nests in two ways: brackets within brackets, which the parser bounds, and dots in keys, which
// it does not. `a.a.a.a…` a hundred thousand times makes as many tables, one inside the other, and the
// stack is too short to walk them.

#include <cctype>
#include <string_view>

namespace berth {

// Whether a line has a key, or anything else, of more than 200 dots. The one dot of a number in a
// list, and lines of comment, do not count.
inline bool has_deep_key(std::string_view text) {
  constexpr int most = 200;
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  int dots = 0;
  bool line_begins = true, in_comment = false, in_number = false;
  bool in_word = false;  // since the last space, bracket or comma stands something no number has
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      line_begins = true, in_comment = in_number = in_word = false, dots = 0;
    } else if (line_begins && c != ' ' && c != '\t') {
      line_begins = false, in_comment = c == '#';
    }
    if (in_comment) continue;
    if (c == '.') {
      const bool of_number = !in_number && !in_word && i > 0 && is_digit(i - 1) && is_digit(i + 1);
      in_number = true;
      if (!of_number && ++dots > most) return true;
    } else if (!is_digit(i)) {
      in_number = false;
      const bool parts = c == ' ' || c == '\t' || c == ',' || c == '[' || c == '{' || c == '=';
      in_word = !parts && (in_word || (c != '+' && c != '-'));
    }
  }
  return false;
}

}  // namespace berth

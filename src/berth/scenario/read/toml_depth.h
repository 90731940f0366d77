// SPDX-License-Identifier: Apache-2.0
#pragma once

// TOML nests by brackets within brackets and by dots in keys. `a.a.a.a…` a hundred thousand times makes
// as many tables, one inside the other, and the stack is too short to walk them: depth is measured
// before the text is parsed.

#include <optional>
#include <string_view>

namespace berth {

// Levels of tables and lists, one inside the other, that a scenario or a setting may have.
inline constexpr int kDeepestToml = 64;

struct TomlPlace {
  int line = 1, column = 1;
};

// Where a text first nests deeper than that. Every word of a key is a level, and so is every bracket of
// a value: `[a.b]`, `c.d = [{e = 1}]` has seven. Dots and brackets in strings and comments are none, nor
// is the dot of a number.
std::optional<TomlPlace> find_too_deep(std::string_view text);

}  // namespace berth

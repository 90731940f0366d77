// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/toml_depth.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace berth {
namespace {

// The end of the string that begins at `from`: what follows its last quote, or, of one that never
// ends, the end of its line or of the text.
std::size_t end_of_string(std::string_view text, std::size_t from) {
  const char quote = text[from];
  const bool has_escapes = quote == '"';
  const bool is_long = text.substr(from, 3) == std::string(3, quote);
  std::size_t i = from + (is_long ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (has_escapes && text[i] == '\\') {
      ++i;
    } else if (!is_long && text[i] == '\n') {
      return i;
    } else if (text[i] == quote && (!is_long || text.substr(i, 3) == std::string(3, quote))) {
      if (!is_long) return i + 1;
      i += 3;
      // Up to two quotes before the three that end it belong to the string.
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    }
  }
  return text.size();
}

// Reads a text once, from left to right, and keeps how deep it is in brackets and keys.
class DepthMeter {
 public:
  explicit DepthMeter(std::string_view text) : text_(text) {}

  std::optional<TomlPlace> find_too_deep() {
    for (std::size_t i = 0; i < text_.size();) {
      if (depth() > kDeepestToml) return place_of(i);
      i = pass(i);
    }
    return depth() > kDeepestToml ? std::optional(place_of(text_.size())) : std::nullopt;
  }

 private:
  // What stands inside a pair of brackets, or, outermost, below a header.
  struct Level {
    int depth = 0;  // of the table or list itself
    bool is_list = false;
  };

  int depth() const { return open_.back().depth + words_; }
  bool is_outermost() const { return open_.size() == 1; }
  // A word of a key makes a table; of values, and in lists, none does.
  bool is_key() const { return !in_value_ && !open_.back().is_list; }

  // Takes what begins at `i` and returns where the next begins.
  std::size_t pass(std::size_t i) {
    const char c = text_[i];
    switch (c) {
      case '#': return std::min(text_.find('\n', i), text_.size());
      case '\n':
        if (is_outermost()) begin_line();
        return i + 1;
      case ' ':
      case '\t':
      case '\r': return i + 1;
      case '[':
      case '{': open(c); return i + 1;
      case ']':
      case '}': close(); return i + 1;
      case ',': begin_key(); return i + 1;
      case '=': in_value_ = true; break;
      case '.':
        if (is_key()) ++words_;
        break;
      default:
        if (is_key() && words_ == 0) words_ = 1;
    }
    line_begins_ = false;
    return c == '"' || c == '\'' ? end_of_string(text_, i) : i + 1;
  }

  void begin_line() {
    line_begins_ = true, in_header_ = false;
    begin_key();
  }

  void begin_key() { words_ = 0, in_value_ = false; }

  void open(char bracket) {
    const bool is_header = line_begins_ && bracket == '[';
    if (is_header) {
      // A second bracket is that of a list of tables, a level of its own.
      open_.front().depth = in_header_ ? 1 : 0;
      in_header_ = true;
      begin_key();
      return;
    }
    open_.push_back({depth() + 1, bracket == '['});
    line_begins_ = false;
    begin_key();
  }

  void close() {
    if (in_header_) {
      open_.front().depth += words_;
      in_header_ = false;
      begin_key();
      in_value_ = true;  // nothing may follow on the line
      return;
    }
    if (is_outermost()) return;
    open_.pop_back();
    words_ = 0, in_value_ = true;
  }

  TomlPlace place_of(std::size_t i) const {
    const std::string_view before = text_.substr(0, i);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;  // of the first line: npos + 1 = 0
    return {static_cast<int>(lines) + 1, static_cast<int>(i - line_begin) + 1};
  }

  std::string_view text_;
  std::vector<Level> open_{{}};
  int words_ = 0;  // of the key that is being read
  bool line_begins_ = true, in_header_ = false, in_value_ = false;
};

}  // namespace

std::optional<TomlPlace> find_too_deep(std::string_view text) {
  return DepthMeter(text).find_too_deep();
}

}  // namespace berth

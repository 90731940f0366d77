// SPDX-License-Identifier: Apache-2.0
#pragma once

// All that a program says goes through here: to standard output with print(), to standard error with
// complain() and a StatusLine. Texts of others cannot command the terminal (visible_text.h).

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace berth {

void print(std::string_view text);
// The same with `met` and `FAILED` coloured, on a terminal and unless NO_COLOR is set.
void print_painted(std::string_view text);

// When standard error is full too, the exit code still says so.
void write_complaint(std::string_view text);
template <class... Parts>
void complain(fmt::format_string<Parts...> text, Parts&&... parts) {
  write_complaint(fmt::format(text, std::forward<Parts>(parts)...));
}

// The last call of a program. A full disk behind standard output must not pass for success: `code`, or 1 when
// something printed is lost.
int end_output(int code);

// A line on standard error that is written over; nothing where that is no terminal.
class StatusLine {
 public:
  explicit StatusLine(bool wanted);
  bool is_shown() const { return is_terminal_; }
  void show(std::string_view text);
  void clear();

 private:
  bool is_terminal_, has_text_ = false;
};

}  // namespace berth

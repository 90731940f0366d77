// SPDX-License-Identifier: Apache-2.0
#include "berth/program/console.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "berth/program/last_resort.h"
#include "berth/program/visible_text.h"

namespace berth {
namespace {

int g_output_error = 0;  // errno of the first failure to print

void write_output(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && g_output_error == 0)
    g_output_error = errno;
}

}  // namespace

void print(std::string_view text) { write_output(make_visible(text)); }

void print_painted(std::string_view plain) {
  std::string text = make_visible(plain);
  const auto colour = [&](const std::string& word, const char* code) {
    for (std::size_t at = 0; (at = text.find("\n  " + word, at)) != std::string::npos;) {
      const std::string painted = fmt::format("\n  \033[{}m{}\033[0m", code, word);
      text.replace(at, word.size() + 3, painted);
      at += painted.size();
    }
  };
  if (isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {
    colour("met   ", "32");
    colour("FAILED", "1;31");
  }
  write_output(text);
}

void write_complaint(std::string_view text) { std::fputs(make_visible(text).c_str(), stderr); }

int end_output(int code) {
  note_orderly_end();
  if (std::fflush(stdout) != 0 && g_output_error == 0) g_output_error = errno;
  if (g_output_error == 0) return code;
  complain("berth: standard output: {}\n", std::strerror(g_output_error));
  return code == 0 ? 1 : code;
}

StatusLine::StatusLine(bool wanted) : is_terminal_(wanted && isatty(STDERR_FILENO) != 0) {}

void StatusLine::show(std::string_view text) {
  if (!is_terminal_) return;
  std::fputs(("\r" + make_visible(text) + "\033[K").c_str(), stderr);
  std::fflush(stderr);
  has_text_ = true;
}

void StatusLine::clear() {
  if (has_text_) std::fputs("\r\033[K", stderr);
  has_text_ = false;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/live/datagram_files.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/live/datagram_text.h"

namespace berth {
namespace {

// --- letters -------------------------------------------------------------------------------------

constexpr char32_t kNoLetter = 0xFFFD;

// Code points of UTF-8; kNoLetter for bytes that are none.
std::vector<char32_t> find_code_points(std::string_view text) {
  std::vector<char32_t> out;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t letter = size == 1 ? first : first & (0xFF >> (size + 1));
    bool is_whole = (first < 0x80 || first >= 0xC2) && first < 0xF5 && text.size() >= size;
    for (std::size_t i = 1; is_whole && i < size; ++i) {
      const auto next = static_cast<unsigned char>(text[i]);
      is_whole = (next & 0xC0) == 0x80;
      letter = letter << 6 | (next & 0x3F);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    is_whole = is_whole && letter >= kLeast[size] && letter <= 0x10FFFF &&
               (letter < 0xD800 || letter > 0xDFFF);
    out.push_back(is_whole ? letter : kNoLetter);
    text.remove_prefix(is_whole ? size : 1);
  }
  return out;
}

void add_utf8(std::string& to, char32_t letter) {
  const auto add = [&](char32_t bits) { to += static_cast<char>(bits); };
  if (letter < 0x80) return add(letter);
  if (letter < 0x800) {
    add(0xC0 | letter >> 6);
  } else {
    add(0xE0 | letter >> 12);
    add(0x80 | (letter >> 6 & 0x3F));
  }
  add(0x80 | (letter & 0x3F));
}

// Letters that cannot change the order or the place of those around them.
bool is_harmless(char32_t letter) {
  const auto within = [letter](char32_t least, char32_t most) {
    return letter >= least && letter <= most;
  };
  return within(' ', '~') || within(0xA1, 0xAC) || within(0xAE, 0x2FF) || within(0x370, 0x3FF) ||
         within(0x2010, 0x2027) || within(0x2030, 0x205E) || within(0x2070, 0x22FF);
}

std::string keep_harmless(std::string_view text) {
  std::string out;
  for (const char32_t letter : find_code_points(text))
    add_utf8(out, is_harmless(letter) ? letter : U'_');
  return out;
}

// --- identifiers ---------------------------------------------------------------------------------

// Keywords of C, C++ and Python in small letters, and macros that compilers and systems define.
const std::set<std::string_view>& list_reserved() {
  static const std::set<std::string_view> reserved{"alignas",
                                                   "alignof",
                                                   "and",
                                                   "and_eq",
                                                   "as",
                                                   "asm",
                                                   "assert",
                                                   "async",
                                                   "atomic_cancel",
                                                   "atomic_commit",
                                                   "atomic_noexcept",
                                                   "auto",
                                                   "await",
                                                   "bitand",
                                                   "bitor",
                                                   "bool",
                                                   "break",
                                                   "case",
                                                   "catch",
                                                   "char",
                                                   "char16_t",
                                                   "char32_t",
                                                   "char8_t",
                                                   "class",
                                                   "co_await",
                                                   "co_return",
                                                   "co_yield",
                                                   "compl",
                                                   "concept",
                                                   "const",
                                                   "const_cast",
                                                   "consteval",
                                                   "constexpr",
                                                   "constinit",
                                                   "continue",
                                                   "decltype",
                                                   "def",
                                                   "default",
                                                   "del",
                                                   "delete",
                                                   "do",
                                                   "double",
                                                   "dynamic_cast",
                                                   "elif",
                                                   "else",
                                                   "enum",
                                                   "errno",
                                                   "except",
                                                   "explicit",
                                                   "export",
                                                   "extern",
                                                   "false",
                                                   "far",
                                                   "finally",
                                                   "float",
                                                   "for",
                                                   "friend",
                                                   "from",
                                                   "global",
                                                   "goto",
                                                   "huge",
                                                   "i386",
                                                   "if",
                                                   "import",
                                                   "in",
                                                   "inline",
                                                   "int",
                                                   "interface",
                                                   "is",
                                                   "lambda",
                                                   "linux",
                                                   "long",
                                                   "mutable",
                                                   "namespace",
                                                   "near",
                                                   "new",
                                                   "noexcept",
                                                   "nonlocal",
                                                   "not",
                                                   "not_eq",
                                                   "nullptr",
                                                   "operator",
                                                   "or",
                                                   "or_eq",
                                                   "pascal",
                                                   "pass",
                                                   "private",
                                                   "protected",
                                                   "public",
                                                   "raise",
                                                   "reflexpr",
                                                   "register",
                                                   "reinterpret_cast",
                                                   "requires",
                                                   "restrict",
                                                   "return",
                                                   "self",
                                                   "short",
                                                   "signed",
                                                   "sizeof",
                                                   "small",
                                                   "static",
                                                   "static_assert",
                                                   "static_cast",
                                                   "stderr",
                                                   "stdin",
                                                   "stdout",
                                                   "struct",
                                                   "sun",
                                                   "switch",
                                                   "synchronized",
                                                   "template",
                                                   "this",
                                                   "thread_local",
                                                   "throw",
                                                   "true",
                                                   "try",
                                                   "typedef",
                                                   "typeid",
                                                   "typename",
                                                   "typeof",
                                                   "union",
                                                   "unix",
                                                   "unsigned",
                                                   "using",
                                                   "vax",
                                                   "virtual",
                                                   "void",
                                                   "volatile",
                                                   "wchar_t",
                                                   "while",
                                                   "win32",
                                                   "with",
                                                   "xor",
                                                   "xor_eq",
                                                   "yield"};
  return reserved;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string find_identifier(std::string_view name) {
  std::string out;
  for (const char32_t letter : find_code_points(name)) {
    const char c = letter < 0x80 ? static_cast<char>(letter) : '_';
    out += is_letter(c) || is_digit(c) ? c : '_';
  }
  if (out.empty() || !is_letter(out[0])) out.insert(0, "n_");
  // Macros have no small letter, or only in a name of ours; None, True and False are Python's.
  const bool may_be_macro =
      std::none_of(out.begin(), out.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (may_be_macro || out.starts_with("berth_") || list_reserved().contains(out) || out == "None" ||
      out == "True" || out == "False")
    out += '_';
  return out;
}

}  // namespace

std::vector<NamedSignal> name_signals(const std::vector<Simulation::Signal>& signals) {
  std::vector<NamedSignal> out;
  std::set<std::string> taken;
  std::size_t first = 0;
  for (const Simulation::Signal& s : signals) {
    const std::string wanted = find_identifier(s.name);
    std::string given = wanted;
    for (int k = 2; !taken.insert(given).second; ++k) given = fmt::format("{}_{}", wanted, k);
    out.push_back({s, given, first});
    first += out.back().width();
  }
  return out;
}

std::string NamedSignal::unit_and_axes() const {
  return fmt::format("[{}]{}", signal.unit.empty() ? "-" : signal.unit,
                     signal.frame.empty() ? "" : ", axes " + signal.frame);
}

std::string safe_comment(std::string_view text) {
  std::string out;
  for (const char c : keep_harmless(text)) {
    const char last = out.empty() ? ' ' : out.back();
    if ((last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?'))
      out += ' ';
    out += c == '\\' ? '_' : c;
  }
  return out;
}

std::string python_literal(std::string_view text) {
  std::string out = "\"";
  for (const char32_t letter : find_code_points(text)) {
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += static_cast<char>(letter);
    } else if (letter >= ' ' && letter <= '~') {
      out += static_cast<char>(letter);
    } else {
      out += fmt::format("\\U{:08x}", static_cast<std::uint32_t>(letter));
    }
  }
  return out + "\"";
}

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : keep_harmless(text)) {
    if (std::string_view("\\`*_[]<>|~&#!$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_name(std::string_view text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
  });
  return is_plain ? fmt::format("`{}`", text) : markdown_text(text);
}

std::string hex_text(std::uint64_t x) { return fmt::format("0x{:016x}", x); }

std::vector<ExportedFile> write_datagram_files(const DatagramLayout& layout,
                                               const std::string& title) {
  const auto check = [](std::string_view what, std::size_t count) {
    if (count > kMostNumbers)
      throw std::invalid_argument(
          fmt::format("{} are {} numbers; a datagram of at most {} bytes has room for {}", what,
                      count, kMostDatagramBytes, kMostNumbers));
  };
  check("measures", layout.measure_count());
  check("commands", layout.command_count());
  return {{"berth_datagram.h", write_datagram_header(layout, title)},
          {"berth_datagram.py", write_datagram_module(layout, title)},
          {"datagrams.md", write_datagram_page(layout, title)}};
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/program/visible_text.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace berth {
namespace {

struct Character {
  char32_t code;
  std::size_t bytes;
};

// Nothing where the bytes are no UTF-8.
std::optional<Character> read_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return Character{first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return std::nullopt;
  char32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return std::nullopt;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_half = code >= 0xd800 && code <= 0xdfff;
  if (code < least[bytes] || code > 0x10ffff || is_half) return std::nullopt;
  return Character{code, bytes};
}

bool is_command(char32_t c) {
  return (c < 0x20 && c != U'\n') || (c >= 0x7f && c <= 0x9f) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string make_visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::optional<Character> c = read_character(text);
    const std::size_t bytes = c ? c->bytes : 1;
    if (!c) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (!is_command(c->code)) {
      out += text.substr(0, bytes);
    } else {
      const auto code = static_cast<std::uint32_t>(c->code);
      out += code < 0x20 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace berth

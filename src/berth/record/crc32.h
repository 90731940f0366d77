// SPDX-License-Identifier: Apache-2.0
#pragma once

// CRC-32 (IEEE 802.3, polynomial 0xEDB88320 with the lowest bit first): detects damage, not malice.
//
// Eight bytes at a time: table k has the remainder of a byte that k more bytes follow, and remainders
// add (exclusive or), so that those of eight bytes come from eight tables at once.

#include <array>
#include <cstdint>
#include <string_view>

namespace berth {

namespace detail {
constexpr std::array<std::array<std::uint32_t, 256>, 8> kCrcTables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t i = 0; i < 256; ++i)
      tables[k][i] = tables[0][tables[k - 1][i] & 0xFF] ^ (tables[k - 1][i] >> 8);
  return tables;
}();

// Four bytes, the lowest first.
constexpr std::uint32_t find_crc_word(const char* p) {
  const auto at = [p](int i) { return std::uint32_t{static_cast<unsigned char>(p[i])}; };
  return at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
}
}  // namespace detail

// Of `bytes` behind those that gave `before`.
constexpr std::uint32_t find_crc32(std::string_view bytes, std::uint32_t before = 0) {
  const auto& tables = detail::kCrcTables;
  std::uint32_t c = ~before;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    const std::uint32_t low = c ^ detail::find_crc_word(p), high = detail::find_crc_word(p + 4);
    c = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^
        tables[4][low >> 24] ^ tables[3][high & 0xFF] ^ tables[2][high >> 8 & 0xFF] ^
        tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
  }
  for (; left > 0; --left, ++p)
    c = tables[0][(c ^ static_cast<unsigned char>(*p)) & 0xFF] ^ (c >> 8);
  return ~c;
}
static_assert(find_crc32("123456789") == 0xCBF43926);

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// CRC-32 (IEEE 802.3, polynomial 0xEDB88320 with the lowest bit first): detects damage, not malice.

#include <array>
#include <cstdint>
#include <string_view>

namespace berth {

namespace detail {
constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}();
}  // namespace detail

// Of `bytes` behind those that gave `before`.
constexpr std::uint32_t find_crc32(std::string_view bytes, std::uint32_t before = 0) {
  std::uint32_t c = ~before;
  for (const char byte : bytes)
    c = detail::kCrcTable[(c ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (c >> 8);
  return ~c;
}
static_assert(find_crc32("123456789") == 0xCBF43926);

}  // namespace berth

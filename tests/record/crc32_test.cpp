// SPDX-License-Identifier: Apache-2.0
#include "berth/record/crc32.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::crc32_test {
namespace {

// Bit by bit, as IEEE 802.3 defines it.
std::uint32_t find_by_bits(std::string_view bytes) {
  std::uint32_t c = 0xFFFFFFFF;
  for (const char byte : bytes) {
    c ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
  }
  return ~c;
}

std::string make_text(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * i * 2654435761U >> 24);
  return text;
}

TEST(Crc32, IsTheSameEightBytesAtATimeAsBitByBit) {
  const std::string text = make_text(300);
  for (std::size_t size = 0; size <= text.size(); ++size)
    EXPECT_EQ(find_crc32(text.substr(0, size)), find_by_bits(text.substr(0, size))) << size;
}

TEST(Crc32, OfTwoPiecesIsThatOfTheWhole) {
  const std::string text = make_text(64);
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(find_crc32(text.substr(cut), find_crc32(text.substr(0, cut))), find_crc32(text));
}

}  // namespace
}  // namespace berth::crc32_test

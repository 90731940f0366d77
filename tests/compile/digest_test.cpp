// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/digest.h"

#include <gtest/gtest.h>

namespace berth::digest_test {
namespace {

// Examples of FIPS 180-2, appendix B, and the empty text.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(find_sha256("abc", false),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(find_sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(find_sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(find_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(find_sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Around the ends of blocks, and bytes above 127.
TEST(Sha256, PadsTextsOfEveryLength) {
  EXPECT_EQ(find_sha256(std::string(55, '\xff')),
            "aadaed00a3c5fbb8072ae7f1984ba8199fbe5272de427d11eaf31583af37db51");
  EXPECT_EQ(find_sha256(std::string(56, '\xff')),
            "528ff50ab05e77bbbd224a9ec86165dbb6824a9a9efb544be0a1d57d5b416457");
  EXPECT_EQ(find_sha256(std::string(64, '\xff')),
            "8667e718294e9e0df1d30600ba3eeb201f764aad2dad72748643e4a285e1d1f7");
}

// Texts of any length, by both ways there are.
TEST(Sha256, IsTheSameWithoutInstructionsForIt) {
  if (!has_digest_instructions()) GTEST_SKIP() << "there are none";
  std::string text;
  for (unsigned i = 0; i < 700; ++i) {
    ASSERT_EQ(find_sha256(text, true), find_sha256(text, false)) << i;
    text += static_cast<char>(i * i * 2654435761U >> 24);
  }
}

// Cut anywhere, asked on the way.
TEST(Sha256, OfPiecesIsThatOfTheWhole) {
  std::string text;
  for (unsigned i = 0; i < 200; ++i) text += static_cast<char>(i * i * 2654435761U >> 24);
  Sha256 whole;
  whole.add(text);
  for (std::size_t first = 0; first <= 130; ++first)
    for (const std::size_t second : {0, 1, 63, 64, 65}) {
      Sha256 pieces;
      pieces.add(std::string_view(text).substr(0, first));
      pieces.find();
      pieces.add(std::string_view(text).substr(first, second));
      pieces.add(std::string_view(text).substr(first + second));
      ASSERT_EQ(pieces.find(), whole.find()) << first << " " << second;
    }
}

}  // namespace
}  // namespace berth::digest_test

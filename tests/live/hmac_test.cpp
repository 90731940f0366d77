// SPDX-License-Identifier: Apache-2.0
#include "berth/live/hmac.h"

#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/support/allocations.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::hmac_test {
namespace {

using test::TemporaryFolder;

std::string digits(const Sha256::Bytes& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// RFC 4231, section 4; of case 5 the first 128 bits are published.
TEST(HmacSha256, GivesThePublishedTags) {
  EXPECT_EQ(digits(find_hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(digits(find_hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(digits(find_hmac_sha256(std::string(20, '\xaa'), std::string(50, '\xdd'))),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  std::string counted;
  for (char byte = 1; byte <= 25; ++byte) counted += byte;
  EXPECT_EQ(digits(find_hmac_sha256(counted, std::string(50, '\xcd'))),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  EXPECT_EQ(digits(find_hmac_sha256(std::string(20, '\x0c'), "Test With Truncation")).substr(0, 32),
            "a3b6167473100ee06e0c796c2955552b");
}

// RFC 4231, cases 6 and 7: the digest of the key takes its place.
TEST(HmacSha256, TakesKeysThatAreLongerThanABlock) {
  const std::string key(131, '\xaa');
  EXPECT_EQ(digits(find_hmac_sha256(key, "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(digits(find_hmac_sha256(
                key,
                "This is a test using a larger than block-size key and a larger than block-size "
                "data. The key needs to be hashed before being used by the HMAC algorithm.")),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(HmacSha256, AllocatesNothing) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizer counts";
  const std::string key(80, 'k'), message(1300, 'm');
  Sha256::Bytes tag = find_hmac_sha256(key, message);
  const long before = test::count_allocations();
  tag = find_hmac_sha256(key, message);
  EXPECT_EQ(test::count_allocations(), before);
  EXPECT_NE(digits(tag), digits(find_hmac_sha256(key, message + "m")));
}

TEST(HmacSha256, TagsThatDifferInOneBitAreNotTheSame) {
  const Sha256::Bytes tag = find_hmac_sha256("key", "message");
  std::array<char, 32> other{};
  std::copy(tag.begin(), tag.end(), other.begin());
  EXPECT_TRUE(are_same_tags(tag, other));
  for (std::size_t bit = 0; bit < 256; ++bit) {
    const char flipped = static_cast<char>(1 << bit % 8);
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ flipped);
    EXPECT_FALSE(are_same_tags(tag, other)) << bit;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ flipped);
  }
}

TEST(SharedKey, IsTheBytesOfAFileWithoutItsLastNewline) {
  const TemporaryFolder folder;
  const auto read_back = [&](const std::string& bytes) {
    test::write_bytes(folder / "key", bytes);
    return read_key(folder / "key");
  };
  const std::string key = "0123456789abcdef";
  EXPECT_EQ(read_back(key), key);
  EXPECT_EQ(read_back(key + "\n"), key);
  EXPECT_EQ(read_back(key + "\r\n"), key);
  EXPECT_EQ(read_back(key + "\n\n"), key + "\n");
  EXPECT_EQ(read_back(key + "\r"), key + "\r");
  const std::string binary("\0\xff\n\r\0 12345678901", 17);
  EXPECT_EQ(read_back(binary), binary);
  EXPECT_EQ(read_back(std::string(4096, 'k') + "\r\n"), std::string(4096, 'k'));
}

TEST(SharedKey, IsRefusedWithFileAndRule) {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& name) -> std::string {
    try {
      read_key(folder / name);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  test::write_bytes(folder / "short", "0123456789abcde\n");
  test::write_bytes(folder / "empty", "");
  test::write_bytes(folder / "long", std::string(4097, 'k'));
  test::write_bytes(folder / "huge", std::string(100'000, 'k'));
  const std::string rule = ": a key has 16 … 4096 bytes, this file ";
  EXPECT_EQ(complaint("short"), (folder / "short").string() + rule + "15");
  EXPECT_EQ(complaint("empty"), (folder / "empty").string() + rule + "0");
  EXPECT_EQ(complaint("long"), (folder / "long").string() + rule + "more than 4096");
  EXPECT_EQ(complaint("huge"), (folder / "huge").string() + rule + "more than 4096");
  EXPECT_EQ(complaint("missing"),
            (folder / "missing").string() + ": no key can be read: there is no such file");
  EXPECT_EQ(complaint("."),
            (folder / ".").string() + ": no key can be read: is a folder, not a file");
}

}  // namespace
}  // namespace berth::hmac_test

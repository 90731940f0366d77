// SPDX-License-Identifier: Apache-2.0
#include "berth/live/datagram.h"

#include <bit>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/record/crc32.h"
#include "tests/support/allocations.h"

namespace berth::datagram_test {
namespace {

const LiveKey kKey = "sixteen letters!", kOther = "sixteen letters?";
const std::array<const LiveKey*, 2> kWithAndWithout{nullptr, &kKey};

std::string write(const Datagram& datagram, const LiveKey* key = nullptr) {
  std::array<char, kMostDatagramBytes> bytes{};
  return {bytes.data(), write_datagram(datagram, key, bytes)};
}

DatagramFault read(const std::string& bytes, const LiveKey* key = nullptr) {
  Datagram out;
  return read_datagram(bytes, key, out);
}

Datagram make_tick(std::uint32_t count = 5) {
  Datagram d;
  d.header.kind = static_cast<std::uint16_t>(DatagramKind::tick);
  d.header.digest = 0x0123456789abcdef;
  d.header.run = 7;
  d.header.peer = ~std::uint64_t{0};
  d.header.sequence = 1000;
  d.header.answered = 998;
  d.header.tick_ns = 4'000'000'000;
  d.header.sent_ns = -1;
  d.header.flags = kFlagLate | kFlagLockstep;
  d.header.count = count;
  for (std::size_t i = 0; i < count; ++i) d.numbers[i] = 0.5 - static_cast<double>(i);
  return d;
}

// Valid again after a byte was changed: damage that the CRC does not show.
std::string mend(std::string bytes) {
  bytes.resize(bytes.size() - kCrcBytes);
  const std::uint32_t crc = find_crc32(bytes);
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(crc >> (8 * i) & 0xFF);
  return bytes;
}

std::size_t find_offset(std::string_view name) {
  for (std::size_t i = 0; i < kDatagramFields.size(); ++i)
    if (kDatagramFields[i].name == name) return find_field_offset(i);
  throw std::out_of_range(std::string(name));
}

RC_GTEST_PROP(Datagram, ComesBackAsItWasSent, ()) {
  Datagram sent;
  DatagramHeader& h = sent.header;
  h.kind = *rc::gen::inRange<std::uint16_t>(1, 7);
  h.digest = *rc::gen::arbitrary<std::uint64_t>();
  h.run = *rc::gen::arbitrary<std::uint64_t>();
  h.peer = *rc::gen::arbitrary<std::uint64_t>();
  h.sequence = *rc::gen::arbitrary<std::uint64_t>();
  h.answered = *rc::gen::arbitrary<std::uint64_t>();
  h.tick_ns = *rc::gen::arbitrary<std::int64_t>();
  h.sent_ns = *rc::gen::arbitrary<std::int64_t>();
  h.flags = *rc::gen::arbitrary<std::uint32_t>();
  h.count = *rc::gen::inRange<std::uint32_t>(0, kMostNumbers + 1);
  for (std::size_t i = 0; i < h.count; ++i)
    sent.numbers[i] = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  const LiveKey* key = *rc::gen::elementOf(kWithAndWithout);

  const std::string bytes = write(sent, key);
  RC_ASSERT(bytes.size() == 72 + 8 * h.count + (key ? 32 : 0) + 4);
  Datagram got;
  RC_ASSERT(read_datagram(bytes, key, got) == DatagramFault::none);
  RC_ASSERT(got.header.kind == h.kind);
  RC_ASSERT(got.header.digest == h.digest);
  RC_ASSERT(got.header.run == h.run);
  RC_ASSERT(got.header.peer == h.peer);
  RC_ASSERT(got.header.sequence == h.sequence);
  RC_ASSERT(got.header.answered == h.answered);
  RC_ASSERT(got.header.tick_ns == h.tick_ns);
  RC_ASSERT(got.header.sent_ns == h.sent_ns);
  RC_ASSERT(got.header.flags == h.flags);
  RC_ASSERT(got.header.count == h.count);
  for (std::size_t i = 0; i < h.count; ++i)
    RC_ASSERT(std::bit_cast<std::uint64_t>(got.numbers[i]) ==
              std::bit_cast<std::uint64_t>(sent.numbers[i]));
  // Written again it has the same bytes.
  RC_ASSERT(write(got, key) == bytes);
}

// Each named field alone, all bits of it set, is found at its place and nowhere else.
TEST(Datagram, FieldsStandWhereTheListHasThem) {
  DatagramHeader zero;
  zero.magic = 0, zero.version = 0;
  const auto expect = [&](std::string_view name, std::size_t size, auto set) {
    Datagram d;
    d.header = zero;
    set(d.header);
    const std::string bytes = write(d);
    const std::size_t at = find_offset(name);
    for (std::size_t i = 0; i < kDatagramHeaderBytes; ++i)
      EXPECT_EQ(static_cast<unsigned char>(bytes[i]),
                i < at || i >= at + size ? 0 : 0xF0 + static_cast<int>(i - at))
          << name << " " << i;
  };
  constexpr std::uint64_t kBytes = 0xF7F6F5F4F3F2F1F0;
  constexpr auto kSigned = std::bit_cast<std::int64_t>(kBytes);
  expect("magic", 4, [](DatagramHeader& h) { h.magic = static_cast<std::uint32_t>(kBytes); });
  expect("version", 2, [](DatagramHeader& h) { h.version = static_cast<std::uint16_t>(kBytes); });
  expect("kind", 2, [](DatagramHeader& h) { h.kind = static_cast<std::uint16_t>(kBytes); });
  expect("digest", 8, [](DatagramHeader& h) { h.digest = kBytes; });
  expect("run", 8, [](DatagramHeader& h) { h.run = kBytes; });
  expect("peer", 8, [](DatagramHeader& h) { h.peer = kBytes; });
  expect("sequence", 8, [](DatagramHeader& h) { h.sequence = kBytes; });
  expect("answered", 8, [](DatagramHeader& h) { h.answered = kBytes; });
  expect("tick_ns", 8, [=](DatagramHeader& h) { h.tick_ns = kSigned; });
  expect("sent_ns", 8, [=](DatagramHeader& h) { h.sent_ns = kSigned; });
  expect("flags", 4, [](DatagramHeader& h) { h.flags = static_cast<std::uint32_t>(kBytes); });
  EXPECT_EQ(find_offset("count"), 68u);
  EXPECT_EQ(write(make_tick(161)).substr(68, 4), std::string("\xA1\0\0\0", 4));
}

// Made with struct, zlib and hmac of Python.
TEST(Datagram, HasTheBytesOfAnotherProgram) {
  Datagram d = make_tick(2);
  d.numbers[1] = std::numeric_limits<double>::infinity();
  const std::string bytes = write(d, &kKey);
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  EXPECT_EQ(digits,
            "4252544801000400efcdab89674523010700000000000000ffffffffffffffffe803000000000000"
            "e60300000000000000286bee00000000ffffffffffffffff1200000002000000000000000000e03f"
            "000000000000f07f2ebfbe9561356ab91d087498fb702a42ae611bc833a426ea8bae17787748bf1a"
            "55966664");
}

TEST(Datagram, IsRefusedWhicheverBitIsFlipped) {
  for (const LiveKey* key : kWithAndWithout) {
    const std::string bytes = write(make_tick(), key);
    ASSERT_EQ(read(bytes, key), DatagramFault::none);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string damaged = bytes;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      EXPECT_NE(read(damaged, key), DatagramFault::none) << bit;
    }
  }
}

TEST(Datagram, IsRefusedAtEveryOtherLength) {
  for (const LiveKey* key : kWithAndWithout) {
    const std::string bytes = write(make_tick(), key);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_NE(read(bytes.substr(0, size), key), DatagramFault::none) << size;
    for (std::string longer = bytes; longer.size() < 2000;) {
      longer += '\0';
      EXPECT_NE(read(longer, key), DatagramFault::none) << longer.size();
      EXPECT_NE(read(mend(longer), key), DatagramFault::none) << longer.size();
    }
  }
}

TEST(Datagram, IsRefusedWithTheReason) {
  const std::string bytes = write(make_tick());
  const auto change = [&](std::string_view field, char value) {
    std::string changed = bytes;
    changed[find_offset(field)] = value;
    return read(mend(changed));
  };
  EXPECT_EQ(read(""), DatagramFault::size);
  EXPECT_EQ(read(std::string(75, 'B')), DatagramFault::size);
  EXPECT_EQ(read(std::string(1401, 'B')), DatagramFault::size);
  EXPECT_EQ(change("magic", 'b'), DatagramFault::magic);
  EXPECT_EQ(change("version", 2), DatagramFault::version);
  EXPECT_EQ(change("kind", 0), DatagramFault::kind);
  EXPECT_EQ(change("kind", 7), DatagramFault::kind);
  EXPECT_EQ(change("count", 4), DatagramFault::count);
  EXPECT_EQ(change("count", 6), DatagramFault::count);
  EXPECT_EQ(change("run", 6), DatagramFault::none);  // that of another run is judged elsewhere
  std::string damaged = bytes;
  damaged[80] = static_cast<char>(damaged[80] ^ 1);
  EXPECT_EQ(read(damaged), DatagramFault::crc);
  EXPECT_EQ(read(write(make_tick(), &kOther), &kKey), DatagramFault::tag);
  std::set<std::string_view> reasons;
  for (const DatagramFault fault :
       {DatagramFault::none, DatagramFault::size, DatagramFault::magic, DatagramFault::version,
        DatagramFault::kind, DatagramFault::count, DatagramFault::crc, DatagramFault::tag})
    reasons.insert(describe(fault));
  EXPECT_EQ(reasons.size(), 8u);
  EXPECT_EQ(describe(DatagramFault::none), "");
}

// A count that makes the size overflow, or that fits a datagram without a tag but not its array.
TEST(Datagram, WithMoreNumbersThanFitIsRefused) {
  std::string bytes = write(make_tick());
  for (std::size_t i = 0; i < 4; ++i) bytes[find_offset("count") + i] = '\xFF';
  EXPECT_EQ(read(mend(bytes)), DatagramFault::count);
  bytes = write(make_tick(161));
  bytes[find_offset("count")] = static_cast<char>(162);
  bytes.insert(bytes.size() - 4, 8, '\0');
  ASSERT_EQ(bytes.size(), 1372u);
  EXPECT_EQ(read(mend(bytes)), DatagramFault::count);

  Datagram d = make_tick();
  d.header.count = kMostNumbers + 1;
  EXPECT_THROW(write(d), std::length_error);
}

// A forger who knows the layout and the CRC, but not the key.
TEST(Datagram, WithAKeyIsRefusedWhicheverByteIsForged) {
  const std::string bytes = write(make_tick(), &kKey);
  for (std::size_t i = 0; i < bytes.size() - kCrcBytes; ++i) {
    std::string forged = bytes;
    forged[i] = static_cast<char>(forged[i] ^ 0x10);
    EXPECT_NE(read(mend(forged), &kKey), DatagramFault::none) << i;
  }
}

TEST(Datagram, IsRefusedWhereOnlyOneSideHasAKey) {
  EXPECT_EQ(read(write(make_tick(), &kKey)), DatagramFault::count);
  EXPECT_EQ(read(write(make_tick()), &kKey), DatagramFault::count);
  EXPECT_EQ(read(write(make_tick(0)), &kKey), DatagramFault::size);
  // Four numbers that take the place of a tag: the size fits, the tag does not.
  Datagram d = make_tick(9);
  std::string bytes = write(d);
  bytes[find_offset("count")] = 5;
  EXPECT_EQ(read(mend(bytes), &kKey), DatagramFault::tag);
}

TEST(Datagram, ThatIsRefusedChangesNothing) {
  Datagram out = make_tick(3);
  const std::string before = write(out);
  std::string damaged = write(make_tick(60));
  damaged[100] = static_cast<char>(damaged[100] ^ 1);
  EXPECT_EQ(read_datagram(damaged, nullptr, out), DatagramFault::crc);
  EXPECT_EQ(read_datagram(write(make_tick(60), &kOther), &kKey, out), DatagramFault::tag);
  EXPECT_EQ(write(out), before);
}

// Whoever receives them judges them.
TEST(Datagram, NumbersThatAreNoneGoThroughAsTheirBits) {
  Datagram d = make_tick(0);
  for (const std::uint64_t bits :
       {0x7FF8000000000001u, 0xFFF8000000000000u, 0x7FF0000000000000u, 0xFFF0000000000000u,
        0x8000000000000000u, std::uint64_t{1}, 0x7FF4000000000000u})
    d.numbers[d.header.count++] = std::bit_cast<double>(bits);
  Datagram out;
  ASSERT_EQ(read_datagram(write(d), nullptr, out), DatagramFault::none);
  for (std::size_t i = 0; i < d.header.count; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(out.numbers[i]),
              std::bit_cast<std::uint64_t>(d.numbers[i]));
}

RC_GTEST_PROP(Datagram, GarbageIsRefused, ()) {
  std::string bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  // Half of them begin as a datagram does.
  if (*rc::gen::arbitrary<bool>()) bytes = write(make_tick()).substr(0, 8) + bytes;
  const LiveKey* key = *rc::gen::elementOf(kWithAndWithout);
  RC_ASSERT(read(bytes, key) != DatagramFault::none);
}

TEST(Datagram, AllocatesNothing) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizer counts";
  std::array<char, kMostDatagramBytes> bytes{};
  const Datagram sent = make_tick(60);
  Datagram got;
  for (const LiveKey* key : kWithAndWithout) {
    const long before = test::count_allocations();
    const std::size_t size = write_datagram(sent, key, bytes);
    const DatagramFault fault = read_datagram({bytes.data(), size}, key, got);
    bytes[3] = 'x';
    const DatagramFault refused = read_datagram({bytes.data(), size}, key, got);
    const std::string_view reason = describe(refused);
    EXPECT_EQ(test::count_allocations(), before);
    EXPECT_EQ(fault, DatagramFault::none);
    EXPECT_EQ(reason, "does not begin with BRTH");
  }
}

DatagramLayout make_layout() {
  DatagramLayout layout;
  layout.external = "laboratory";
  layout.measures = {{"nav.position", "m", "lvlh", 3}, {"tip.depth", "m", "", 1}};
  layout.commands = {{"touch", "N", "inertial", 3}, {"abort", "", "", 1}};
  return layout;
}

TEST(DatagramLayout, CountsNumbers) {
  EXPECT_EQ(make_layout().measure_count(), 4u);
  EXPECT_EQ(make_layout().command_count(), 4u);
  EXPECT_EQ(DatagramLayout{}.measure_count(), 0u);
}

// Any fact in which two sides could differ gives another digest, texts that run into each other too.
TEST(DatagramLayout, DigestIsOfLayoutAndScenario) {
  const std::uint64_t digest = find_layout_digest(make_layout(), "title = \"a\"");
  std::set<std::uint64_t> digests{digest};
  const auto expect_new = [&](auto change) {
    DatagramLayout layout = make_layout();
    change(layout);
    EXPECT_TRUE(digests.insert(find_layout_digest(layout, "title = \"a\"")).second)
        << digests.size();
  };
  expect_new([](DatagramLayout& l) { l.external = "other"; });
  expect_new([](DatagramLayout& l) { l.measures[0].name = "nav.velocity"; });
  expect_new([](DatagramLayout& l) { l.measures[0].unit = "mm"; });
  expect_new([](DatagramLayout& l) { l.measures[0].frame = "body"; });
  expect_new([](DatagramLayout& l) { l.measures[0].width = 1; });
  expect_new([](DatagramLayout& l) { l.measures.pop_back(); });
  expect_new([](DatagramLayout& l) { std::swap(l.measures[0], l.measures[1]); });
  expect_new([](DatagramLayout& l) { std::swap(l.measures, l.commands); });
  expect_new([](DatagramLayout& l) { l.commands[1].name = "stop"; });
  expect_new([](DatagramLayout& l) { l.measures[1] = {"tip.depth m", "", "", 1}; });
  expect_new([](DatagramLayout& l) { l.measures[1] = {"tip.depthm", "", "", 1}; });
  EXPECT_TRUE(digests.insert(find_layout_digest(make_layout(), "title = \"b\"")).second);

  DatagramLayout known = make_layout();
  known.digest = digest;
  EXPECT_EQ(find_layout_digest(known, "title = \"a\""), digest);
}

}  // namespace
}  // namespace berth::datagram_test

// SPDX-License-Identifier: Apache-2.0
#include "berth/live/datagram.h"

#include <bit>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "berth/live/hmac.h"
#include "berth/record/crc32.h"

namespace berth {
namespace {

// --- bytes, the lowest first ---------------------------------------------------------------------

void put(char* to, std::uint16_t x) {
  to[0] = static_cast<char>(x & 0xFF);
  to[1] = static_cast<char>(x >> 8);
}
void put(char* to, std::uint32_t x) {
  put(to, static_cast<std::uint16_t>(x & 0xFFFF));
  put(to + 2, static_cast<std::uint16_t>(x >> 16));
}
void put(char* to, std::uint64_t x) {
  put(to, static_cast<std::uint32_t>(x & 0xFFFFFFFF));
  put(to + 4, static_cast<std::uint32_t>(x >> 32));
}
void put(char* to, std::int64_t x) { put(to, std::bit_cast<std::uint64_t>(x)); }

// Written out, so that the compiler makes one load of it.
std::uint16_t take_u16(const char* from) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(from[0]) |
                                    static_cast<unsigned char>(from[1]) << 8);
}
std::uint32_t take_u32(const char* from) {
  return take_u16(from) | std::uint32_t{take_u16(from + 2)} << 16;
}
std::uint64_t take_u64(const char* from) {
  return take_u32(from) | std::uint64_t{take_u32(from + 4)} << 32;
}
void take(const char* from, std::uint16_t& x) { x = take_u16(from); }
void take(const char* from, std::uint32_t& x) { x = take_u32(from); }
void take(const char* from, std::uint64_t& x) { x = take_u64(from); }
void take(const char* from, std::int64_t& x) { x = std::bit_cast<std::int64_t>(take_u64(from)); }

// --- the list and the struct ---------------------------------------------------------------------

// Members in the order of kDatagramFields.
constexpr std::tuple kMembers{
    &DatagramHeader::magic,    &DatagramHeader::version,  &DatagramHeader::kind,
    &DatagramHeader::digest,   &DatagramHeader::run,      &DatagramHeader::peer,
    &DatagramHeader::sequence, &DatagramHeader::answered, &DatagramHeader::tick_ns,
    &DatagramHeader::sent_ns,  &DatagramHeader::flags,    &DatagramHeader::count,
};

template <class T>
constexpr WireType find_type(T DatagramHeader::*) {
  if constexpr (std::is_same_v<T, std::uint16_t>) return WireType::u16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return WireType::u32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return WireType::u64;
  if constexpr (std::is_same_v<T, std::int64_t>) return WireType::i64;
}

// f(member, offset) for each.
template <class F>
constexpr void for_each_member(F f) {
  std::apply(
      [&](auto... members) {
        std::size_t i = 0;
        (f(members, find_field_offset(i++)), ...);
      },
      kMembers);
}

static_assert(std::tuple_size_v<decltype(kMembers)> == kDatagramFields.size());
static_assert([] {
  bool same = true;
  std::size_t i = 0;
  for_each_member(
      [&](auto member, std::size_t) { same &= find_type(member) == kDatagramFields[i++].type; });
  return same;
}());
static_assert(kDatagramHeaderBytes + 8 * kMostNumbers + kTagBytes + kCrcBytes <=
              kMostDatagramBytes);

}  // namespace

std::size_t write_datagram(const Datagram& datagram, const LiveKey* key,
                           std::span<char, kMostDatagramBytes> out) {
  if (datagram.header.count > kMostNumbers)
    throw std::length_error(fmt::format("a datagram has {} numbers at most, not {}", kMostNumbers,
                                        datagram.header.count));
  for_each_member(
      [&](auto member, std::size_t at) { put(out.data() + at, datagram.header.*member); });
  std::size_t at = kDatagramHeaderBytes;
  for (std::uint32_t i = 0; i < datagram.header.count; ++i, at += 8)
    put(out.data() + at, std::bit_cast<std::uint64_t>(datagram.numbers[i]));
  if (key) {
    for (const unsigned char byte : find_hmac_sha256(*key, {out.data(), at}))
      out[at++] = static_cast<char>(byte);
  }
  put(out.data() + at, find_crc32({out.data(), at}));
  return at + kCrcBytes;
}

DatagramFault read_datagram(std::span<const char> bytes, const LiveKey* key, Datagram& out) {
  const std::size_t around = kDatagramHeaderBytes + (key ? kTagBytes : 0) + kCrcBytes;
  if (bytes.size() < around || bytes.size() > kMostDatagramBytes) return DatagramFault::size;
  DatagramHeader header;
  for_each_member([&](auto member, std::size_t at) { take(bytes.data() + at, header.*member); });
  if (header.magic != kDatagramMagic) return DatagramFault::magic;
  if (header.version != kDatagramVersion) return DatagramFault::version;
  if (header.kind < static_cast<std::uint16_t>(DatagramKind::arm) ||
      header.kind > static_cast<std::uint16_t>(DatagramKind::stop))
    return DatagramFault::kind;
  if (header.count > kMostNumbers || bytes.size() != around + 8 * std::size_t{header.count})
    return DatagramFault::count;

  // The CRC first: it costs less, and damage is not taken for a forgery.
  const std::size_t crc_at = bytes.size() - kCrcBytes;
  if (take_u32(bytes.data() + crc_at) != find_crc32({bytes.data(), crc_at}))
    return DatagramFault::crc;
  if (key) {
    const std::size_t tag_at = crc_at - kTagBytes;
    if (!are_same_tags(find_hmac_sha256(*key, {bytes.data(), tag_at}),
                       bytes.subspan(tag_at).first<kTagBytes>()))
      return DatagramFault::tag;
  }

  out.header = header;
  for (std::size_t i = 0; i < header.count; ++i)
    out.numbers[i] = std::bit_cast<double>(take_u64(bytes.data() + kDatagramHeaderBytes + 8 * i));
  return DatagramFault::none;
}

std::string_view describe(DatagramFault fault) {
  for (const DatagramFaultName& f : kDatagramFaults)
    if (f.fault == fault) return f.meaning;
  return "";
}

namespace {
std::size_t count_numbers(const std::vector<Simulation::Signal>& signals) {
  std::size_t sum = 0;
  for (const Simulation::Signal& s : signals) sum += static_cast<std::size_t>(s.width);
  return sum;
}
}  // namespace

std::size_t DatagramLayout::measure_count() const { return count_numbers(measures); }
std::size_t DatagramLayout::command_count() const { return count_numbers(commands); }

std::uint64_t find_layout_digest(const DatagramLayout& layout, std::string_view scenario) {
  // One line for each fact; texts with their sizes before them, so that no text passes for two.
  const auto sized = [](std::string_view text) { return fmt::format(" {}:{}", text.size(), text); };
  std::string facts = fmt::format("berth datagram {}\n", kDatagramVersion);
  for (const DatagramField& f : kDatagramFields)
    facts += fmt::format("field{} {}\n", sized(f.name), wire_name(f.type));
  facts += fmt::format("external{}\n", sized(layout.external));
  const auto add = [&](std::string_view what, const std::vector<Simulation::Signal>& signals) {
    for (const Simulation::Signal& s : signals)
      facts +=
          fmt::format("{}{}{}{} {}\n", what, sized(s.name), sized(s.unit), sized(s.frame), s.width);
  };
  add("measure", layout.measures);
  add("command", layout.commands);
  facts += fmt::format("scenario{}\n", sized(scenario));

  Sha256 sha;
  sha.add(facts);
  const Sha256::Bytes bytes = sha.find();
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < 8; ++i) digest |= std::uint64_t{bytes[i]} << (8 * i);
  return digest;
}

}  // namespace berth

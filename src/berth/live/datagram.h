// SPDX-License-Identifier: Apache-2.0
#pragma once

// Datagram — what `berth live` and a facility send one another: fixed layout, little-endian, at most
// 1400 bytes.
//
//   header      kDatagramFields, one after the other without gaps
//   numbers     `count` doubles: of a tick what is measured, of an answer the commands, of arm the
//               numbers of ArmNumber; in the order of the layout
//   tag         HMAC-SHA256 of all before it, 32 bytes; where a key is shared
//   crc         CRC-32 (IEEE 802.3) of all before it, 4 bytes
//
// A session:  arm → ← ready, start →, then tick → ← answer for every sample, stop → or ← stop. `run` is drawn
// by who simulates, `peer` by who answers; from `ready` on both stand in every datagram, so that one of
// another session is refused whoever sends it again.
//
// The list of fields is the only statement of the layout: reading and writing walk it, and the page, the C
// header and the Python reader of `berth export datagram` are made of it (datagram_files.h).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/simulation.h"

namespace berth {

inline constexpr std::size_t kMostDatagramBytes = 1400;
inline constexpr std::uint32_t kDatagramMagic = 0x48545242;  // "BRTH"
inline constexpr std::uint16_t kDatagramVersion = 1;

enum class DatagramKind : std::uint16_t {
  arm = 1,
  ready = 2,
  start = 3,
  tick = 4,
  answer = 5,
  stop = 6
};

struct DatagramKindName {
  DatagramKind kind;
  std::string_view name, meaning;
};
inline constexpr std::array kDatagramKinds{
    DatagramKindName{DatagramKind::arm, "arm",
                     "who simulates proposes a run; repeated until ready"},
    DatagramKindName{DatagramKind::ready, "ready", "who answers takes part in it"},
    DatagramKindName{DatagramKind::start, "start", "ticks follow"},
    DatagramKindName{DatagramKind::tick, "tick", "what is measured at one sample"},
    DatagramKindName{DatagramKind::answer, "answer", "the commands for a tick"},
    DatagramKindName{DatagramKind::stop, "stop", "the sender has ended the run"},
};

// Bits of `flags`.
enum DatagramFlag : std::uint32_t {
  kFlagStop = 1,
  kFlagLate = 2,
  kFlagCatchUp = 4,
  kFlagSlipped = 8,
  kFlagLockstep = 16,
};
struct DatagramFlagName {
  DatagramFlag flag;
  std::string_view name, meaning;
};
inline constexpr std::array kDatagramFlags{
    DatagramFlagName{kFlagStop, "stop", "the sender ends, or asks the other side to"},
    DatagramFlagName{kFlagLate, "late", "tick: sent late"},
    DatagramFlagName{kFlagCatchUp, "catch_up",
                     "tick: sent closer behind the last than a period, to catch up"},
    DatagramFlagName{kFlagSlipped, "slipped", "tick: the schedule was moved before it"},
    DatagramFlagName{kFlagLockstep, "lockstep", "tick time is the clock of both sides"},
};

// Numbers of `arm`, in this order.
enum ArmNumber : std::size_t { kArmSampleTime, kArmLatency, kArmFactor, kArmTimeout, kArmCount };
struct ArmNumberName {
  std::string_view name, unit, meaning;
};
inline constexpr std::array<ArmNumberName, kArmCount> kArmNumbers{{
    {"sample_time", "s", "simulated time from tick to tick"},
    {"latency", "s", "simulated time from a tick to the action of its answer"},
    {"factor", "-", "simulated time by time of the clock; 0 in lockstep"},
    {"timeout", "s", "of the clock, that an answer may take in lockstep"},
}};

struct DatagramHeader {
  std::uint32_t magic = kDatagramMagic;
  std::uint16_t version = kDatagramVersion;
  std::uint16_t kind = 0;
  std::uint64_t digest = 0;    // of layout and scenario
  std::uint64_t run = 0;       // drawn by who simulates
  std::uint64_t peer = 0;      // drawn by who answers; 0 in arm
  std::uint64_t sequence = 0;  // counts what the sender has sent; of a tick its number
  std::uint64_t answered = 0;  // the sequence that is answered
  std::int64_t tick_ns = 0;  // [ns] simulated time of the tick, in an answer of the tick it answers
  std::int64_t sent_ns = 0;  // [ns] of the sender's monotonic clock
  std::uint32_t flags = 0;
  std::uint32_t count = 0;  // of the numbers
};

enum class WireType : unsigned char { u16, u32, u64, i64 };
struct DatagramField {
  std::string_view name;
  WireType type;
  std::string_view meaning;
};
inline constexpr std::array kDatagramFields{
    DatagramField{"magic", WireType::u32, "0x48545242: the letters BRTH"},
    DatagramField{"version", WireType::u16, "of the layout: 1"},
    DatagramField{"kind", WireType::u16, "arm 1, ready 2, start 3, tick 4, answer 5, stop 6"},
    DatagramField{"digest", WireType::u64, "of layout and scenario"},
    DatagramField{"run", WireType::u64, "drawn by who simulates"},
    DatagramField{"peer", WireType::u64, "drawn by who answers, never 0; 0 in arm"},
    DatagramField{"sequence", WireType::u64,
                  "counts what the sender has sent; of a tick its number"},
    DatagramField{"answered", WireType::u64, "the sequence that is answered"},
    DatagramField{"tick_ns", WireType::i64,
                  "simulated time of the tick [ns]; in an answer that of its tick"},
    DatagramField{"sent_ns", WireType::i64, "the sender's monotonic clock when it sent [ns]"},
    DatagramField{"flags", WireType::u32, "bits"},
    DatagramField{"count", WireType::u32, "of the numbers that follow"},
};

constexpr std::size_t wire_bytes(WireType type) {
  return type == WireType::u16 ? 2 : type == WireType::u32 ? 4 : 8;
}
constexpr std::string_view wire_name(WireType type) {
  return std::array<std::string_view, 4>{"u16", "u32", "u64",
                                         "i64"}[static_cast<std::size_t>(type)];
}
// [bytes] where field i begins; behind the last: where the numbers do.
constexpr std::size_t find_field_offset(std::size_t i) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < i; ++k) at += wire_bytes(kDatagramFields[k].type);
  return at;
}

inline constexpr std::size_t kDatagramHeaderBytes = 72;
static_assert(kDatagramHeaderBytes == find_field_offset(kDatagramFields.size()));
inline constexpr std::size_t kTagBytes = 32;
inline constexpr std::size_t kCrcBytes = 4;
inline constexpr std::size_t kMostNumbers =
    (kMostDatagramBytes - kDatagramHeaderBytes - kTagBytes - kCrcBytes) / 8;

struct Datagram {
  DatagramHeader header;
  std::array<double, kMostNumbers> numbers{};
};

// What is shared by both sides to know one another; 16 bytes at least.
using LiveKey = std::string;

// Without allocation, as is what follows. Returns how many bytes were written; numbers beyond `count` are
// not sent. Throws std::length_error where `count` exceeds kMostNumbers.
std::size_t write_datagram(const Datagram& datagram, const LiveKey* key,
                           std::span<char, kMostDatagramBytes> out);

// Why bytes are no datagram of ours.
enum class DatagramFault : unsigned char { none, size, magic, version, kind, count, crc, tag };
struct DatagramFaultName {
  DatagramFault fault;
  std::string_view name, meaning;
};
inline constexpr std::array kDatagramFaults{
    DatagramFaultName{DatagramFault::size, "size", "shorter or longer than any datagram of berth"},
    DatagramFaultName{DatagramFault::magic, "magic", "does not begin with BRTH"},
    DatagramFaultName{DatagramFault::version, "version", "of another version of the layout"},
    DatagramFaultName{DatagramFault::kind, "kind", "of no kind that there is"},
    DatagramFaultName{DatagramFault::count, "count",
                      "its size is not that of its numbers, or one side alone has a key"},
    DatagramFaultName{DatagramFault::crc, "crc", "damaged: another CRC-32"},
    DatagramFaultName{DatagramFault::tag, "tag",
                      "not written with the shared key: another HMAC-SHA256"},
};
// The meaning; of none "".
std::string_view describe(DatagramFault fault);
// Any bytes may come. Where they are refused `out` stays as it is, and numbers beyond `count` always do.
// Numbers are taken as the bits they are: whoever receives them judges infinities and NaN.
DatagramFault read_datagram(std::span<const char> bytes, const LiveKey* key, Datagram& out);

// What the numbers of ticks and answers are.
struct DatagramLayout {
  std::string external;
  std::vector<Simulation::Signal> measures, commands;
  std::uint64_t digest = 0;

  std::size_t measure_count() const;
  std::size_t command_count() const;
};
// The first 8 bytes, little-endian, of the SHA-256 of version, kDatagramFields (names and types), external,
// measures and commands (names, units, axes, widths) and `scenario`: text that both sides have; where in it
// they may differ is left out by the caller. `layout.digest` does not count.
std::uint64_t find_layout_digest(const DatagramLayout& layout, std::string_view scenario);

}  // namespace berth

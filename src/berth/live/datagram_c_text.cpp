// SPDX-License-Identifier: Apache-2.0

// berth_datagram.h of datagram_files.h.

#include <fmt/format.h>

#include "berth/export/c_text.h"
#include "berth/live/datagram_text.h"
#include "berth/record/crc32.h"

namespace berth {
namespace {

constexpr std::string_view kDatagramHead = R"c(/* SPDX-License-Identifier: Apache-2.0
   Datagrams between berth and the external "@EXTERNAL"
   @TITLE

   Written by `berth export datagram`. C99 or C++11, nothing but the standard headers; no heap, no state.

     berth_unpack_tick, berth_pack_answer     for who answers
     berth_pack_tick, berth_unpack_answer     for who simulates
     berth_unpack, berth_pack                 any kind, numbers as an array
     berth_begin_reply                        a header that belongs to the session of another

   key, key_size: the bytes both sides share; NULL, 0 where there is no key. Functions that unpack return
   BERTH_OK, else why the bytes are refused; nothing is changed then. */
#ifndef BERTH_DATAGRAM_H
#define BERTH_DATAGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BERTH_MAGIC @MAGIC
#define BERTH_VERSION @VERSION
#define BERTH_DIGEST ((uint64_t)@DIGESTu)
#define BERTH_HEADER_BYTES @HEADER_BYTES
#define BERTH_TAG_BYTES @TAG_BYTES
#define BERTH_CRC_BYTES @CRC_BYTES
#define BERTH_MOST_BYTES @MOST_BYTES
#define BERTH_MOST_NUMBERS @MOST_NUMBERS
#define BERTH_MEASURES @MEASURES
#define BERTH_COMMANDS @COMMANDS

@LISTS)c";

constexpr std::string_view kDatagramBytes = R"c(
/* --- bytes, the lowest first --- */

static inline void berth_put(uint8_t *to, uint64_t x, int bytes) {
  int i;
  for (i = 0; i < bytes; ++i) to[i] = (uint8_t)(x >> (8 * i) & 0xff);
}
static inline uint64_t berth_get(const uint8_t *from, int bytes) {
  uint64_t x = 0;
  int i;
  for (i = 0; i < bytes; ++i) x |= (uint64_t)from[i] << (8 * i);
  return x;
}
static inline int64_t berth_get_signed(const uint8_t *from) {
  const uint64_t bits = berth_get(from, 8);
  int64_t x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* --- CRC-32 (IEEE 802.3) --- */

static inline uint32_t berth_crc32(const uint8_t *bytes, size_t size) {
  static const uint32_t table[256] = {
@CRC_TABLE  };
  uint32_t c = 0xffffffffu;
  size_t i;
  for (i = 0; i < size; ++i) c = table[(c ^ bytes[i]) & 0xff] ^ (c >> 8);
  return ~c;
}
)c";

constexpr std::string_view kDatagramTag = R"c(
/* --- SHA-256 (FIPS 180-4), HMAC (RFC 2104) --- */

struct berth_sha256 {
  uint32_t state[8];
  uint8_t rest[64];
  uint64_t size;
};
static inline uint32_t berth_rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }
static inline void berth_sha256_block(struct berth_sha256 *s, const uint8_t *block) {
  static const uint32_t k[64] = {
      0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
      0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
      0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
      0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
      0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
      0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
      0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
      0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
      0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
      0xc67178f2u};
  uint32_t w[64], v[8], t1, t2;
  int i;
  for (i = 0; i < 16; ++i)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (i = 16; i < 64; ++i)
    w[i] = w[i - 16] + w[i - 7] +
           (berth_rotate(w[i - 15], 7) ^ berth_rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (berth_rotate(w[i - 2], 17) ^ berth_rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(v, s->state, sizeof v);
  for (i = 0; i < 64; ++i) {
    t1 = v[7] + (berth_rotate(v[4], 6) ^ berth_rotate(v[4], 11) ^ berth_rotate(v[4], 25)) +
         ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
    t2 = (berth_rotate(v[0], 2) ^ berth_rotate(v[0], 13) ^ berth_rotate(v[0], 22)) +
         ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6], v[6] = v[5], v[5] = v[4], v[4] = v[3] + t1;
    v[3] = v[2], v[2] = v[1], v[1] = v[0], v[0] = t1 + t2;
  }
  for (i = 0; i < 8; ++i) s->state[i] += v[i];
}
static inline void berth_sha256_begin(struct berth_sha256 *s) {
  static const uint32_t start[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  memset(s, 0, sizeof *s);
  memcpy(s->state, start, sizeof start);
}
static inline void berth_sha256_add(struct berth_sha256 *s, const uint8_t *bytes, size_t size) {
  size_t i;
  for (i = 0; i < size; ++i) {
    s->rest[s->size++ % 64] = bytes[i];
    if (s->size % 64 == 0) berth_sha256_block(s, s->rest);
  }
}
static inline void berth_sha256_end(struct berth_sha256 *s, uint8_t digest[32]) {
  static const uint8_t padding[64] = {0x80};
  const uint64_t bits = s->size * 8;
  uint8_t length[8];
  int i;
  for (i = 0; i < 8; ++i) length[i] = (uint8_t)(bits >> (56 - 8 * i) & 0xff);
  berth_sha256_add(s, padding, 1 + (size_t)((119 - s->size % 64) % 64));
  berth_sha256_add(s, length, 8);
  for (i = 0; i < 32; ++i) digest[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
}
static inline void berth_hmac_sha256(const void *key, size_t key_size, const uint8_t *bytes,
                                     size_t size, uint8_t tag[32]) {
  uint8_t block[64] = {0};
  struct berth_sha256 s;
  int i;
  if (key_size > 64) {
    berth_sha256_begin(&s);
    berth_sha256_add(&s, (const uint8_t *)key, key_size);
    berth_sha256_end(&s, block);
  } else if (key_size > 0) {
    memcpy(block, key, key_size);
  }
  for (i = 0; i < 64; ++i) block[i] ^= 0x36;
  berth_sha256_begin(&s);
  berth_sha256_add(&s, block, 64);
  berth_sha256_add(&s, bytes, size);
  berth_sha256_end(&s, tag);
  for (i = 0; i < 64; ++i) block[i] ^= 0x36 ^ 0x5c;
  berth_sha256_begin(&s);
  berth_sha256_add(&s, block, 64);
  berth_sha256_add(&s, tag, 32);
  berth_sha256_end(&s, tag);
}
/* In the same time wherever they differ. */
static inline int berth_same_tags(const uint8_t *a, const uint8_t *b) {
  volatile uint8_t difference = 0;
  int i;
  for (i = 0; i < BERTH_TAG_BYTES; ++i) difference = (uint8_t)(difference | (a[i] ^ b[i]));
  return difference == 0;
}
)c";

constexpr std::string_view kDatagramPack = R"c(
/* --- any kind --- */

/* Returns how many bytes were written; 0 where header->count exceeds BERTH_MOST_NUMBERS. */
static inline size_t berth_pack(const struct berth_header *header, const double *numbers,
                                const void *key, size_t key_size, uint8_t out[BERTH_MOST_BYTES]) {
  size_t at = BERTH_HEADER_BYTES;
  uint64_t bits;
  uint32_t i;
  if (header->count > BERTH_MOST_NUMBERS) return 0;
@PUT_HEADER  for (i = 0; i < header->count; ++i, at += 8) {
    memcpy(&bits, numbers + i, sizeof bits);
    berth_put(out + at, bits, 8);
  }
  if (key) {
    berth_hmac_sha256(key, key_size, out, at, out + at);
    at += BERTH_TAG_BYTES;
  }
  berth_put(out + at, berth_crc32(out, at), BERTH_CRC_BYTES);
  return at + BERTH_CRC_BYTES;
}

/* numbers: room for BERTH_MOST_NUMBERS; header->count of them are set. Bits are taken as they are: whoever
   calls judges infinities and NaN. */
static inline enum berth_fault berth_unpack(const void *datagram, size_t size, const void *key,
                                            size_t key_size, struct berth_header *header,
                                            double *numbers) {
  const uint8_t *bytes = (const uint8_t *)datagram;
  const size_t around = BERTH_HEADER_BYTES + (key ? BERTH_TAG_BYTES : 0) + BERTH_CRC_BYTES;
  struct berth_header h;
  uint8_t tag[BERTH_TAG_BYTES];
  uint64_t bits;
  size_t at;
  uint32_t i;
  if (size < around || size > BERTH_MOST_BYTES) return BERTH_FAULT_SIZE;
@GET_HEADER  if (h.magic != BERTH_MAGIC) return BERTH_FAULT_MAGIC;
  if (h.version != BERTH_VERSION) return BERTH_FAULT_VERSION;
  if (h.kind < @FIRST_KIND || h.kind > @LAST_KIND) return BERTH_FAULT_KIND;
  if (h.count > BERTH_MOST_NUMBERS || size != around + 8 * (size_t)h.count)
    return BERTH_FAULT_COUNT;
  at = size - BERTH_CRC_BYTES;
  if (berth_get(bytes + at, BERTH_CRC_BYTES) != berth_crc32(bytes, at)) return BERTH_FAULT_CRC;
  if (key) {
    at -= BERTH_TAG_BYTES;
    berth_hmac_sha256(key, key_size, bytes, at, tag);
    if (!berth_same_tags(tag, bytes + at)) return BERTH_FAULT_TAG;
  }
  *header = h;
  for (i = 0; i < h.count; ++i) {
    bits = berth_get(bytes + BERTH_HEADER_BYTES + 8 * (size_t)i, 8);
    memcpy(numbers + i, &bits, sizeof bits);
  }
  return BERTH_OK;
}

/* A header of this kind that answers `to`, in the session of `to`; count and flags are 0. */
static inline void berth_begin_reply(struct berth_header *header, const struct berth_header *to,
                                     uint16_t kind, uint64_t peer, uint64_t sequence,
                                     int64_t sent_ns) {
  memset(header, 0, sizeof *header);
  header->magic = BERTH_MAGIC;
  header->version = BERTH_VERSION;
  header->kind = kind;
  header->digest = BERTH_DIGEST;
  header->run = to->run;
  header->peer = peer;
  header->sequence = sequence;
  header->answered = to->sequence;
  header->tick_ns = to->tick_ns;
  header->sent_ns = sent_ns;
}
)c";

// Of a tick or an answer.
constexpr std::string_view kDatagramPackKind = R"c(
/* --- @KIND --- */

/* magic, version, kind, digest and count of its header are set here. */
static inline size_t berth_pack_@KIND(const struct berth_@KIND *@KIND, const void *key,
                                     size_t key_size, uint8_t out[BERTH_MOST_BYTES]) {
  struct berth_header header = @KIND->header;
  double numbers[BERTH_@COUNT + 1];
  header.magic = BERTH_MAGIC;
  header.version = BERTH_VERSION;
  header.kind = BERTH_KIND_@UPPER;
  header.digest = BERTH_DIGEST;
  header.count = BERTH_@COUNT;
  numbers[BERTH_@COUNT] = 0; /* an array has one element at least */
@TO_NUMBERS  return berth_pack(&header, numbers, key, key_size, out);
}

static inline enum berth_fault berth_unpack_@KIND(const void *datagram, size_t size,
                                                 const void *key, size_t key_size,
                                                 struct berth_@KIND *@KIND) {
  struct berth_header header;
  double numbers[BERTH_MOST_NUMBERS];
  const enum berth_fault fault = berth_unpack(datagram, size, key, key_size, &header, numbers);
  if (fault != BERTH_OK) return fault;
  if (header.kind != BERTH_KIND_@UPPER) return BERTH_FAULT_KIND;
  if (header.digest != BERTH_DIGEST || header.count != BERTH_@COUNT) return BERTH_FAULT_LAYOUT;
  @KIND->header = header;
@FROM_NUMBERS  return BERTH_OK;
}
)c";

std::string c_type(WireType type) {
  return fmt::format("{}int{}_t", type == WireType::i64 ? "" : "u", 8 * wire_bytes(type));
}

// Lists as enumerations, the header and the numbers as structs.
std::string write_c_lists(const std::vector<NamedSignal>& measures,
                          const std::vector<NamedSignal>& commands) {
  std::string text = "enum berth_kind {\n";
  for (const DatagramKindName& k : kDatagramKinds)
    text += fmt::format("  BERTH_KIND_{} = {}, /* {} */\n", upper_case(std::string(k.name)),
                        static_cast<int>(k.kind), safe_comment(k.meaning));
  text += "  BERTH_KIND_NONE = 0\n};\n\n/* Bits of flags. */\nenum berth_flag {\n";
  for (const DatagramFlagName& f : kDatagramFlags)
    text += fmt::format("  BERTH_FLAG_{} = {}, /* {} */\n", upper_case(std::string(f.name)),
                        static_cast<std::uint32_t>(f.flag), safe_comment(f.meaning));
  text += "  BERTH_FLAG_NONE = 0\n};\n\n/* Numbers of arm. */\nenum berth_arm {\n";
  for (const ArmNumberName& n : kArmNumbers)
    text += fmt::format("  BERTH_ARM_{}, /* [{}] {} */\n", upper_case(std::string(n.name)), n.unit,
                        safe_comment(n.meaning));
  text += "  BERTH_ARM_COUNT\n};\n\n/* Why bytes are refused. */\nenum berth_fault {\n";
  text += "  BERTH_OK,\n";
  for (const DatagramFaultName& f : kDatagramFaults)
    text += fmt::format("  BERTH_FAULT_{}, /* {} */\n", upper_case(std::string(f.name)),
                        safe_comment(f.meaning));
  text += "  BERTH_FAULT_LAYOUT /* of another layout or scenario: digest or count differ */\n};\n";

  text += "\n/* Where the fields of the header begin [bytes]. */\nenum berth_offset {\n";
  for (std::size_t i = 0; i < kDatagramFields.size(); ++i)
    text += fmt::format("  BERTH_AT_{} = {},\n", upper_case(std::string(kDatagramFields[i].name)),
                        find_field_offset(i));
  text += "  BERTH_AT_NUMBERS = BERTH_HEADER_BYTES\n};\n\nstruct berth_header {\n";
  for (const DatagramField& f : kDatagramFields)
    text += fmt::format("  {} {}; /* {} */\n", c_type(f.type), f.name, safe_comment(f.meaning));
  const auto add_struct = [&](std::string_view name, const std::vector<NamedSignal>& signals) {
    text += fmt::format("}};\n\nstruct berth_{} {{\n", name);
    for (const NamedSignal& s : signals)
      text += fmt::format("  double {}{}; /* {} {}; from byte {} */\n", s.identifier,
                          s.width() == 1 ? "" : fmt::format("[{}]", s.width()),
                          safe_comment(s.signal.name), safe_comment(s.unit_and_axes()), s.offset());
    if (signals.empty()) text += "  char none; /* a struct has one member at least */\n";
  };
  add_struct("measures", measures);
  add_struct("commands", commands);
  return text +
         "};\n\nstruct berth_tick {\n  struct berth_header header;\n  struct berth_measures "
         "measures;\n};\n\nstruct berth_answer {\n  struct berth_header header;\n  struct "
         "berth_commands commands;\n};\n";
}

std::string write_pack_kind(const std::string& kind, const std::string& numbers,
                            const std::vector<NamedSignal>& signals) {
  std::string to, from;
  for (const NamedSignal& s : signals) {
    const std::string member = fmt::format("{}->{}.{}", kind, numbers, s.identifier);
    if (s.width() == 1) {
      to += fmt::format("  numbers[{}] = {};\n", s.first, member);
      from += fmt::format("  {} = numbers[{}];\n", member, s.first);
    } else {
      to += fmt::format("  memcpy(numbers + {}, {}, sizeof {});\n", s.first, member, member);
      from += fmt::format("  memcpy({}, numbers + {}, sizeof {});\n", member, s.first, member);
    }
  }
  if (signals.empty()) from = fmt::format("  {}->{}.none = 0;\n", kind, numbers);
  return fill_text(kDatagramPackKind, {{"@KIND", kind},
                                       {"@UPPER", upper_case(kind)},
                                       {"@COUNT", upper_case(numbers)},
                                       {"@TO_NUMBERS", to},
                                       {"@FROM_NUMBERS", from}});
}

}  // namespace

std::string write_datagram_header(const DatagramLayout& layout, const std::string& title) {
  const std::vector<NamedSignal> measures = name_signals(layout.measures),
                                 commands = name_signals(layout.commands);
  std::string table, put, get;
  for (std::size_t i = 0; i < 256; ++i)
    table += fmt::format("{}0x{:08x}u,{}", i % 8 == 0 ? "      " : " ", detail::kCrcTables[0][i],
                         i % 8 == 7 ? "\n" : "");
  for (const DatagramField& f : kDatagramFields) {
    const std::string at = "BERTH_AT_" + upper_case(std::string(f.name));
    put += fmt::format("  berth_put(out + {}, {}header->{}, {});\n", at,
                       f.type == WireType::i64 ? "(uint64_t)" : "", f.name, wire_bytes(f.type));
    get += f.type == WireType::i64
               ? fmt::format("  h.{} = berth_get_signed(bytes + {});\n", f.name, at)
               : fmt::format("  h.{} = ({})berth_get(bytes + {}, {});\n", f.name, c_type(f.type),
                             at, wire_bytes(f.type));
  }
  const auto kind = [](const DatagramKindName& k) {
    return "BERTH_KIND_" + upper_case(std::string(k.name));
  };
  return fill_text(kDatagramHead, {{"@EXTERNAL", safe_comment(layout.external)},
                                   {"@TITLE", safe_comment(title)},
                                   {"@MAGIC", fmt::format("0x{:08x}u", kDatagramMagic)},
                                   {"@VERSION", std::to_string(kDatagramVersion)},
                                   {"@DIGEST", hex_text(layout.digest)},
                                   {"@HEADER_BYTES", std::to_string(kDatagramHeaderBytes)},
                                   {"@TAG_BYTES", std::to_string(kTagBytes)},
                                   {"@CRC_BYTES", std::to_string(kCrcBytes)},
                                   {"@MOST_BYTES", std::to_string(kMostDatagramBytes)},
                                   {"@MOST_NUMBERS", std::to_string(kMostNumbers)},
                                   {"@MEASURES", std::to_string(layout.measure_count())},
                                   {"@COMMANDS", std::to_string(layout.command_count())},
                                   {"@LISTS", write_c_lists(measures, commands)}}) +
         fill_text(kDatagramBytes, {{"@CRC_TABLE", table}}) + std::string(kDatagramTag) +
         fill_text(kDatagramPack, {{"@PUT_HEADER", put},
                                   {"@GET_HEADER", get},
                                   {"@FIRST_KIND", kind(kDatagramKinds.front())},
                                   {"@LAST_KIND", kind(kDatagramKinds.back())}}) +
         write_pack_kind("tick", "measures", measures) +
         write_pack_kind("answer", "commands", commands) + "\n#endif\n";
}

}  // namespace berth

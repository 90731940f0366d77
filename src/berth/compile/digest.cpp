// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/digest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace berth {

namespace {

using DigestWords = std::array<std::uint32_t, 8>;

// First 32 bits of the fractional parts of square roots of the first 8 primes and of cube roots of the
// first 64.
constexpr DigestWords kDigestStart = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
constexpr std::array<std::uint32_t, 64> kDigestRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void add_block(DigestWords& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = static_cast<std::uint32_t>(block[4 * i]) << 24 |
           static_cast<std::uint32_t>(block[4 * i + 1]) << 16 |
           static_cast<std::uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & f) ^ (~e & g)) + kDigestRound[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const DigestWords after = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += after[i];
}

void add_blocks(DigestWords& state, const unsigned char* data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_block(state, data + 64 * i);
}

#if defined(__x86_64__)

// By the instructions for it, which take the words in the orders a b e f and c d g h, the highest first,
// and make two rounds at a time.
[[gnu::target("sha,sse4.1")]] void add_blocks_by_instructions(DigestWords& state,
                                                              const unsigned char* data,
                                                              std::size_t count) {
  const auto load = [](const void* from) __attribute__((target("sha,sse4.1"))) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i bytes_reversed = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(load(&state[0]), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(&state[4]), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count > 0; --count, data += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(data + 16 * i), bytes_reversed);
    for (int i = 0; i < 16; ++i) {
      __m128i& now = w[i % 4];
      const __m128i& last = w[(i + 3) % 4];
      const __m128i sum = _mm_add_epi32(now, load(&kDigestRound[static_cast<std::size_t>(4 * i)]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      now = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]),
                          _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
      now = _mm_sha256msg2_epu32(now, last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[0]), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

bool find_digest_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

#else

constexpr auto add_blocks_by_instructions = add_blocks;
bool find_digest_instructions() { return false; }

#endif

}  // namespace

bool has_digest_instructions() {
  static const bool found = find_digest_instructions();
  return found;
}

Sha256::Sha256(bool by_instructions) : state_(kDigestStart), by_instructions_(by_instructions) {}

void Sha256::add(std::string_view bytes) {
  const auto add = by_instructions_ ? add_blocks_by_instructions : add_blocks;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  const std::size_t begun = size_ % kBlock;
  size_ += left;
  if (begun > 0) {
    const std::size_t taken = std::min(left, kBlock - begun);
    std::copy_n(data, taken, &rest_[begun]);
    data += taken, left -= taken;
    if (begun + taken < kBlock) return;
    add(state_, rest_.data(), 1);
  }
  add(state_, data, left / kBlock);
  std::copy_n(data + left / kBlock * kBlock, left % kBlock, rest_.data());
}

Sha256::Bytes Sha256::find() const {
  // The rest, a one bit, zeros, the length in bits.
  std::array<unsigned char, 2 * kBlock> last{};
  const std::size_t rest = size_ % kBlock;
  std::copy_n(rest_.data(), rest, last.data());
  last[rest] = 0x80;
  const std::size_t end = rest < kBlock - 8 ? kBlock : 2 * kBlock;
  const std::uint64_t bits = size_ * 8;
  for (std::size_t i = 0; i < 8; ++i)
    last[end - 1 - i] = static_cast<unsigned char>(bits >> (8 * i) & 0xff);
  DigestWords state = state_;
  (by_instructions_ ? add_blocks_by_instructions : add_blocks)(state, last.data(), end / kBlock);

  Bytes digest;
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<unsigned char>(state[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
  return digest;
}

std::string to_hexadecimal(const Sha256::Bytes& bytes) {
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string find_sha256(std::string_view bytes, bool by_instructions) {
  Sha256 sha(by_instructions);
  sha.add(bytes);
  return to_hexadecimal(sha.find());
}

}  // namespace berth

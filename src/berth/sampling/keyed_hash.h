// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeyedHash — a random function of 64-bit numbers, one of 2^128: philox.h makes its key of a seed
// and a place.
//
//   const KeyedHash hash(seed, {randomisation, 0, dimension, purpose});
//   hash(0), hash(1), …                    random words, in any order
//
// Philox would do alone; where a number needs many words this takes less time. Each word is
// mixed as SplitMix64 does (Steele, Lea and Flood, OOPSLA 2014), with the second half of the key
// between its two multiplications, so that the words of two keys are not shifted copies of each
// other.

#include <cstdint>

#include "berth/math/philox.h"

namespace berth {

class KeyedHash {
 public:
  constexpr KeyedHash(std::uint64_t seed, const PhiloxWords& place) {
    const PhiloxWords key =
        philox(place, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    first_ = std::uint64_t{key[0]} << 32 | key[1];
    second_ = std::uint64_t{key[2]} << 32 | key[3];
  }

  constexpr std::uint64_t operator()(std::uint64_t x) const {
    x = x * 0x9E3779B97F4A7C15 + first_;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 + second_;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }

 private:
  std::uint64_t first_, second_;
};

// An integer below n, from the upper half of a random word.
constexpr std::uint64_t find_below(std::uint64_t word, std::uint32_t n) {
  return (word >> 32) * n >> 32;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Permutation — a random order of 0 … n − 1 that is computed, not stored.
//
//   const Permutation order(52, hash);
//   order(0), …, order(51)                 each of 0 … 51 once
//
// i = l + a r with 0 ≤ l < a, 0 ≤ r < b is a place in a table of a columns and b rows, a b ≥ n.
// Rounds of a Feistel network shift every row, then every column, by random numbers:
//
//   l ← (l + F(r)) mod a,      r ← (r + G(l)) mod b                                             (1)
//
// Each can be undone, so that their sequence is a permutation of a b places. One that ends at a
// place beyond n goes on from there until it ends below (Black and Rogaway, "Ciphers with arbitrary
// finite domains", 2002).

#include <cstdint>

#include "berth/sampling/keyed_hash.h"

namespace berth {

class Permutation {
 public:
  // n from 1 to 2^62.
  Permutation(std::uint64_t n, const KeyedHash& hash);
  // Of i below n.
  std::uint64_t operator()(std::uint64_t i) const;

 private:
  std::uint64_t n_;
  std::uint32_t columns_, rows_;
  KeyedHash hash_;
};

}  // namespace berth

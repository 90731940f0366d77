// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/permutation.h"

#include <cmath>
#include <stdexcept>

namespace berth {

namespace {

// Two would do for a large table; all orders of a few places are equally likely only after more.
constexpr std::uint64_t kPairsOfRounds = 10;

std::uint32_t add_modulo(std::uint32_t x, std::uint64_t shift, std::uint32_t modulus) {
  const std::uint64_t sum = x + shift;
  return static_cast<std::uint32_t>(sum < modulus ? sum : sum - modulus);
}

}  // namespace

// More columns than rows: a square of 2^k columns would only make even permutations.
Permutation::Permutation(std::uint64_t n, const KeyedHash& hash) : n_(n), hash_(hash) {
  if (n == 0 || n > std::uint64_t{1} << 62)
    throw std::invalid_argument("Permutation: n must lie between 1 and 2^62");
  columns_ = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n))) + 1;
  rows_ = static_cast<std::uint32_t>((n + columns_ - 1) / columns_);
}

std::uint64_t Permutation::operator()(std::uint64_t i) const {
  do {
    auto l = static_cast<std::uint32_t>(i % columns_);
    auto r = static_cast<std::uint32_t>(i / columns_);
    for (std::uint64_t round = 0; round < kPairsOfRounds; ++round) {
      const std::uint64_t number = round << 33;
      l = add_modulo(l, find_below(hash_(number | r), columns_), columns_);  // (1)
      r = add_modulo(r, find_below(hash_(number | std::uint64_t{1} << 32 | l), rows_), rows_);
    }
    i = l + std::uint64_t{columns_} * r;
  } while (i >= n_);
  return i;
}

}  // namespace berth

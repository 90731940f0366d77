// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/sobol.h"

#include <array>
#include <bit>

namespace berth {

namespace {

using DirectionNumbers = std::array<std::uint32_t, 32>;

struct SobolDimension {
  std::uint32_t polynomial;
  std::array<std::uint32_t, 11> initial;
};
constexpr SobolDimension kSobolTable[] = {
#include "berth/sampling/sobol_direction_numbers.inc"
};
static_assert(std::size(kSobolTable) == kSobolDimensions - 1);

constexpr DirectionNumbers find_direction_numbers(const SobolDimension& d) {
  DirectionNumbers v{};
  const auto s = static_cast<std::size_t>(std::bit_width(d.polynomial)) - 1;
  for (std::size_t k = 0; k < s; ++k) v[k] = d.initial[k] << (31 - k);
  for (std::size_t k = s; k < v.size(); ++k) {
    v[k] = v[k - s] ^ v[k - s] >> s;
    for (std::size_t j = 1; j < s; ++j)
      if (d.polynomial >> (s - j) & 1) v[k] ^= v[k - j];  // (2)
  }
  return v;
}

// The first dimension has no polynomial: its bits are those of n in reverse.
constexpr auto find_all_direction_numbers() {
  std::array<DirectionNumbers, kSobolDimensions> all{};
  for (std::size_t k = 0; k < 32; ++k) all[0][k] = std::uint32_t{1} << (31 - k);
  for (std::size_t d = 1; d < kSobolDimensions; ++d)
    all[d] = find_direction_numbers(kSobolTable[d - 1]);
  return all;
}
constexpr auto kDirectionNumbers = find_all_direction_numbers();

}  // namespace

std::uint32_t find_sobol_bits(std::uint32_t n, std::uint32_t dimension) {
  const DirectionNumbers& v = kDirectionNumbers[dimension];
  std::uint32_t x = 0;
  for (; n != 0; n &= n - 1) x ^= v[static_cast<std::size_t>(std::countr_zero(n))];  // (1)
  return x;
}

// The tree is cut into small trees of six levels: the 63 coins of one are bits of one random word.
// A node of a small tree has the number 1 b₁ b₂ …, with the bits that lead to it. Four bits of 0
// fill the last small tree.
std::uint32_t find_scrambled_bits(std::uint32_t bits, const KeyedHash& coins) {
  const std::uint64_t path = (std::uint64_t{1} << 32 | bits) << 4;
  std::uint64_t flips = 0;
  for (int top = 36; top > 0; top -= 6) {
    const std::uint64_t word = coins(path >> top);
    const std::uint64_t way = path >> (top - 6) & 63;
    for (int level = 0; level < 6; ++level) {
      const std::uint64_t node = (64 | way) >> (6 - level);
      flips = flips << 1 | (word >> node & 1);
    }
  }
  return bits ^ static_cast<std::uint32_t>(flips >> 4);
}

}  // namespace berth

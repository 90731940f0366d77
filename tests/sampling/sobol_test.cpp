// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/sobol.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace berth::sobol_test {
namespace {

// scipy lists points in the order of the Gray code.
std::uint32_t find_listed(std::uint32_t n, std::uint32_t dimension) {
  return find_sobol_bits(n ^ n >> 1, dimension);
}

// scipy 1.x: qmc.Sobol(256, scramble=False, bits=32).random_base2(10) times 2^32.
TEST(Sobol, HasThePointsOfJoeAndKuo) {
  constexpr std::uint32_t dimensions[] = {0, 1, 2, 5, 20, 80, 159, 255};
  struct Listed {
    std::uint32_t n;
    std::uint32_t points[8];
  };
  constexpr Listed listed[] = {
      {5,
       {0xE0000000, 0xE0000000, 0x20000000, 0xA0000000, 0xA0000000, 0xA0000000, 0x20000000,
        0xE0000000}},
      {100,
       {1778384896, 1107296256, 3321888768, 3187671040, 3254779904, 369098752, 2248146944,
        2449473536}},
      {777,
       {2973761536, 4022337536, 700448768, 1530920960, 1019215872, 3200253952, 775946240,
        2730491904}},
      {1023,
       {4194304, 3233808384, 2629828608, 1883242496, 3720347648, 62914560, 1832910848, 3619684352}},
  };
  for (const Listed& row : listed)
    for (std::size_t k = 0; k < 8; ++k)
      EXPECT_EQ(find_listed(row.n, dimensions[k]), row.points[k]) << row.n << " " << dimensions[k];
}

// All 1024 · 256 of them, as one number: Σ (d + 1) x_d of each point, hashed in order.
TEST(Sobol, HasAllPointsOfJoeAndKuo) {
  std::uint64_t check = 0;
  for (std::uint32_t n = 0; n < 1024; ++n) {
    std::uint64_t sum = 0;
    for (std::uint32_t d = 0; d < kSobolDimensions; ++d)
      sum += std::uint64_t{find_listed(n, d)} * (d + 1);
    check = check * 6364136223846793005 + sum;
  }
  EXPECT_EQ(check, 2576731063338401792u);
}

KeyedHash coins_of(std::uint32_t randomisation) { return {1, {randomisation, 0, 0, 1}}; }

TEST(OwenScrambling, IsABijectionThatKeepsCommonPrefixes) {
  const KeyedHash coins = coins_of(0);
  for (const int shared : {0, 1, 5, 6, 7, 17, 31}) {
    const std::uint32_t x = 0x9A3C5E71, y = x ^ 0x80000000u >> shared;
    const std::uint32_t change = find_scrambled_bits(x, coins) ^ find_scrambled_bits(y, coins);
    EXPECT_EQ(std::countl_zero(change), shared);
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t n = 0; n < 4096; ++n) all.push_back(find_scrambled_bits(n << 20, coins) >> 20);
  std::sort(all.begin(), all.end());
  for (std::uint32_t n = 0; n < 4096; ++n) EXPECT_EQ(all[n], n);
}

// Bits behind the first that differs have coins of their own: over many keys they agree half the
// time, and so does every bit with the unscrambled one.
TEST(OwenScrambling, FlipsBitsIndependently) {
  constexpr int keys = 10'000;
  for (const int shared : {0, 4, 5, 6, 11, 20}) {
    const std::uint32_t x = 0x5D0F3C69, y = x ^ 0x80000000u >> shared;
    int same[32] = {}, kept[32] = {}, kept_in_sequence[32] = {};
    for (std::uint32_t r = 0; r < keys; ++r) {
      const std::uint32_t a = find_scrambled_bits(x, coins_of(r)),
                          b = find_scrambled_bits(y, coins_of(r));
      for (int bit = 0; bit < 32; ++bit) {
        same[bit] += (~(a ^ b) >> bit & 1) != 0;
        kept[bit] += (~(a ^ x) >> bit & 1) != 0;
        kept_in_sequence[bit] += (~(a ^ x ^ std::rotl(a ^ x, 1)) >> bit & 1) != 0;
      }
    }
    // 4.5 standard deviations of 50 each
    for (int bit = 0; bit < 31 - shared; ++bit) EXPECT_NEAR(same[bit], keys / 2, 225) << bit;
    for (int bit = 0; bit < 32; ++bit) {
      EXPECT_NEAR(kept[bit], keys / 2, 225) << bit;
      EXPECT_NEAR(kept_in_sequence[bit], keys / 2, 225) << bit;
    }
  }
}

}  // namespace
}  // namespace berth::sobol_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Philox — random numbers as a function of where they stand, without a state.
//
//   (seed, i, j) ↦ four words of 32 bits
//
// Ask for them in any order, from any thread: the answer is the same. It is Philox4x32-10 of Salmon,
// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011): ten rounds of
// multiplying and mixing turn a counter into numbers that pass every test of TestU01.
//
//   counter   (i low, i high, j, 0)      key   (seed low, seed high)

#include <array>
#include <cmath>
#include <cstdint>

#include "berth/scalar/elementary.h"

namespace berth {

using PhiloxWords = std::array<std::uint32_t, 4>;

constexpr PhiloxWords philox(PhiloxWords c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

// Two numbers between 0 and 1, neither of which they reach: 52 bits and a half.
constexpr std::array<double, 2> find_uniform_pair(std::uint64_t seed, std::uint64_t i,
                                                  std::uint32_t j) {
  const PhiloxWords w =
      philox({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), j, 0},
             {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  const auto unit = [](std::uint32_t high, std::uint32_t low) {
    const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 12;
    return (static_cast<double>(bits) + 0.5) * 0x1p-52;
  };
  return {unit(w[0], w[1]), unit(w[2], w[3])};
}

inline double find_uniform(std::uint64_t seed, std::uint64_t i, std::uint32_t j) {
  return find_uniform_pair(seed, i, j)[0];
}

// Box and Muller: mean 0, standard deviation 1.
inline double find_normal(std::uint64_t seed, std::uint64_t i, std::uint32_t j) {
  constexpr double two_pi = 6.283185307179586476925287;
  const auto [u, v] = find_uniform_pair(seed, i, j);
  return std::sqrt(-2 * log(u)) * cos(two_pi * v);
}

}  // namespace berth

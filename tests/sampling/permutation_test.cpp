// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/permutation.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace berth::permutation_test {
namespace {

Permutation build(std::uint64_t n, std::uint32_t number) {
  return {n, KeyedHash(3, {number, 0, static_cast<std::uint32_t>(n), 1})};
}

bool is_bijection(std::uint64_t n) {
  const Permutation order = build(n, 0);
  std::vector<char> seen(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t place = order(i);
    if (place >= n || seen[place]) return false;
    seen[place] = 1;
  }
  return true;
}

TEST(Permutation, HasEveryPlaceOnce) {
  for (std::uint64_t n = 1; n <= 300; ++n) EXPECT_TRUE(is_bijection(n)) << n;
  EXPECT_TRUE(is_bijection(1'000'000));
  EXPECT_TRUE(is_bijection(65'536));
}

TEST(Permutation, TakesAnyLengthThatIsNotZero) {
  EXPECT_THROW(build(0, 0), std::invalid_argument);
  const Permutation order = build(std::uint64_t{1} << 62, 0);
  EXPECT_LT(order(5), std::uint64_t{1} << 62);
  EXPECT_NE(order(5), order(6));
}

// χ² of all orders of n, each as likely as the others. Limits: four standard deviations above n! −
// 1.
TEST(Permutation, MakesAllOrdersEquallyOften) {
  for (const auto& [n, orders] : {std::pair{2u, 2}, {3u, 6}, {4u, 24}, {5u, 120}}) {
    constexpr int trials = 24'000;
    std::map<std::vector<std::uint64_t>, int> counts;
    for (std::uint32_t t = 0; t < trials; ++t) {
      const Permutation order = build(n, t);
      std::vector<std::uint64_t> places;
      for (std::uint64_t i = 0; i < n; ++i) places.push_back(order(i));
      ++counts[places];
    }
    ASSERT_EQ(counts.size(), static_cast<std::size_t>(orders)) << n;
    const double wanted = static_cast<double>(trials) / orders;
    double chi_squared = 0;
    for (const auto& [places, count] : counts)
      chi_squared += (count - wanted) * (count - wanted) / wanted;
    EXPECT_LT(chi_squared, orders - 1 + 4 * std::sqrt(2.0 * (orders - 1))) << n;
  }
}

// Where two neighbours come to lie, together.
TEST(Permutation, PutsNeighboursAnywhere) {
  constexpr std::uint32_t n = 16;
  constexpr int trials = 48'000, pairs = n * (n - 1);
  std::vector<int> counts(n * n);
  for (std::uint32_t t = 0; t < trials; ++t) {
    const Permutation order = build(n, t);
    ++counts[order(6) * n + order(7)];
  }
  const double wanted = static_cast<double>(trials) / pairs;
  double chi_squared = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (k / n != k % n) chi_squared += (counts[k] - wanted) * (counts[k] - wanted) / wanted;
  EXPECT_LT(chi_squared, pairs - 1 + 4 * std::sqrt(2.0 * (pairs - 1)));
}

}  // namespace
}  // namespace berth::permutation_test

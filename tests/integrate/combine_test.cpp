// SPDX-License-Identifier: Apache-2.0

// Sums of rows: whatever registers the processor has, the bits are those of the plain loop.

#include "berth/integrate/combine.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/numbers.h"
#include "tests/support/random.h"

namespace berth::test::combine_test {
namespace {

double sum_one(std::span<const Coefficient> weights, double h, const double* base,
               const double* rows, std::size_t stride, std::size_t i) {
  double sum = 0;
  for (const Coefficient& w : weights)
    sum += w.value * rows[static_cast<std::size_t>(w.column) * stride + i];
  return base ? h * sum + base[i] : h * sum;
}

TEST(Combine, HasTheBitsOfOneStateAtATime) {
  Random random(7);
  for (std::size_t n = 1; n < 90; ++n) {
    const std::size_t stride = padded<double>(n), rows = 1 + n % 13;
    std::vector<double> k(rows * stride), base(stride), out(stride, -1);
    for (double& x : k) x = random.number(-1, 1);
    for (double& x : base) x = random.number(-1, 1);
    std::vector<Coefficient> weights;
    for (std::size_t r = 0; r < rows; ++r)
      weights.push_back({0, static_cast<int>(rows - 1 - r), random.number(-9, 9)});
    const double h = random.number(0, 2);
    for (const bool has_base : {false, true}) {
      const double* const from = has_base ? base.data() : nullptr;
      combine(weights, h, from, k.data(), stride, out.data(), stride);
      std::vector<double> exact(n);
      combine_unpadded(std::span<const Coefficient>(weights), h, from, k.data(), stride,
                       std::span(exact));
      for (std::size_t i = 0; i < n; ++i) {
        const double wanted = sum_one(weights, h, from, k.data(), stride, i);
        EXPECT_TRUE(are_same(out[i], wanted) && are_same(exact[i], wanted)) << n << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace berth::test::combine_test

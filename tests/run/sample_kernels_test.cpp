// SPDX-License-Identifier: Apache-2.0

// What is asked of all samples at once: whatever registers the processor has, the bits are those of one number
// after the other.

#include "berth/run/sample_kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/numbers.h"
#include "tests/support/random.h"

namespace berth::test::sample_kernels_test {
namespace {

// Rows of a step: its beginning, its stages, its end, and the end before.
struct Samples {
  std::size_t numbers, inside;
  std::vector<double> rows;
  double continues;

  Samples(Random& random, std::size_t n, std::size_t stages)
      : numbers(n), inside(stages), rows((stages + 3) * n + kSampleChunk, 0.0) {
    for (double& x : rows) x = random.number(-1, 1);
    continues = n % 2 == 0 ? 1 : 0;
  }
  const double* row(std::size_t i) const { return rows.data() + i * numbers; }
  double value(std::size_t i, std::size_t k) const { return rows[i * numbers + k]; }
  SampleRows list() const {
    return {row(0), row(inside + 1), row(inside + 2), numbers, inside, continues};
  }
};

TEST(SampleKernels, FindTheRangesOfEveryNumberAsAlone) {
  Random random(11);
  for (std::size_t n = 1; n < 40; ++n) {
    Samples s(random, n, n % 7);
    std::vector<double> lo(n + kSampleChunk), hi(lo), ends(lo);
    kSampleKernels.find_ranges(s.list(), lo.data(), hi.data(), ends.data());
    for (std::size_t k = 0; k < n; ++k) {
      double least = INFINITY, most = -INFINITY;
      for (std::size_t i = 0; i < s.inside + 2; ++i) {
        least = std::min(least, s.value(i, k));
        most = std::max(most, s.value(i, k));
      }
      const double begin = s.value(0, k), end = s.value(s.inside + 1, k);
      const double before = s.value(s.inside + 2, k);
      EXPECT_TRUE(are_same(lo[k], least) && are_same(hi[k], most)) << n << " " << k;
      EXPECT_TRUE(
          are_same(ends[k], std::max(begin, end) +
                                (std::fabs(end - begin) + s.continues * std::fabs(begin - before))))
          << n << " " << k;
    }
  }
}

TEST(SampleKernels, WhatIsLostOnceMayBeAnywhere) {
  Random random(12);
  for (const double lost : {NAN, INFINITY, -INFINITY})
    for (std::size_t at = 0; at < 6; ++at) {
      Samples s(random, 11, 4);
      s.rows[at * s.numbers + 3] = lost;
      std::vector<double> lo(s.numbers + kSampleChunk), hi(lo), ends(lo);
      kSampleKernels.find_ranges(s.list(), lo.data(), hi.data(), ends.data());
      for (std::size_t k = 0; k < s.numbers; ++k) {
        EXPECT_EQ(lo[k] == -INFINITY, k == 3) << at;
        EXPECT_EQ(hi[k] == INFINITY, k == 3) << at;
      }
    }
}

TEST(SampleKernels, FollowThePolynomialAsOneTimeAfterTheOther) {
  Random random(13);
  for (std::size_t count = 2; count <= 8; ++count) {
    std::vector<double> grid(count * kSampleGridRoom), samples(count);
    for (double& x : samples) x = random.number(-1, 1);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < kSampleGridRoom; ++j)
        grid[i * kSampleGridRoom + j] =
            j < kSampleGrid ? random.number(-1, 1) : grid[i * kSampleGridRoom + kSampleGrid - 1];
    PolynomialRange wanted{0, 0, INFINITY, -INFINITY};
    for (std::size_t j = 0; j < kSampleGrid; ++j) {
      double p = 0;
      for (std::size_t i = 0; i < count; ++i) p += grid[i * kSampleGridRoom + j] * samples[i];
      if (j == 0) wanted.front = p;
      wanted.back = p;
      wanted.least = std::min(wanted.least, p);
      wanted.most = std::max(wanted.most, p);
    }
    const PolynomialRange got = kSampleKernels.find_polynomial(grid.data(), samples.data(), count);
    EXPECT_TRUE(are_same(got.front, wanted.front) && are_same(got.back, wanted.back));
    EXPECT_TRUE(are_same(got.least, wanted.least) && are_same(got.most, wanted.most));
  }
}

}  // namespace
}  // namespace berth::test::sample_kernels_test

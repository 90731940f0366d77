// SPDX-License-Identifier: Apache-2.0

// The interval of a proportion that holds at all numbers of trials at once.

#include "berth/statistics/confidence_sequence.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::statistics_confidence_sequence_test {
namespace {

bool holds(const Proportion& i, double p) { return i.low <= p && p <= i.high; }

// Roots of the inequality, by mpmath.
TEST(LastingProportion, HasKnownEnds) {
  const Proportion p = find_lasting_proportion(3, 20);
  EXPECT_NEAR(p.low, 0.01326932169110961, 1e-14);
  EXPECT_NEAR(p.high, 0.4752530970767664, 1e-14);
  const Proportion many = find_lasting_proportion(70'000, 100'000, 0.99);
  EXPECT_NEAR(many.low, 0.6933037191630783, 1e-13);
  EXPECT_NEAR(many.high, 0.7066398182471929, 1e-13);
}

// B(n+½, ½)/B(½, ½) = (2n)!/(2ⁿ n!)²: the product of (i − ½)/i.
TEST(LastingProportion, OfSuccessesAloneHasAClosedForm) {
  double product = 1;
  for (std::uint64_t n = 1; n <= 50; ++n) {
    const double count = static_cast<double>(n);
    product *= (count - 0.5) / count;
    const Proportion all = find_lasting_proportion(n, n), none = find_lasting_proportion(0, n);
    EXPECT_NEAR(all.low, std::pow(0.05 * product, 1 / count), 1e-13);
    EXPECT_EQ(all.high, 1);
    EXPECT_NEAR(none.high, 1 - all.low, 1e-13);
    EXPECT_EQ(none.low, 0);
  }
}

TEST(LastingProportion, IsWiderThanTheOneOfAFixedNumber) {
  for (std::uint64_t n = 1; n < 100'000'000; n = n * 3 + 1)
    for (const std::uint64_t s : {std::uint64_t{0}, n / 100, n / 3, n - 1, n}) {
      const Proportion fixed = find_proportion(s, n), lasting = find_lasting_proportion(s, n);
      EXPECT_LE(lasting.low, fixed.low) << s << " of " << n;
      EXPECT_GE(lasting.high, fixed.high) << s << " of " << n;
      EXPECT_LT(lasting.high - lasting.low, 3.5 * (fixed.high - fixed.low)) << s << " of " << n;
    }
}

// Is p inside after s of n trials? Many sequences share their counts.
class Inside {
 public:
  explicit Inside(double p) : p_(p), known_((most + 1) * (most + 1)) {}
  bool operator()(std::uint64_t s, std::uint64_t n, bool lasting) {
    char& k = known_[n * (most + 1) + s];
    if (k == 0)
      k = holds(lasting ? find_lasting_proportion(s, n) : find_proportion(s, n), p_) ? 1 : 2;
    return k == 1;
  }
  static constexpr std::uint64_t most = 2000;

 private:
  double p_;
  std::vector<char> known_;
};

int count_leaving(double p, bool lasting, std::uint64_t seeds) {
  Inside inside(p);
  int leaving = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    bool stays = true;
    std::uint64_t s = 0;
    for (std::uint64_t n = 1; stays && n <= Inside::most; ++n) {
      s += find_uniform(seed, n, 3) < p;
      stays = inside(s, n, lasting);
    }
    leaving += !stays;
  }
  return leaving;
}

// 1000 sequences of 2000 trials, read after every one.
TEST(LastingProportion, HoldsAfterEveryTrial) {
  for (const double p : {0.01, 0.3, 0.5}) EXPECT_LE(count_leaving(p, true, 1000), 50) << p;
  // What it is for: the interval of a fixed number does not.
  EXPECT_GT(count_leaving(0.3, false, 100), 15);
}

TEST(LastingProportion, IntervalsIntersect) {
  const Proportion both = intersect({0.5, 0.2, 0.6}, {0.4, 0.3, 0.8});
  EXPECT_EQ(both.fraction, 0.4);
  EXPECT_EQ(both.low, 0.3);
  EXPECT_EQ(both.high, 0.6);
  EXPECT_EQ(intersect({0.1, 0, 0.2}, {0.4, 0.3, 0.8}).low, 0.3);
}

}  // namespace
}  // namespace berth::statistics_confidence_sequence_test

// SPDX-License-Identifier: Apache-2.0
#include "berth/report/difference.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/report/fake_group.h"

namespace berth::test::difference_test {
namespace {

std::vector<double> all_of(const SeriesGroup& g) { return g.read(0, 0, g.samples); }

TEST(Difference, OfRowsAtTheSameTimesIsThatOfTheirNumbers) {
  const FakeGroup a({0, 1, 2}, {1, 2, 3}), b({0, 1, 2}, {2, 4, 9});
  EXPECT_EQ(all_of(*find_difference(a, b)), (std::vector<double>{1, 2, 6}));
}

TEST(Difference, InterpolatesWhereTimesDifferAndStaysWhereBothRan) {
  const FakeGroup a({1, 2, 4}, {10, 20, 40}), b({0, 1.5, 3, 4, 5}, {0, 16, 31, 42, 99});
  const auto d = find_difference(a, b);
  EXPECT_EQ(d->read_times(0, d->samples), (std::vector<double>{1.5, 3, 4}));
  EXPECT_EQ(all_of(*d), (std::vector<double>{1, 1, 2}));
}

// Two rows at one time stand before and after an event.
TEST(Difference, KeepsTheSidesOfAnEventApart) {
  const FakeGroup a({0, 1, 1, 2}, {0, 0, 5, 5}), b({0, 1, 1, 1.5}, {0, 1, 6, 6});
  EXPECT_EQ(all_of(*find_difference(a, b)), (std::vector<double>{0, 1, 1, 1}));
}

TEST(Difference, TakesAttitudesOfEitherSignAsOne) {
  const FakeGroup a({0}, {1, 0, 0, 0}, 4), b({0}, {-1, 0, 0, 0}, 4);
  EXPECT_EQ(all_of(*find_difference(a, b)), (std::vector<double>{0, 0, 0, 0}));
}

TEST(Difference, OfRunsWithoutCommonTimeIsEmpty) {
  const FakeGroup a({0, 1}, {1, 2}), b({2, 3}, {2, 4}), none({}, {});
  EXPECT_EQ(find_difference(a, b)->samples, 0u);
  EXPECT_EQ(find_difference(none, b)->samples, 0u);
}

TEST(Difference, OfALongRunWithAFinerOneIsExact) {
  // y = t in both; B has rows where A has none.
  std::vector<double> ta, tb;
  for (int i = 0; i <= 2000000; ++i) ta.push_back(i * 1e-3);
  for (int i = 0; i < 100; ++i) tb.push_back(17.77777 * i);
  const FakeGroup a(ta, ta), b(tb, tb);
  for (const double d : all_of(*find_difference(a, b))) EXPECT_NEAR(d, 0, 1e-9);
}

}  // namespace
}  // namespace berth::test::difference_test

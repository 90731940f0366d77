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
  EXPECT_EQ(all_of(DifferenceGroup(a, b)), (std::vector<double>{1, 2, 6}));
}

TEST(Difference, InterpolatesWhereTimesDifferAndStaysWhereBothRan) {
  const FakeGroup a({1, 2, 4}, {10, 20, 40}), b({0, 1.5, 3, 4, 5}, {0, 16, 31, 42, 99});
  const DifferenceGroup d(a, b);
  EXPECT_EQ(d.read_times(0, d.samples), (std::vector<double>{1.5, 3, 4}));
  EXPECT_EQ(all_of(d), (std::vector<double>{1, 1, 2}));
}

// Two rows at one time stand before and after an event.
TEST(Difference, KeepsTheSidesOfAnEventApart) {
  const FakeGroup a({0, 1, 1, 2}, {0, 0, 5, 5}), b({0, 1, 1, 1.5}, {0, 1, 6, 6});
  EXPECT_EQ(all_of(DifferenceGroup(a, b)), (std::vector<double>{0, 1, 1, 1}));
}

// So do three at one time, wherever a stretch that is read ends.
TEST(Difference, KeepsRowsAtOneTimeApartInWhateverStretchesItIsRead) {
  const FakeGroup a({0, 1, 1, 1, 3}, {0, 1, 2, 3, 4}),
      b({0, 0.5, 1, 1, 1, 2}, {0, 0.5, 1, 2, 3, 3.5});
  const DifferenceGroup d(a, b);
  EXPECT_EQ(all_of(d), (std::vector<double>{0, 0, 0, 0, 0, 0}));
  for (std::uint64_t row = 0; row < d.samples; ++row)
    EXPECT_EQ(d.read(0, row, 1), std::vector<double>{0}) << row;
  // A touches at 1 s, B later: at 1 s and before it neither force is mixed with the other side.
  const FakeGroup early({0, 1, 1, 4}, {0, 0, 8, 8}), late({0, 1, 2, 2, 4}, {0, 0, 0, 8, 8});
  EXPECT_EQ(all_of(DifferenceGroup(early, late)), (std::vector<double>{0, -8, -8, 0, 0}));
  EXPECT_EQ(all_of(DifferenceGroup(late, early)), (std::vector<double>{0, 0, 8, 0}));
}

TEST(Difference, CountsTheRowsAtWhichTheFirstRunIsInterpolated) {
  const FakeGroup a({0, 1, 1, 2}, {0, 0, 5, 5}), b({0, 0.5, 1, 1, 1.5, 2}, {0, 1, 6, 6, 6, 6});
  EXPECT_EQ(DifferenceGroup(a, b).count_interpolated(), 2u);
  EXPECT_EQ(DifferenceGroup(a, a).count_interpolated(), 0u);
}

TEST(Difference, HasALargestValueItsTimeAndATimeMean) {
  // d = t from 0 to 3 s, half of it in one long stretch: ∫ t² dt / 3 = 3.
  const FakeGroup d({0, 1, 1.5, 3}, {0, -1, -1.5, -3});
  const Deviation line = find_deviations(d, 0).front();
  EXPECT_EQ(line.largest, 3);
  EXPECT_EQ(line.t, 3);
  EXPECT_NEAR(line.rms, std::sqrt(3.0), 1e-14);
  // A jump takes no time; what is no number has no share.
  const FakeGroup jump({0, 1, 1, 2, 3, 4}, {0, 0, 2, 2, NAN, 2});
  const Deviation step = find_deviations(jump, 0).front();
  EXPECT_EQ(step.largest, 2);
  EXPECT_EQ(step.t, 1);
  EXPECT_NEAR(step.rms, std::sqrt(2.0), 1e-14);
  const FakeGroup one({1}, {-4}), none({}, {});
  EXPECT_EQ(find_deviations(one, 0).front().rms, 4);
  EXPECT_TRUE(std::isnan(find_deviations(none, 0).front().rms));
  EXPECT_TRUE(std::isnan(find_deviations(none, 0).front().largest));
}

TEST(Difference, TakesAttitudesOfEitherSignAsOne) {
  const FakeGroup a({0}, {1, 0, 0, 0}, 4), b({0}, {-1, 0, 0, 0}, 4);
  EXPECT_EQ(all_of(DifferenceGroup(a, b)), (std::vector<double>{0, 0, 0, 0}));
}

TEST(Difference, LeavesOutWhatIsNotTheSameQuantity) {
  const FakeGroup a({0}, {1});
  FakeGroup other({0}, {1}), side({0}, {1});
  other.channels[0].unit = "mm";
  side.channels[0].name = "row.side";
  EXPECT_EQ(DifferenceGroup(a, a).channels.size(), 1u);
  EXPECT_TRUE(DifferenceGroup(a, other).channels.empty());
  EXPECT_TRUE(DifferenceGroup(side, side).channels.empty());
}

TEST(Difference, OfRunsWithoutCommonTimeIsEmpty) {
  const FakeGroup a({0, 1}, {1, 2}), b({2, 3}, {2, 4}), none({}, {});
  EXPECT_EQ(DifferenceGroup(a, b).samples, 0u);
  EXPECT_EQ(DifferenceGroup(none, b).samples, 0u);
}

TEST(Difference, OfALongRunWithAFinerOneIsExact) {
  // y = t in both; B has rows where A has none.
  std::vector<double> ta, tb;
  for (int i = 0; i <= 2000000; ++i) ta.push_back(i * 1e-3);
  for (int i = 0; i < 100; ++i) tb.push_back(17.77777 * i);
  const FakeGroup a(ta, ta), b(tb, tb);
  for (const double d : all_of(DifferenceGroup(a, b))) EXPECT_NEAR(d, 0, 1e-9);
}

}  // namespace
}  // namespace berth::test::difference_test

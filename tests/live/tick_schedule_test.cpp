// SPDX-License-Identifier: Apache-2.0
#include "berth/live/tick_schedule.h"

#include <gtest/gtest.h>

#include "berth/live/time_histogram.h"

namespace berth::tick_schedule_test {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TickSchedule build(Overrun rule, double factor = 1) {
  TickSchedule s({.period = 0.004, .factor = factor, .late_after = 0.1, .overrun = rule});
  s.start(1000 * kMs);
  return s;
}

TEST(TickSchedule, TicksAreDueWhereTheFactorPutsThem) {
  EXPECT_EQ(build(Overrun::stop).find_due(0.02), 1020 * kMs);
  EXPECT_EQ(build(Overrun::stop, 0.1).find_due(0.02), 1200 * kMs);
}

TEST(TickSchedule, OverrunIsLatenessOfAPeriodOrMore) {
  TickSchedule s = build(Overrun::stop);
  EXPECT_FALSE(s.leave(0, 1000 * kMs + 300'000).late);
  EXPECT_TRUE(s.leave(0.004, 1004 * kMs + 500'000).late);
  EXPECT_FALSE(s.leave(0.008, 1011 * kMs).overran);
  EXPECT_TRUE(s.leave(0.012, 1016 * kMs).overran);
}

TEST(TickSchedule, SlippingMovesAllLaterTicks) {
  TickSchedule s = build(Overrun::slip);
  EXPECT_TRUE(s.leave(0.004, 1014 * kMs).slipped);
  EXPECT_EQ(s.offset_ns(), 10 * kMs);
  EXPECT_EQ(s.find_due(0.008), 1018 * kMs);
}

TEST(TickSchedule, CatchingUpKeepsTheScheduleAndHalfAPeriodBetweenTicks) {
  TickSchedule s = build(Overrun::catch_up);
  s.leave(0.004, 1020 * kMs);
  EXPECT_EQ(s.find_due(0.008), 1022 * kMs);
  const TickSchedule::Leaving next = s.leave(0.008, 1022 * kMs);
  EXPECT_TRUE(next.catching_up);
  EXPECT_TRUE(next.late);
  EXPECT_EQ(s.offset_ns(), 0);
  EXPECT_EQ(s.find_due(0.1), 1100 * kMs);
}

TEST(TimeHistogram, CountsEveryDurationInOneBin) {
  TimeHistogram h;
  for (std::int64_t ns : {0, 500, 1500, 60'000, 10'000'000}) h.add(ns);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < TimeHistogram::kBins; ++i) all += h.count(i);
  EXPECT_EQ(all, 5u);
  EXPECT_DOUBLE_EQ(h.largest(), 0.01);
  EXPECT_LE(h.quantile(0.5), 2e-6);
  EXPECT_DOUBLE_EQ(h.quantile(1), 0.01);
}

}  // namespace
}  // namespace berth::tick_schedule_test

// SPDX-License-Identifier: Apache-2.0
#include "berth/run/event_queue.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace berth::event_queue_test {
namespace {

Entry entry(double t, Due due, int index = 0) {
  Entry e{};
  e.t = t;
  e.due = due;
  e.index = index;
  return e;
}

TEST(EventQueue, EmptyItWaitsForEver) {
  const EventQueue event_queue;
  EXPECT_EQ(event_queue.next_time(), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(event_queue.is_due(0));
  EXPECT_FALSE(event_queue.is_due(1e300));
}

TEST(EventQueue, EarlierComesFirstWhateverTheOrderOfEntry) {
  test::Random random(1);
  EventQueue event_queue;
  std::vector<double> times;
  for (int i = 0; i < 500; ++i) {
    times.push_back(random.number(0, 100));
    event_queue.add(entry(times.back(), Due::switching, i));
  }
  std::sort(times.begin(), times.end());
  for (double t : times) {
    EXPECT_EQ(event_queue.next_time(), t);
    EXPECT_EQ(event_queue.take().t, t);
  }
  EXPECT_EQ(event_queue.next_time(), std::numeric_limits<double>::infinity());
}

TEST(EventQueue, AtOneTimeTheOrderIsThatOfTheKinds) {
  EventQueue event_queue;
  const Due order[] = {Due::switching, Due::valve_closes, Due::sample, Due::actuation,
                       Due::thruster_cycle};
  for (int shift = 0; shift < 5; ++shift)
    for (int i = 4; i >= 0; --i) event_queue.add(entry(2.0, order[(i + shift) % 5]));
  for (Due due : order)
    for (int k = 0; k < 5; ++k) EXPECT_EQ(event_queue.take().due, due);
}

TEST(EventQueue, OfOneKindAtOneTimeTheFirstEnteredComesFirst) {
  EventQueue event_queue;
  for (int i = 0; i < 100; ++i) event_queue.add(entry(i % 2 ? 1.0 : 3.0, Due::actuation, i));
  for (int i = 1; i < 100; i += 2) EXPECT_EQ(event_queue.take().index, i);
  for (int i = 0; i < 100; i += 2) EXPECT_EQ(event_queue.take().index, i);
}

TEST(EventQueue, AnEntryKeepsWhatItCarries) {
  EventQueue event_queue;
  Entry e = entry(1.5, Due::actuation, 7);
  e.count = 12;
  e.output = {1, 2, 3};
  event_queue.add(e);
  event_queue.add(entry(0.5, Due::sample, 3));
  EXPECT_EQ(event_queue.take().index, 3);
  const Entry back = event_queue.take();
  EXPECT_EQ(back.t, 1.5);
  EXPECT_EQ(back.due, Due::actuation);
  EXPECT_EQ(back.index, 7);
  EXPECT_EQ(back.count, 12u);
  EXPECT_EQ(back.output, (std::vector<double>{1, 2, 3}));
}

// What rounding alone puts apart is one moment; what an integrator can step over is not.
TEST(EventQueue, DueIsWhatIsNotLaterThanRounding) {
  for (double t : {0.0, 1e-3, 1.0, 1234.5, 1e6}) {
    EventQueue event_queue;
    event_queue.add(entry(t, Due::switching));
    EXPECT_TRUE(event_queue.is_due(t));
    EXPECT_TRUE(event_queue.is_due(t + 1));
    const double ulp = std::numeric_limits<double>::epsilon() * std::max(1.0, t);
    EXPECT_TRUE(event_queue.is_due(t - 8 * ulp));
    EXPECT_FALSE(event_queue.is_due(t - 1e4 * ulp));
    EXPECT_FALSE(event_queue.is_due(t - 1e-6 * (1 + t)));
  }
}

TEST(EventQueue, PeriodsAddedWithRoundingAreDueTogether) {
  // The same moments counted as k·h and summed up.
  double sum = 0;
  for (int k = 1; k <= 50; ++k) {
    sum += 0.1;
    EventQueue event_queue;
    event_queue.add(entry(k * 0.1, Due::sample));
    event_queue.add(entry(sum, Due::actuation));
    const double first = event_queue.next_time();
    event_queue.take();
    EXPECT_TRUE(event_queue.is_due(first)) << k;
  }
}

}  // namespace
}  // namespace berth::event_queue_test

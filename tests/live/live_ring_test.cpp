// SPDX-License-Identifier: Apache-2.0

// Frames from the thread that ticks to the one that shows them.

#include "berth/live/live_ring.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/allocations.h"

namespace berth::test::live_ring_test {
namespace {

// Every number of frame n is a function of n: a mixture of two frames is found out.
LiveFrame frame_of(std::uint64_t n, std::size_t width) {
  const double x = static_cast<double>(n);
  LiveFrame f;
  f.t = 1e-3 * x;
  f.clock = 2e-3 * x;
  f.force = x + 0.1, f.gap = x + 0.2, f.energy = x + 0.3;
  f.touching = n % 3 == 0;
  f.jitter = x + 0.4, f.round_trip = x + 0.5;
  for (std::size_t k = 0; k < f.more.size(); ++k) f.more[k] = x + 10.0 * static_cast<double>(k);
  f.ticks = n, f.late = n + 1, f.lost = n + 2;
  for (std::size_t k = 0; k < f.refused.size(); ++k) f.refused[k] = n + 3 + k;
  for (std::size_t k = 0; k < width; ++k) f.pose[k] = static_cast<float>((n + k) % 65536);
  return f;
}

bool is_frame_of(const LiveFrame& f, std::uint64_t n, std::size_t width) {
  const LiveFrame g = frame_of(n, width);
  bool same = f.t == g.t && f.clock == g.clock && f.force == g.force && f.gap == g.gap &&
              f.energy == g.energy && f.touching == g.touching && f.jitter == g.jitter &&
              f.round_trip == g.round_trip && f.more == g.more && f.ticks == g.ticks &&
              f.late == g.late && f.lost == g.lost && f.refused == g.refused;
  for (std::size_t k = 0; k < width; ++k) same = same && f.pose[k] == g.pose[k];
  return same;
}

RC_GTEST_PROP(LiveRing, HandsOverEveryFrameInOrderToAReaderThatKeepsUp, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(0, kMostLivePose + 1);
  LiveRing ring(width, 64);
  LiveFrame f;
  LivePeaks peaks;
  std::uint64_t pushed = 0, taken = 0;
  while (pushed < 300) {
    const auto some = *rc::gen::inRange(1, 65);
    for (int k = 0; k < some; ++k) ring.push(frame_of(pushed++, width));
    while (ring.take(f, peaks)) RC_ASSERT(is_frame_of(f, taken++, width));
    RC_ASSERT(taken == pushed);
  }
  RC_ASSERT(ring.dropped() == 0U);
}

TEST(LiveRing, DropsTheOldestOfASlowReaderAndCountsThem) {
  LiveRing ring(7, 16);
  LiveFrame f;
  LivePeaks peaks;
  for (std::uint64_t n = 0; n < 100; ++n) ring.push(frame_of(n, 7));
  std::uint64_t taken = 0, last = 0;
  while (ring.take(f, peaks)) {
    EXPECT_TRUE(is_frame_of(f, f.ticks, 7));
    ++taken, last = f.ticks;
  }
  EXPECT_EQ(last, 99U);
  EXPECT_GE(taken, 8U);
  EXPECT_EQ(taken + ring.dropped(), 100U);
}

TEST(LiveRing, HasThePeaksOfFramesThatWereDropped) {
  LiveRing ring(0, 16);
  LiveFrame f;
  for (int n = 0; n < 1000; ++n) {
    f.t = 0.001 * n;
    f.force = n == 123 ? 41.5 : 1.0;
    f.energy = n == 124 ? -0.5 : -1.0;
    f.jitter = n == 125 ? 0.02 : kUnknown;
    f.round_trip = kUnknown;
    ring.push(f);
  }
  LivePeaks peaks;
  ASSERT_TRUE(ring.take(f, peaks));
  EXPECT_GT(ring.dropped(), 900U);
  EXPECT_EQ(peaks.force.value, 41.5);
  EXPECT_EQ(peaks.force.t, 0.123);
  EXPECT_EQ(peaks.energy.value, -0.5);
  EXPECT_EQ(peaks.jitter.value, 0.02);
  EXPECT_EQ(peaks.jitter.t, 0.125);
  EXPECT_TRUE(std::isnan(peaks.round_trip.value));
}

TEST(LiveRing, PushesWithoutAllocation) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers have their own operator new";
  LiveRing ring(kMostLivePose, 64);
  const LiveFrame f = frame_of(5, kMostLivePose);
  const long before = count_allocations();
  for (int n = 0; n < 1000; ++n) ring.push(f);
  EXPECT_EQ(count_allocations(), before);
}

// One thread pushes as fast as it can, which overtakes any reader: what is taken is whole, in order, and with
// what was dropped it adds up.
TEST(LiveRing, GivesWholeFramesWhileItIsOverwritten) {
  constexpr std::uint64_t kFrames = 200000;
  LiveRing ring(33, 8);
  std::atomic<bool> done = false;
  std::thread pusher([&] {
    for (std::uint64_t n = 0; n < kFrames; ++n) {
      ring.push(frame_of(n, 33));
      // On one core the reader must come to run while there is something to overwrite.
      if (n % 1024 == 0) std::this_thread::yield();
    }
    done = true;
  });
  LiveFrame f;
  LivePeaks peaks;
  std::uint64_t taken = 0, torn = 0, disordered = 0, next = 0;
  for (bool last = false; !last;) {
    last = done;
    while (ring.take(f, peaks)) {
      if (!is_frame_of(f, f.ticks, 33)) ++torn;
      if (f.ticks < next) ++disordered;
      next = f.ticks + 1;
      ++taken;
    }
  }
  pusher.join();
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(disordered, 0U);
  EXPECT_EQ(next, kFrames);
  EXPECT_EQ(taken + ring.dropped(), kFrames);
}

}  // namespace
}  // namespace berth::test::live_ring_test

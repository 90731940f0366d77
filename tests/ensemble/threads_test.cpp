// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/threads.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace berth::test::threads_test {
namespace {

TEST(Threads, DoEverythingOnce) {
  for (const int threads : {0, 1, 3, 50})
    for (const std::size_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> done(count);
      for_each_in_threads(count, threads, [&](std::size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
}

TEST(Threads, BringWhatIsThrownToTheCaller) {
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t i) {
    if (i == 5) throw std::runtime_error("five");
    ++done;
  };
  EXPECT_THROW(for_each_in_threads(100'000, 2, work), std::runtime_error);
  EXPECT_LT(done, 99'999);
}

}  // namespace
}  // namespace berth::test::threads_test

// SPDX-License-Identifier: Apache-2.0

// Functions under way abreast: each keeps its stack, its exceptions and its place.

#include "berth/ensemble/fibers.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

// Of the address sanitizer, where the program has it.
extern "C" {
__attribute__((weak)) void* __asan_region_is_poisoned(void* begin, std::size_t size);
__attribute__((weak)) void __asan_poison_memory_region(const volatile void* begin,
                                                       std::size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* begin,
                                                         std::size_t size);
}

namespace berth::fibers_test {
namespace {

TEST(Fibers, RunUpToTheFirstParkAndGoOnWhereTheyParked) {
  Fibers fibers;
  std::string order;
  Fiber* f = fibers.start([&] {
    order += "a";
    fibers.park();
    order += "b";
    fibers.park();
    order += "c";
  });
  ASSERT_NE(f, nullptr);
  order += "1";
  EXPECT_TRUE(fibers.resume(f));
  order += "2";
  EXPECT_FALSE(fibers.resume(f));
  EXPECT_EQ(order, "a1b2c");
}

TEST(Fibers, ThatNeverParkHaveEndedWhenTheyAreStarted) {
  Fibers fibers;
  int done = 0;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(fibers.start([&] { ++done; }), nullptr);
  EXPECT_EQ(done, 5);
}

TEST(Fibers, KnowWhichOfThemRuns) {
  Fibers fibers;
  EXPECT_EQ(fibers.current(), nullptr);
  Fiber *seen = nullptr, *again = nullptr;
  Fiber* f = fibers.start([&] {
    seen = fibers.current();
    fibers.park();
    again = fibers.current();
  });
  EXPECT_EQ(seen, f);
  EXPECT_EQ(fibers.current(), nullptr);
  fibers.resume(f);
  EXPECT_EQ(again, f);
  EXPECT_EQ(fibers.current(), nullptr);
}

// What stands on a stack is as it was, whatever the others do meanwhile.
TEST(Fibers, KeepTheirStacksInAnyOrderOfResuming) {
  constexpr int kCount = 300, kParks = 7;
  Fibers fibers;
  std::vector<double> sums(kCount, 0);
  std::vector<Fiber*> parked;
  for (int i = 0; i < kCount; ++i)
    parked.push_back(fibers.start([&, i] {
      std::vector<double> heap(50, i);
      double stack[50];
      std::fill(std::begin(stack), std::end(stack), i);
      for (int k = 0; k < kParks; ++k) {
        fibers.park();
        for (double& y : stack) y += k;
        heap.push_back(k);
      }
      sums[static_cast<std::size_t>(i)] = std::accumulate(std::begin(stack), std::end(stack), 0.0) +
                                          std::accumulate(heap.begin(), heap.end(), 0.0);
    }));
  // Another order each time.
  for (int k = 0; k < kParks; ++k) {
    for (int i = 0; i < kCount; ++i) {
      const auto at = static_cast<std::size_t>((i * 7 + k * 13) % kCount);  // 7 and 300: no factor
      EXPECT_EQ(fibers.resume(parked[at]), k < kParks - 1);
    }
  }
  for (int i = 0; i < kCount; ++i)
    EXPECT_EQ(sums[static_cast<std::size_t>(i)], 50.0 * i + 50 * 21 + 50.0 * i + 21);
}

// Of those that have ended the stacks are used again.
TEST(Fibers, MayBeStartedThousandsOfTimes) {
  Fibers fibers;
  std::vector<Fiber*> all;
  int ended = 0;
  for (int i = 0; i < 5000; ++i) {
    Fiber* f = fibers.start([&] {
      fibers.park();
      ++ended;
    });
    if (std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
    fibers.resume(f);
  }
  EXPECT_EQ(ended, 5000);
  EXPECT_EQ(all.size(), 1u);
}

TEST(Fibers, CatchWhatTheyThrowThoughOthersThrowMeanwhile) {
  constexpr int kCount = 40;
  Fibers fibers;
  std::vector<std::string> caught(kCount);
  std::vector<Fiber*> parked;
  // Thrown through frames on which the fiber had parked.
  const auto work = [&](int i) {
    struct Note {
      std::string& to;
      ~Note() { to += "unwound "; }
    };
    for (int k = 0; k < 3; ++k) {
      try {
        const Note note{caught[static_cast<std::size_t>(i)]};
        fibers.park();
        if ((i + k) % 2 == 0) throw std::runtime_error(std::to_string(i));
        fibers.park();
        throw std::invalid_argument(std::to_string(-i));
      } catch (const std::runtime_error& e) {
        caught[static_cast<std::size_t>(i)] += e.what();
      } catch (const std::invalid_argument& e) {
        caught[static_cast<std::size_t>(i)] += e.what();
      }
      caught[static_cast<std::size_t>(i)] += ";";
    }
  };
  for (int i = 0; i < kCount; ++i) parked.push_back(fibers.start([&, i] { work(i); }));
  while (!parked.empty()) std::erase_if(parked, [&](Fiber* f) { return !fibers.resume(f); });
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  for (int i = 0; i < kCount; ++i) {
    const std::string even = "unwound " + std::to_string(i) + ";",
                      odd = "unwound " + std::to_string(-i) + ";";
    EXPECT_EQ(caught[static_cast<std::size_t>(i)],
              i % 2 == 0 ? even + odd + even : odd + even + odd);
  }
}

// --- depth ---------------------------------------------------------------------------------------

// Some 200 kB of stack, parked at the bottom and on the way back.
[[gnu::noinline]] double descend(Fibers& fibers, int depth) {
  volatile double local[128];  // 1 kB
  for (int i = 0; i < 128; ++i) local[i] = depth;
  if (depth == 0) {
    fibers.park();
    return 0;
  }
  const double below = descend(fibers, depth - 1);
  if (depth % 50 == 0) fibers.park();
  double sum = 0;
  for (int i = 0; i < 128; ++i) sum += local[i];
  return below + sum / 128;
}

TEST(Fibers, AreDeepEnough) {
  Fibers fibers;
  constexpr int kDepth = 200;
  double found[3]{};
  std::vector<Fiber*> parked;
  for (double& to : found) parked.push_back(fibers.start([&] { to = descend(fibers, kDepth); }));
  int rounds = 0;
  for (; !parked.empty(); ++rounds)
    std::erase_if(parked, [&](Fiber* f) { return !fibers.resume(f); });
  EXPECT_EQ(rounds, 1 + kDepth / 50);
  for (const double sum : found) EXPECT_EQ(sum, kDepth * (kDepth + 1) / 2);
}

[[gnu::noinline]] void throw_from(Fibers& fibers, int depth) {
  volatile char local[1024];
  local[0] = static_cast<char>(depth);
  if (depth == 0) {
    fibers.park();
    throw std::runtime_error("from the bottom");
  }
  throw_from(fibers, depth - 1);
  local[1] = local[0];
}

TEST(Fibers, UnwindDeepStacks) {
  Fibers fibers;
  std::string caught;
  Fiber* f = fibers.start([&] {
    try {
      throw_from(fibers, 200);
    } catch (const std::runtime_error& e) {
      caught = e.what();
    }
    fibers.park();
    caught += ", and on";
  });
  EXPECT_TRUE(fibers.resume(f));
  EXPECT_EQ(caught, "from the bottom");
  EXPECT_FALSE(fibers.resume(f));
  EXPECT_EQ(caught, "from the bottom, and on");
}

// --- threads -------------------------------------------------------------------------------------

TEST(Fibers, OfDifferentThreadsKnowNothingOfEachOther) {
  std::vector<int> steps(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : steps)
      threads.emplace_back([&count] {
        Fibers fibers;
        std::vector<Fiber*> parked;
        for (int i = 0; i < 20; ++i)
          parked.push_back(fibers.start([&] {
            for (int k = 0; k < 50; ++k) {
              ++count;
              fibers.park();
            }
          }));
        while (!parked.empty()) std::erase_if(parked, [&](Fiber* f) { return !fibers.resume(f); });
      });
  }
  for (const int count : steps) EXPECT_EQ(count, 20 * 50);
}

// Stacks get addresses that others have had: what the sanitizer knew of those is not held against them.
TEST(Fibers, HaveStacksWithoutMarksOfOthers) {
  if (!__asan_region_is_poisoned) GTEST_SKIP() << "no address sanitizer";
  constexpr std::size_t kGone = std::size_t{1} << 24, kSearched = std::size_t{3} << 18;
  void* const gone = mmap(nullptr, kGone, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(gone, MAP_FAILED);
  __asan_poison_memory_region(gone, kGone);
  munmap(gone, kGone);
  void* marked = nullptr;
  Fibers fibers;
  std::vector<Fiber*> parked;
  for (int i = 0; i < 4; ++i)
    parked.push_back(fibers.start([&] {
      char here = 0;
      char* const below = &here - 4096;  // nobody's yet
      if (!marked) marked = __asan_region_is_poisoned(below - kSearched, kSearched);
      fibers.park();
    }));
  for (Fiber* f : parked) fibers.resume(f);
  __asan_unpoison_memory_region(gone, kGone);
  EXPECT_EQ(marked, nullptr);
}

}  // namespace
}  // namespace berth::fibers_test

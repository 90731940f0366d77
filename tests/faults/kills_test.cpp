// SPDX-License-Identifier: Apache-2.0

// Killed at any time: a file is what it was, or whole; a sweep goes on to the same bytes.

#include <random>

#include <gtest/gtest.h>

#include "tests/faults/faults.h"

namespace berth::test::kills_test {
namespace {

// Half of the kills come in the last fifth, where files get their names.
double choose_time(std::mt19937_64& random, double whole) {
  const double x = std::uniform_real_distribution<double>(0, 1)(random);
  return whole * (random() % 2 == 0 ? x : 0.8 + 0.25 * x);
}

// A file that is whole is replaced by an older one, so that the next has to write it.
void expect_orderly_when_killed(const Command& command, int kills, std::uint64_t seed) {
  const Disturbed disturbed(command);
  std::mt19937_64 random(seed);
  const TemporaryFolder folder;
  disturbed.prepare(folder);
  double whole = disturbed.seconds();
  int killed = 0, done = 0;
  while (killed < kills && !testing::Test::HasFailure()) {
    const std::optional<double> seconds =
        disturbed.expect_orderly_when_killed(folder, choose_time(random, whole));
    ++(seconds ? done : killed);
    // Other processes hold it up for longer or shorter, and a sweep that goes on has less to do: most kills are to
    // come before its end, some at it.
    whole = seconds ? 0.95 * whole : std::min(1.01 * whole, 2 * disturbed.seconds());
    if (seconds) disturbed.prepare(folder);
  }
  // What the last one left is no obstacle, and is cleared away.
  EXPECT_TRUE(disturbed.expect_orderly_when_killed(folder, 10));
  EXPECT_EQ(folder.files(), disturbed.outputs());
  std::printf("%s: %d kills, %d came too late\n", command.name.c_str(), killed, done);
}

TEST(Kills, LeaveWholeFilesOfARunOrOlderOnes) { expect_orderly_when_killed(make_run(), 25, 1); }
TEST(Kills, LetASweepGoOnToTheSameBytes) { expect_orderly_when_killed(make_sweep(), 25, 2); }

TEST(KillsSoak, LeaveWholeFilesOfARunOrOlderOnes) {
  expect_orderly_when_killed(make_run(), 4000, 3);
}
TEST(KillsSoak, LetASweepGoOnToTheSameBytes) {
  expect_orderly_when_killed(make_sweep(), 3000, 4);
  expect_orderly_when_killed(make_sweep(2), 3000, 5);
}

}  // namespace
}  // namespace berth::test::kills_test

// SPDX-License-Identifier: Apache-2.0

// Every call to the system that a command makes is refused once, for every reason there is: the command ends with
// a sentence and exit code 1, or as if nothing had been, and no file is half of one.

#include <cerrno>

#include <gtest/gtest.h>

#include "tests/faults/faults.h"
#include "tests/support/allocations.h"

namespace berth::test::file_faults_test {
namespace {

// All faults of a command, one in `every`. Of those one after the other from another start for each command, so
// that all kinds of calls come.
void expect_orderly_under_all(const Command& command, std::size_t every) {
  const Disturbed disturbed(command);
  std::size_t number = 0, tried = 0;
  for (const Refusal& refusal : list_refusals()) {
    const std::uint64_t calls = disturbed.count(refusal.call);
    for (std::uint64_t call = 1; call <= calls; ++call)
      for (const std::int32_t cause : refusal.causes) {
        // The first call of every kind is always one of them.
        if (call > 1 && ++number % every != 0) continue;
        if (call == 1 && every > 1 && cause != refusal.causes.front()) continue;
        const Fault fault{.call = refusal.call, .cause = cause, .first = call};
        EXPECT_TRUE(disturbed.expect_orderly(fault))
            << command.name << ": no fault was injected: " << describe(fault);
        ++tried;
      }
  }
  EXPECT_GT(tried, 5u) << command.name;
  testing::Test::RecordProperty("faults_of_" + command.name, static_cast<int>(tried));
  if (every == 1) std::printf("%s: %zu faults\n", command.name.c_str(), tried);
}

class FileFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "the sanitizer has these calls for itself";
  }
};
using FileFaultsSoak = FileFaults;

TEST_F(FileFaults, OfARunAreReported) { expect_orderly_under_all(make_run(), 29); }
TEST_F(FileFaults, OfASweepAreReported) { expect_orderly_under_all(make_sweep(), 23); }
TEST_F(FileFaults, OfASweepThatGoesOnAreReported) {
  expect_orderly_under_all(make_resumed_sweep(), 23);
}
TEST_F(FileFaults, OfAReportAreReported) { expect_orderly_under_all(make_report(), 11); }
TEST_F(FileFaults, OfASweepsReportAreReported) {
  expect_orderly_under_all(make_sweep_report(), 11);
}
TEST_F(FileFaults, OfAPlotAreReported) { expect_orderly_under_all(make_plot(), 11); }

TEST_F(FileFaultsSoak, OfARunAreReported) { expect_orderly_under_all(make_run(), 1); }
TEST_F(FileFaultsSoak, OfASweepAreReported) { expect_orderly_under_all(make_sweep(), 1); }
TEST_F(FileFaultsSoak, OfASweepThatGoesOnAreReported) {
  expect_orderly_under_all(make_resumed_sweep(), 1);
}
TEST_F(FileFaultsSoak, OfAReportAreReported) { expect_orderly_under_all(make_report(), 1); }
TEST_F(FileFaultsSoak, OfASweepsReportAreReported) {
  expect_orderly_under_all(make_sweep_report(), 1);
}
TEST_F(FileFaultsSoak, OfAPlotAreReported) { expect_orderly_under_all(make_plot(), 1); }

// --- threads and compiled cases -------------------------------------------------------------------

// What cannot be compiled, kept or loaded is computed all the same.
TEST_F(FileFaultsSoak, OfACompiledSweepAreReported) {
  expect_orderly_under_all(make_sweep(2, {"--compile"}), 1);
}
TEST_F(FileFaultsSoak, OfTheCacheChangeNothing) {
  Command command = make_sweep(1, {"--compile"});
  command.has_own_cache = true;
  const Disturbed disturbed(command);
  ASSERT_GT(disturbed.count(Call::make_folder), 0u);
  for (const Refusal& refusal :
       {Refusal{Call::make_folder, {EACCES, ENOSPC}}, Refusal{Call::memory_file, {EMFILE}},
        Refusal{Call::fork, {EAGAIN}}, Refusal{Call::thread, {EAGAIN}}})
    for (std::uint64_t call = 1; call <= disturbed.count(refusal.call); ++call)
      for (const std::int32_t cause : refusal.causes)
        EXPECT_TRUE(
            disturbed.expect_orderly({.call = refusal.call, .cause = cause, .first = call}));
}

// With fewer threads than wanted all cases are run.
TEST_F(FileFaults, WithoutThreadsASweepRunsOnThoseThereAre) {
  const Disturbed disturbed(make_sweep(3));
  ASSERT_EQ(disturbed.count(Call::thread), 2u);
  for (std::uint64_t first : {1u, 2u})
    EXPECT_TRUE(
        disturbed.expect_done({.call = Call::thread, .cause = EAGAIN, .first = first, .count = 9}));
}

// --- clocks ---------------------------------------------------------------------------------------

// Results do not depend on what time it is: a clock may be set, or stand still.
TEST_F(FileFaults, ClocksThatAreWrongChangeNothing) {
  for (const Command& command : {make_run(), make_sweep(), make_report()}) {
    const Disturbed disturbed(command);
    for (const Call clock : {Call::wall_clock, Call::steady_clock})
      for (const std::int64_t seconds : {-1'000'000, 1'000'000})
        for (const std::uint64_t first : {std::uint64_t{1}, disturbed.count(clock) / 2 + 1}) {
          if (first > disturbed.count(clock)) continue;
          EXPECT_TRUE(disturbed.expect_done({.call = clock,
                                             .cause = 1,
                                             .first = first,
                                             .count = 1'000'000'000,
                                             .seconds = seconds}));
        }
  }
}

}  // namespace
}  // namespace berth::test::file_faults_test

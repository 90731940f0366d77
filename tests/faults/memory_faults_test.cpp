// SPDX-License-Identifier: Apache-2.0

// Memory that is not there, anywhere in a command: a sentence, or the whole answer.

#include <array>
#include <cerrno>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/faults/faults.h"
#include "tests/support/allocations.h"

namespace berth::test::memory_faults_test {
namespace {

// So many allocations fail, each in a command of its own. Half of them anywhere, half early: what is allocated
// once is rarer than what is allocated for every row.
void expect_orderly_without_memory(int times, std::uint64_t seed) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  const std::array<Disturbed, 8> commands{
      Disturbed(make_run()),           Disturbed(make_sweep(1)),
      Disturbed(make_sweep(2)),        Disturbed(make_sweep(2, {"--compile"})),
      Disturbed(make_resumed_sweep()), Disturbed(make_report()),
      Disturbed(make_sweep_report()),  Disturbed(make_plot())};
  std::mt19937_64 random(seed);
  int injected = 0;
  for (int attempt = 0; injected < times && attempt < 2 * times; ++attempt) {
    const Disturbed& command = commands[random() % commands.size()];
    const auto most = static_cast<double>(command.count(Call::allocate));
    const double part = std::uniform_real_distribution<double>(0, 1)(random);
    const double number = random() % 2 == 0 ? part * most : std::exp(part * std::log(most));
    const Fault fault{.call = Call::allocate,
                      .cause = ENOMEM,
                      .first = static_cast<std::uint64_t>(std::max(1.0, std::round(number)))};
    injected += command.expect_orderly(fault) ? 1 : 0;
  }
  EXPECT_EQ(injected, times) << "faults that were never injected";
}

TEST(MemoryFaults, AreReported) { expect_orderly_without_memory(30, 1); }
TEST(MemoryFaultsSoak, AreReported) { expect_orderly_without_memory(500, 2); }

}  // namespace
}  // namespace berth::test::memory_faults_test

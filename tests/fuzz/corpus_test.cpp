// SPDX-License-Identifier: Apache-2.0

// Inputs that fuzzing has found worth keeping, and those that were finds, read once more: see docs/building.md.

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.h"
#include "tests/support/process.h"

namespace berth::fuzz::corpus_test {
namespace {

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, BreaksNoPromise) {
  const Target target = GetParam();
  const auto folder = std::filesystem::path(BERTH_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    ++count;
    EXPECT_NO_THROW(target.run(test::read_bytes(file.path()))) << file.path();
  }
  EXPECT_GT(count, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, Corpus, testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace berth::fuzz::corpus_test

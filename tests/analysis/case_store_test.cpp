// SPDX-License-Identifier: Apache-2.0

// Results of cases outside of memory: every bit comes back, whatever the order of arrival.

#include "berth/analysis/case_store.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "berth/record/record_error.h"
#include "tests/support/process.h"

namespace berth::case_store_test {
namespace {

using test::TemporaryFolder;

const std::vector<Collected> kColumns{
    {"a", false}, {"word", true}, {"band", false, "N", "", 3}, {"b", false}};

CaseResult result_of(std::uint64_t i) {
  const double x = static_cast<double>(i);
  return {"stopped",
          i % 3 == 0 ? "captured" : "missed",
          "why " + std::to_string(i),
          i % 3 == 0,
          {1 / (x + 1), x, -0.0, std::numeric_limits<double>::quiet_NaN(), 5e-324 * x},
          {std::string(i % 7, 'x')}};
}
void expect_same(const CaseResult& a, const CaseResult& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.as_expected, b.as_expected);
  EXPECT_EQ(a.texts, b.texts);
  ASSERT_EQ(a.numbers.size(), b.numbers.size());
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.numbers[i]),
              std::bit_cast<std::uint64_t>(b.numbers[i]));
}

TEST(CaseStore, GivesBackEveryBitInAnyOrder) {
  const TemporaryFolder folder;
  CaseStore store(folder.path(), kColumns);
  for (std::uint64_t i = 0; i < 2000; ++i) store.set(i * 1237 % 2000, result_of(i * 1237 % 2000));
  EXPECT_EQ(store.finished(), 2000u);
  std::uint64_t next = 0;
  store.for_each(0, 2000, [&](std::uint64_t i, const CaseResult& r) {
    EXPECT_EQ(i, next++);
    expect_same(r, result_of(i));
  });
  EXPECT_EQ(next, 2000u);
  expect_same(store.get(1234), result_of(1234));
  EXPECT_EQ(folder.files(), (std::vector<std::string>{})) << "files have no names";
}

TEST(CaseStore, KnowsWhatIsMissing) {
  const TemporaryFolder folder;
  CaseStore store(folder.path(), kColumns);
  store.set(5, result_of(5));
  store.set(5, result_of(5));
  store.set(9, result_of(9));
  EXPECT_EQ(store.finished(), 2u);
  EXPECT_TRUE(store.has(5) && store.has(9));
  EXPECT_FALSE(store.has(0) || store.has(10));
  const std::vector<double> a = store.numbers(0, 4, 12);
  ASSERT_EQ(a.size(), 8u);
  EXPECT_EQ(a[1], 1.0 / 6);
  EXPECT_TRUE(std::isnan(a[0]) && std::isnan(a[7]));
  EXPECT_EQ(find_place(kColumns, 3), 4u) << "behind a and the band";
  EXPECT_EQ(store.find_expected(0, 10)[9], true);
}

TEST(CaseStore, NeedsAFolder) {
  const TemporaryFolder folder;
  EXPECT_THROW(CaseStore(folder / "nowhere", kColumns), RecordError);
}

}  // namespace
}  // namespace berth::case_store_test

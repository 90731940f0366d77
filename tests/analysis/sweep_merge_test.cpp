// SPDX-License-Identifier: Apache-2.0

// Parts of a sweep, and the journal that lets each go on: together they are the bytes of one.

#include "berth/analysis/sweep_merge.h"

#include <gtest/gtest.h>

#include "berth/analysis/sweep_journal.h"
#include "tests/analysis/drift.h"
#include "tests/support/text.h"

namespace berth::sweep_merge_test {
namespace {

using test::contains;
using test::Drift;
using test::kDriftSpeed;
using test::read_bytes;
using test::write_bytes;

const SweepRequest kRequest{
    .vary = {kDriftSpeed + "=normal(0.5,0.2)", "spacecraft.craft.mass=[10,20,-1]"},
    .samples = 9,
    .bands = {"craft.rho_BO_N.x"}};

SweepRequest part_of(std::uint64_t k, std::uint64_t n) {
  SweepRequest request = kRequest;
  request.part = {k, n};
  return request;
}

TEST(SweepPart, CutsCasesIntoStretchesOfEqualLength) {
  for (const std::uint64_t cases : {1, 7, 64, 1000, 1001})
    for (const std::uint64_t n : {1, 3, 7, 64}) {
      std::uint64_t at = 0;
      for (std::uint64_t k = 1; k <= n; ++k) {
        const SweepPart part{k, n};
        EXPECT_EQ(part.first(cases), at);
        at = part.last(cases);
        EXPECT_LE(at - part.first(cases), cases / n + 1);
      }
      EXPECT_EQ(at, cases);
    }
}

TEST(SweepMerge, GivesTheBytesOfOneSweep) {
  Drift drift;
  ASSERT_TRUE(drift.run(kRequest, "whole.h5", 1).complete()) << drift.complaints();
  std::vector<std::filesystem::path> parts;
  for (const std::uint64_t k : {4, 1, 5, 3, 2}) {
    const std::string name = "p" + std::to_string(k) + ".h5";
    ASSERT_TRUE(drift.run(part_of(k, 5), name).complete()) << drift.complaints();
    parts.push_back(drift.folder / name);
  }
  const MergeResult merged =
      merge_sweeps({.parts = parts, .h5 = drift.folder / "all.h5"}, drift.problems);
  EXPECT_EQ(drift.complaints(), "");
  EXPECT_TRUE(merged.result.complete() && merged.missing.empty());
  EXPECT_TRUE(read_bytes(drift.folder / "whole.h5") == read_bytes(drift.folder / "all.h5"));
}

TEST(SweepMerge, NamesWhatIsMissingAndHowFarItIs) {
  Drift drift;
  drift.run(part_of(1, 3), "p1.h5");
  drift.run(part_of(3, 3), "p3.h5");
  const Sweep second = drift.build(part_of(2, 3));
  int left = 4;
  run_sweep(second,
            {.h5 = drift.folder / "p2.h5",
             .threads = 1,
             .computing = Computing::interpret,
             .interrupted = [&] { return left <= 0; },
             .progress = [&](std::uint64_t, std::uint64_t) { --left; }},
            drift.problems);
  const std::vector<std::filesystem::path> parts{drift.folder / "p3.h5", drift.folder / "p1.h5"};
  const MergeResult merged =
      merge_sweeps({.parts = parts, .h5 = drift.folder / "all.h5"}, drift.problems);
  EXPECT_EQ(drift.complaints(), "");
  EXPECT_FALSE(merged.result.complete());
  EXPECT_EQ(merged.result.finished, 18u);
  ASSERT_EQ(merged.missing.size(), 1u);
  EXPECT_TRUE(contains(merged.missing[0], "part 2 of 3: 4 of 9 cases are done"))
      << merged.missing[0];
  EXPECT_FALSE(std::filesystem::exists(drift.folder / "all.h5"));
}

// What lies beside the parts may be anybody's.
TEST(SweepMerge, PassesOverJournalsOfNoPart) {
  Drift drift;
  drift.run(part_of(1, 2), "p1.h5");
  const auto whole = find_identity(drift.build(kRequest));
  int number = 0;
  for (const char* part : {"7", "[]", "[0,2]", "[3,2]", "[1e300,2]", "\"x\"", "null"}) {
    auto identity = whole;
    identity["part"] = nlohmann::ordered_json::parse(part);
    write_bytes(drift.folder / (std::to_string(number++) + ".journal"),
                CaseLines(identity, {}).header() + "\n");
  }
  const MergeResult merged = merge_sweeps(
      {.parts = {drift.folder / "p1.h5"}, .h5 = drift.folder / "all.h5"}, drift.problems);
  EXPECT_EQ(drift.complaints(), "");
  EXPECT_EQ(merged.missing, std::vector<std::string>{"part 2 of 2"});
}

TEST(SweepMerge, RefusesWhatDoesNotBelongTogether) {
  Drift drift;
  drift.run(part_of(1, 3), "p1.h5");
  SweepRequest other = part_of(2, 3);
  other.seed = 5;
  drift.run(other, "other.h5");
  drift.run(part_of(2, 4), "quarter.h5");
  std::filesystem::copy(drift.folder / "p1.h5", drift.folder / "again.h5");
  const std::string whole = read_bytes(drift.folder / "p1.h5");
  write_bytes(drift.folder / "half.h5", whole.substr(0, whole.size() / 2));
  ASSERT_EQ(drift.complaints(), "");
  std::vector<std::filesystem::path> parts;
  for (const char* name : {"p1.h5", "other.h5", "quarter.h5", "again.h5", "half.h5", "none.h5"})
    parts.push_back(drift.folder / name);
  merge_sweeps({.parts = parts, .h5 = drift.folder / "all.h5"}, drift.problems);
  const std::string all = drift.complaints();
  EXPECT_EQ(drift.problems.list.size(), 5u) << all;
  for (const char* part : {"other.h5", "seed was 1, is 5", "quarter.h5", "is one of 4 parts",
                           "again.h5", "is part 1 of 3, as", "half.h5", "none.h5"})
    EXPECT_TRUE(contains(all, part)) << part << "\n" << all;
  EXPECT_FALSE(std::filesystem::exists(drift.folder / "all.h5"));
}

TEST(CaseLines, OfAnotherSweepDoNotCount) {
  Drift drift;
  const Sweep one = drift.build(kRequest);
  SweepRequest request = kRequest;
  request.seed = 2;
  const Sweep other = drift.build(request);
  const CaseLines mine(find_identity(one), {}), theirs(find_identity(other), {});
  const std::string line = mine.write(3, {"stopped", "captured", "", true, {}, {}});
  ASSERT_TRUE(mine.read(line));
  EXPECT_EQ(mine.read(line)->number, 3u);
  EXPECT_FALSE(theirs.read(line));
}

}  // namespace
}  // namespace berth::sweep_merge_test

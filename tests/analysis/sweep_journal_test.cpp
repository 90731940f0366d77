// SPDX-License-Identifier: Apache-2.0

// The journal of a sweep: every bit comes back, whatever becomes of its end.

#include "berth/analysis/sweep_journal.h"

#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/analysis/sweep.h"
#include "berth/record/crc32.h"
#include "berth/record/record_error.h"
#include "tests/analysis/plans.h"
#include "tests/support/process.h"

namespace berth::sweep_journal_test {
namespace {

using test::plan_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

Sweep small_sweep() {
  Sweep sweep;
  sweep.source = "text";
  sweep.collect = {"audit"};
  sweep.plan = plan_of({"a=lin(1,2,10)"});
  return sweep;
}
const std::vector<Collected> kColumns{{"audit.energy", false}, {"word", true}, {"x", false}};

CaseResult some_result(double a, double b) {
  return {"reached_end", "captured", "says \"why\"\n", true, {a, b}, {"é,"}};
}
bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(SweepJournalFile, GivesBackEveryBit) {
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values{1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, nan, 1e22, 7};
  const auto identity = find_identity(small_sweep());
  {
    SweepJournal journal(folder / "x.journal");
    EXPECT_TRUE(journal.was_empty());
    journal.start(identity, kColumns);
    for (std::size_t i = 0; i < values.size(); ++i) journal.add(i, some_result(values[i], 2));
  }
  SweepJournal journal(folder / "x.journal");
  EXPECT_FALSE(journal.was_empty());
  EXPECT_TRUE(find_differences(journal.identity(), identity).empty());
  EXPECT_EQ(journal.columns(), kColumns);
  std::vector<CaseLines::Entry> entries;
  EXPECT_TRUE(journal.read([&](CaseLines::Entry e) { entries.push_back(std::move(e)); }).empty());
  ASSERT_EQ(entries.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const CaseResult expected = some_result(values[i], 2);
    EXPECT_EQ(entries[i].number, i);
    EXPECT_EQ(entries[i].result.outcome, expected.outcome);
    EXPECT_EQ(entries[i].result.verdict, expected.verdict);
    EXPECT_EQ(entries[i].result.message, expected.message);
    EXPECT_EQ(entries[i].result.as_expected, expected.as_expected);
    EXPECT_EQ(entries[i].result.texts, expected.texts);
    ASSERT_EQ(entries[i].result.numbers.size(), 2u);
    EXPECT_TRUE(same_bits(entries[i].result.numbers[0], values[i])) << values[i];
  }
}

// Cut anywhere, a journal has the lines that are whole, and can be gone on with.
TEST(SweepJournalFile, SurvivesACutAnywhere) {
  const TemporaryFolder folder;
  const auto identity = find_identity(small_sweep());
  {
    SweepJournal journal(folder / "whole");
    journal.start(identity, kColumns);
    for (std::uint64_t i = 0; i < 3; ++i) journal.add(i, some_result(0.1, 0.2));
  }
  const std::string whole = read_bytes(folder / "whole");
  for (std::size_t cut = 10; cut < whole.size(); cut += 7) {
    write_bytes(folder / "cut", whole.substr(0, cut));
    const auto lines = std::count(whole.begin(), whole.begin() + static_cast<long>(cut), '\n');
    {
      SweepJournal journal(folder / "cut");
      EXPECT_EQ(journal.was_empty(), lines == 0) << cut;
      if (lines == 0) journal.start(identity, kColumns);
      long found = 0;
      if (lines > 0) journal.read([&](const CaseLines::Entry&) { ++found; });
      EXPECT_EQ(found, std::max(0L, lines - 1)) << cut;
      for (long i = found; i < 3; ++i)
        journal.add(static_cast<std::uint64_t>(i), some_result(0.1, 0.2));
    }
    EXPECT_EQ(read_bytes(folder / "cut"), whole);
  }
}

// With the checksums that belong to them.
TEST(SweepJournalFile, CountsCasesAndWidthsInWholeNumbers) {
  const auto seal = [](const std::string& text, std::uint32_t before) {
    return text + fmt::format(" #{:08x}", find_crc32(text, before));
  };
  const CaseLines lines({{"journal", 3}}, {});
  const auto is_read = [&](const std::string& number) {
    const std::string text = R"({"case":)" + number +
                             R"(,"outcome":"","verdict":"","message":"","as_expected":true,)"
                             R"("numbers":[],"texts":[]})";
    return lines.read(seal(text, find_crc32(lines.header()))).has_value();
  };
  EXPECT_TRUE(is_read("17"));
  for (const char* number : {"-1", "17.0", "1e300"}) EXPECT_FALSE(is_read(number)) << number;

  const TemporaryFolder folder;
  for (const char* width : {"1", "-1", "1e300"}) {
    const std::string header = R"({"journal":3,"columns":[{"path":"x","text":false,"unit":"",)"
                               R"("meaning":"","width":)" +
                               std::string(width) + "}]}";
    write_bytes(folder / "x.journal", seal(header, 0) + "\n");
    EXPECT_EQ(read_journal_facts(folder / "x.journal").identity.is_null(),
              width[0] != '1' || width[1])
        << width;
  }
}

TEST(SweepJournalFile, KeepsASecondSweepOut) {
  const TemporaryFolder folder;
  SweepJournal first(folder / "x.journal");
  EXPECT_THROW(SweepJournal second(folder / "x.journal"), RecordError);
}

TEST(SweepJournalFile, LeavesNothingWhenNothingWasAdded) {
  const TemporaryFolder folder;
  { const SweepJournal journal(folder / "x.journal"); }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{}));
}

TEST(SweepJournalFile, ReportsWhatDiffers) {
  const Sweep one = small_sweep();
  const auto differences = [&](const std::function<void(Sweep&)>& change) {
    Sweep other = one;
    change(other);
    std::string text;
    for (const std::string& d : find_differences(find_identity(one), find_identity(other)))
      text += d + "\n";
    return text;
  };
  EXPECT_EQ(differences([](Sweep&) {}), "");
  EXPECT_EQ(differences([](Sweep& s) { s.plan.seed = 2; }), "seed was 1, is 2\n");
  EXPECT_EQ(differences([](Sweep& s) { s.source += "x"; }),
            "the scenario or its settings (--set) are others\n");
  EXPECT_EQ(differences([](Sweep& s) { s.plan.keys[0] = plan_of({"a=lin(1,3,10)"}).keys[0]; }),
            "vary was [\"a=lin(1,2,10)\"], is [\"a=lin(1,3,10)\"]\n");
  EXPECT_EQ(differences([](Sweep& s) { s.collect = {"*"}; }),
            "collect was [\"audit\"], is [\"*\"]\n");
}

TEST(SweepJournalFile, DoesNotTouchWhatIsNone) {
  const TemporaryFolder folder;
  for (const char* text : {"a letter\nto somebody\n", "{\"x\": 1}\n", "[1]\n"}) {
    write_bytes(folder / "x.journal", text);
    {
      const SweepJournal journal(folder / "x.journal");
      EXPECT_FALSE(journal.was_empty());
      EXPECT_TRUE(journal.identity().is_null());
    }
    EXPECT_EQ(read_bytes(folder / "x.journal"), text);
  }
}

}  // namespace
}  // namespace berth::sweep_journal_test

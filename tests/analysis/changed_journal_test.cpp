// SPDX-License-Identifier: Apache-2.0

// A journal that anything has happened to: what is changed in it is named, or does no harm, and the table has
// the same bytes.

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "berth/analysis/sweep_journal.h"
#include "tests/analysis/drift.h"
#include "tests/support/text.h"

namespace berth::changed_journal_test {
namespace {

using test::contains;
using test::Drift;
using test::kDriftSpeed;
using test::read_bytes;
using test::Strings;
using test::write_bytes;

constexpr int kChanges = 300;

SweepRequest request_of(std::uint64_t seed) {
  return {.vary = {kDriftSpeed + "=normal(0.5,0.2)", "spacecraft.craft.mass=[10,20,-1]"},
          .samples = 5,
          .seed = seed,
          .bands = {"craft.rho_BO_N.x"}};
}

// With what ends each; what follows the last end is a line too.
Strings cut_lines(const std::string& text) {
  Strings lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    lines.push_back(text.substr(from, end - from));
    from = end;
  }
  return lines;
}
std::string join(const Strings& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

class Changes {
 public:
  Changes(const std::string& text, const std::string& of_another, std::uint64_t seed)
      : lines_(cut_lines(text)), others_(cut_lines(of_another)), random_(seed) {}

  // One to three changes, one after the other.
  std::string make() {
    Strings lines = lines_;
    for (std::size_t k = choose(3) + 1; k > 0; --k) lines = cut_lines(change(lines));
    return join(lines);
  }

 private:
  std::size_t choose(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  std::string change(Strings lines) {
    if (lines.empty()) return "";
    const std::size_t kind = choose(9), i = choose(lines.size()), k = choose(lines.size());
    std::string& line = lines[i];
    const std::size_t at = choose(line.size());
    switch (kind) {
      case 0: line[at] = static_cast<char>(line[at] ^ (1 << choose(8))); break;
      case 1: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i)); break;
      case 2:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(k), std::string(line));
        break;
      case 3: std::swap(lines[i], lines[k]); break;
      case 4: line.erase(at, choose(80)); break;  // within a line, its end maybe
      case 5: return join(lines).substr(0, choose(join(lines).size()));  // as by a kill
      case 6:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(k),
                     others_[choose(others_.size())]);
        break;
      case 7: line.insert(at, make_noise()); break;
      case 8: change_number(line); break;
    }
    return join(lines);
  }
  std::string make_noise() {
    std::string noise(1 + choose(40), '\0');
    for (char& c : noise) c = static_cast<char>(choose(256));
    return noise;
  }
  // Another number, under the checksum of the old one.
  void change_number(std::string& line) {
    std::vector<std::size_t> digits;
    for (std::size_t i = 0; i < line.size(); ++i)
      if (line[i] >= '0' && line[i] <= '9') digits.push_back(i);
    if (digits.empty()) return;
    char& digit = line[digits[choose(digits.size())]];
    digit = static_cast<char>('0' + (digit - '0' + 1 + static_cast<int>(choose(9))) % 10);
  }

  Strings lines_, others_;
  std::mt19937_64 random_;
};

class ChangedJournal : public testing::Test {
 protected:
  // Runs it to its end, or interrupts it after so many cases.
  SweepResult run(const std::string& name, std::uint64_t seed, int cases, bool fresh = false) {
    const Sweep sweep = drift.build(request_of(seed));
    problems = {};
    return run_sweep(sweep,
                     {.h5 = drift.folder / name,
                      .threads = 1,
                      .computing = Computing::interpret,
                      .fresh = fresh,
                      .interrupted = [&] { return cases <= 0; },
                      .progress = [&](std::uint64_t, std::uint64_t) { --cases; }},
                     problems);
  }
  Drift drift;
  Problems problems;
};

TEST_F(ChangedJournal, GivesTheSameTableAndNamesWhatIsWrong) {
  constexpr int kAll = 1000, kSome = 11;
  run("whole.h5", 1, kAll);
  const std::string expected = read_bytes(drift.folder / "whole.h5");
  ASSERT_FALSE(expected.empty());
  run("x.h5", 1, kSome);
  run("other.h5", 2, kSome);
  const std::filesystem::path journal = drift.folder / "x.h5.journal";
  const std::string text = read_bytes(journal);
  const Strings whole = cut_lines(text);
  Changes changes(text, read_bytes(drift.folder / "other.h5.journal"), 4711);
  int named = 0, harmless = 0, refused = 0;
  for (int i = 0; i < kChanges && !HasFailure(); ++i) {
    const std::string changed = changes.make();
    SCOPED_TRACE(std::to_string(i) + "\n" + changed);
    write_bytes(journal, changed);
    SweepResult result = run("x.h5", 1, kAll);
    const Strings lines = cut_lines(changed);
    const bool has_first = !lines.empty() && lines[0] == whole[0];
    if (!problems.empty()) {  // nothing behind a first line that is damaged can be trusted
      EXPECT_FALSE(has_first);
      EXPECT_TRUE(contains(test::all_of(problems), "x.h5.journal")) << test::all_of(problems);
      EXPECT_EQ(read_bytes(journal), changed) << "left as it was";
      ++refused;
      result = run("x.h5", 1, kAll, true);
    } else {
      // Every line that is whole is one that was written, or is named. One without an end is that of a kill.
      const auto is_known = [&](const std::string& line) {
        return !line.ends_with('\n') ||
               std::find(whole.begin() + 1, whole.end(), line) != whole.end();
      };
      const bool is_sound = !has_first || std::all_of(lines.begin() + 1, lines.end(), is_known);
      EXPECT_EQ(contains(result.note, "damaged"), !is_sound) << result.note;
      ++(is_sound ? harmless : named);
    }
    EXPECT_TRUE(result.complete());
    EXPECT_TRUE(read_bytes(drift.folder / "x.h5") == expected);
    EXPECT_FALSE(std::filesystem::exists(journal));
  }
  EXPECT_EQ(named + harmless + refused, kChanges);
  EXPECT_GT(named, 50);
  EXPECT_GT(harmless, 20);
  EXPECT_GT(refused, 20);
  std::printf("%d changes: %d named, %d refused by the first line, %d harmless\n", kChanges, named,
              refused, harmless);
}

}  // namespace
}  // namespace berth::changed_journal_test

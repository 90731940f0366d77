// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "berth/analysis/sweep_journal.h"
#include "berth/record/crc32.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// Lines that end in " #" get the checksum they need: damage that it shows is found soon enough.
std::string seal(std::string_view input) {
  std::string out;
  std::uint32_t before = 0;
  for (bool is_first = true; !input.empty(); is_first = false) {
    const std::size_t end = input.find('\n');
    std::string line(input.substr(0, end));
    if (line.ends_with(" #"))
      line += fmt::format("{:08x}", find_crc32(line.substr(0, line.size() - 2), before));
    if (is_first) before = find_crc32(line);
    out += line;
    if (end == std::string_view::npos) break;
    out += '\n';
    input.remove_prefix(end + 1);
  }
  return out;
}

bool are_same(const CaseResult& a, const CaseResult& b) {
  const auto same_bits = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return a.outcome == b.outcome && a.verdict == b.verdict && a.message == b.message &&
         a.as_expected == b.as_expected && a.texts == b.texts &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                    same_bits);
}

}  // namespace

void fuzz_journal(std::string_view input) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("berth_fuzz_{}.journal", ::getpid());
  const std::string bytes = seal(input);
  std::ofstream(path, std::ios::binary) << bytes;
  const JournalFacts facts = read_journal_facts(path);
  {
    SweepJournal journal(path);
    expect(facts.identity == journal.identity(), "both ways to read it find the same");
    if (!journal.identity().is_null()) {
      find_differences(journal.identity(), {{"journal", 3}, {"seed", 1}});
      const CaseLines lines(journal.identity(), journal.columns());
      std::size_t taken = 0;
      const std::vector<std::uint64_t> damaged = journal.read([&](const CaseLines::Entry& e) {
        ++taken;
        const auto again = lines.read(lines.write(e.number, e.result));
        expect(again && again->number == e.number && are_same(again->result, e.result),
               "a case that is written reads again as the same");
      });
      expect(taken + damaged.size() == facts.cases, "each line is a case or damaged");
    }
  }
  std::filesystem::remove(path);
}

}  // namespace berth::fuzz

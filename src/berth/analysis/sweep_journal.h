// SPDX-License-Identifier: Apache-2.0
#pragma once

// SweepJournal — what a sweep has finished so far, so that a killed one goes on where it was.
//
//   stiffness.h5.journal      beside the result: JSON and a checksum, one line each
//     {"journal":3,"version":"0.1.0","scenario":"9f…","vary":[…],"samples":1,"seed":1,…} #1c291ca3
//     {"case":17,"outcome":"reached_end","verdict":"","message":"","as_expected":true,…} #e5b1a3c4
//
// The first line says what the sweep is and which columns it has. The checksum of the others covers the
// first line too: a line of another sweep does not count. Nor does one that is damaged, or that a kill has
// cut: its case is run again. A lock keeps a second sweep out.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/analysis/case_result.h"
#include "berth/record/file_lock.h"

namespace berth {

class LineReader;

// In words, what a journal has otherwise than the sweep; empty when it fits.
std::vector<std::string> find_differences(const nlohmann::ordered_json& journal,
                                          const nlohmann::ordered_json& sweep);

// One finished case as a line, and back: what goes into a journal, or comes from another process.
class CaseLines {
 public:
  struct Entry {
    std::uint64_t number;
    CaseResult result;
  };
  CaseLines(const nlohmann::ordered_json& identity, const std::vector<Collected>& columns);

  const std::string& header() const {
    return header_;
  }  // with its checksum, without an end of line
  std::string write(std::uint64_t number, const CaseResult& result) const;
  // Nothing when it is damaged, or of another sweep.
  std::optional<Entry> read(std::string_view line) const;

 private:
  std::string header_;
  CaseShape shape_;
  std::uint32_t before_;  // checksum of the header
};

// Beside the result of its sweep.
std::filesystem::path find_journal_of(const std::filesystem::path& result);

// What a journal is of, without holding it up: another process may be writing it.
struct JournalFacts {
  nlohmann::ordered_json identity;  // null: it is none
  std::uint64_t cases = 0;          // lines that are whole
};
JournalFacts read_journal_facts(const std::filesystem::path& path);

class SweepJournal {
 public:
  // Opens the journal, or makes an empty one, which goes again when nothing is added. Throws a
  // RecordError when it cannot be written or another sweep holds it.
  explicit SweepJournal(std::filesystem::path path);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  // What was found in it. The identity is null when there was nothing, or no journal at all.
  bool was_empty() const { return was_empty_; }
  const nlohmann::ordered_json& identity() const { return identity_; }
  const std::vector<Collected>& columns() const { return columns_; }

  // Every case in it, in the order they were finished; the numbers of damaged lines, from 1. What a kill has
  // left of the last line is cut off.
  std::vector<std::uint64_t> read(const std::function<void(CaseLines::Entry)>& take);

  // Starts anew.
  void start(const nlohmann::ordered_json& identity, const std::vector<Collected>& columns);
  // One at a time.
  void add(std::uint64_t number, const CaseResult& result);
  // 0, or the errno of why it stays.
  int remove();

 private:
  void open();
  void read_header();
  void check_read(const LineReader& lines) const;
  void write(std::string line);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::optional<FileLock> lock_;
  bool was_empty_ = true, keep_ = false;
  nlohmann::ordered_json identity_;
  std::vector<Collected> columns_;
  std::optional<CaseLines> lines_;
};

}  // namespace berth

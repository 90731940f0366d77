// SPDX-License-Identifier: Apache-2.0
#pragma once

// SweepJournal — what a sweep has finished so far, so that a killed one goes on where it was.
//
//   stiffness.h5.journal      beside the result: JSON, one line each
//     {"journal":1,"version":"0.1.0","scenario":"9f…","vary":[…],"samples":1,"seed":1,…}
//     {"case":17,"outcome":"reached_end","verdict":"","message":"","as_expected":true,…}
//
// The first line says what the sweep is and which columns it has. A line counts when it is whole: of
// a kill in the middle of one, that case alone is run again. A lock keeps a second sweep out.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/analysis/sweep_table.h"

namespace berth {

// What makes two sweeps the same: scenario (as a number made of its text), keys, draws, columns.
nlohmann::ordered_json find_identity(const Sweep& sweep);

// In words, what a journal has otherwise than the sweep; empty when it fits.
std::vector<std::string> find_differences(const nlohmann::ordered_json& journal,
                                          const nlohmann::ordered_json& sweep);

class SweepJournal {
 public:
  struct Entry {
    std::uint64_t number;
    CaseResult result;
  };

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
  std::vector<Entry> take_entries() { return std::move(entries_); }

  // Starts anew.
  void start(const nlohmann::ordered_json& identity, const std::vector<Collected>& columns);
  // One at a time.
  void add(std::uint64_t number, const CaseResult& result);
  void remove();

 private:
  void read();
  void write(std::string line);

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool was_empty_ = true, keep_ = false;
  nlohmann::ordered_json identity_;
  std::vector<Collected> columns_;
  std::vector<Entry> entries_;
};

}  // namespace berth

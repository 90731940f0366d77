// SPDX-License-Identifier: Apache-2.0
#pragma once

// CsvWriter — one run as CSV, a file for each group: X.csv, X.<group>.csv.
//
//   time [s],servicer.rate [rad/s],servicer.omega_BN_B.x [rad/s],…
//   0,0.017453292519943295,0.017453292519943295,…
//
// 17 significant digits: the numbers come back exactly. As with a Recording, memory does not depend
// on the length of the run, the files get their names in finish(), and failures are RecordErrors.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/record/part_file.h"
#include "berth/record/row_sink.h"

namespace berth {

// Where the table of a group goes: x.fast.csv beside x.csv.
std::filesystem::path find_group_table(const std::filesystem::path& main, const std::string& group);

// A field with a comma, a quote or a line break stands in quotes.
std::string quoted_field(const std::string& field);

class CsvWriter : public RowSink {
 public:
  // /dev/stdout and the like are written directly, the main group only.
  explicit CsvWriter(std::filesystem::path path) : path_(std::move(path)) {}

  int add_group(const std::string& name, std::span<const Channel> channels) override;
  void append(int group, double t, std::span<const double> row) override;
  void finish(const std::string& scenario_text = {}, const std::string& summary_json = {}) override;

 private:
  struct Group {
    std::string name;
    std::unique_ptr<PartFile> file;
    std::vector<Channel> channels;
    std::size_t needed = 0;  // numbers a row must have
    std::string text;        // not yet written
  };

  std::filesystem::path path_;
  std::vector<Group> groups_;
};

}  // namespace berth

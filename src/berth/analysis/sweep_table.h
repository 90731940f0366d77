// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of a sweep: a row per case, written as HDF5 and CSV, and read back to replay a case.
//
//   /                         berth_version, format, kind = "sweep" (attributes)
//   /cases/<column>           [n]; unit, description where known
//   /scenario                 text: the complete scenario at the first values, defaults written out
//   /source                   text: what the cases are built from, by changing the varied keys
//   /summary                  JSON: file, settings, vary, samples, seed, cases, collect
//
// Columns: case, every varied key, outcome, verdict, as_expected, message, then what was collected.
// Nothing of the clock, the machine or the number of threads goes in.

#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/analysis/sweep_plan.h"
#include "berth/scenario/model_files.h"

namespace berth {

// A value taken from the summary of every case, by its path in there: "audit.energy".
struct Collected {
  std::string path;
  bool is_text;
  std::string unit = "", meaning = "";  // as the summary says
  bool operator==(const Collected&) const = default;
};

struct CaseResult {
  std::string outcome;  // as in run/outcome.h; "refused": its input was; "failed": an error
  std::string verdict;
  std::string message;  // why it is not as expected
  bool as_expected = false;
  // Of the collected columns, in their order: those that are numbers, those that are texts.
  std::vector<double> numbers;
  std::vector<std::string> texts;

  bool has_summary() const { return outcome != "refused" && outcome != "failed"; }
};

// All that decides the numbers of a sweep.
struct Sweep {
  std::string file, title;
  std::string source, scenario;       // texts; see above
  ModelFiles models;                  // that they draw
  std::vector<std::string> settings;  // of --set; they are worked into the source
  std::vector<std::string> collect;   // patterns
  bool collect_given = false;         // not the default ones
  std::vector<std::string> map;       // two keys, or none
  SweepPlan plan;
  struct Input {
    std::string unit, meaning;
  };
  std::vector<Input> inputs;  // of the plan's keys
};

// The facts of a sweep, for its summary and its journal.
nlohmann::ordered_json to_json(const Sweep& sweep);

// "audit.energy" fits itself, "audit" all below it, "audit.*" likewise, "audit.en*" what begins so,
// "contacts.*.force_peak" that of every contact.
bool fits_path(std::string_view pattern, std::string_view path);

// Both files get their names when both are written. An empty `csv` is none.
void write_sweep(const Sweep& sweep, std::span<const Collected> columns,
                 std::span<const CaseResult> results, const std::filesystem::path& h5,
                 const std::filesystem::path& csv);

// One column of the table, whatever it holds.
struct SweepColumn {
  std::string name, unit, description;
  std::vector<double> numbers{};
  std::vector<std::string> texts{};
  bool is_text = false;
};

// A whole file. The columns are as above: case, the plan's keys, outcome, verdict, as_expected,
// message, the collected ones.
struct SweepTable {
  std::string version, scenario;
  std::string file, title;  // of the scenario
  std::vector<std::string> settings;
  SweepPlan plan;
  std::vector<SweepColumn> columns;

  std::size_t cases() const { return columns.front().numbers.size(); }
  std::span<const SweepColumn> inputs() const {
    return std::span(columns).subspan(1, plan.keys.size());
  }
  const SweepColumn& outcome() const { return columns[plan.keys.size() + 1]; }
  const SweepColumn& verdict() const { return columns[plan.keys.size() + 2]; }
  const SweepColumn& as_expected() const { return columns[plan.keys.size() + 3]; }
  const SweepColumn& message() const { return columns[plan.keys.size() + 4]; }
  std::span<const SweepColumn> collected() const {
    return std::span(columns).subspan(plan.keys.size() + 5);
  }
};
bool is_sweep(const std::filesystem::path& h5);
// Both throw a RecordError on a file that cannot be read, this one also when it is no sweep.
SweepTable read_sweep(const std::filesystem::path& h5);

// One case of a sweep file: the text it is built from and the settings that make it.
struct StoredCase {
  std::string source;
  std::vector<std::string> settings;
  ModelFiles models;
};
// Adds a problem and returns nothing when the file is no sweep or has no such case.
std::optional<StoredCase> read_case(const std::filesystem::path& h5, std::int64_t number,
                                    Problems& problems);

}  // namespace berth

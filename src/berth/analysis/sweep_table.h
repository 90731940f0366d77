// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of a sweep: a row per case, written as HDF5 and CSV, and read back to replay a case.
//
//   /                         berth_version, format, kind = "sweep" (attributes)
//   /cases/<column>           [n]; unit, description where known
//   /bands/<channel>          [n × times] channels over time, where they were asked for; /bands/t [times]
//   /scenario                 text: the complete scenario at the first values, defaults written out
//   /source                   text: what the cases are built from, by changing the varied keys
//   /summary                  JSON: file, settings, vary, samples, seed, cases, collect …
//
// Columns: case, every varied key, outcome, verdict, as_expected, message, then what was collected.
// Nothing of the clock, the machine or the number of threads goes in. Rows are written and read block by
// block: memory does not grow with their number.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/analysis/case_store.h"
#include "berth/analysis/sweep_plan.h"
#include "berth/record/hdf5_reader.h"
#include "berth/scenario/model_files.h"

namespace berth {

// Which part of a sweep: the k-th of n, from 1. Parts are stretches of cases as equally long as can be.
struct SweepPart {
  std::uint64_t k = 1, n = 1;
  std::uint64_t first(std::uint64_t cases) const {
    return cases / n * (k - 1) + std::min(k - 1, cases % n);
  }
  std::uint64_t last(std::uint64_t cases) const { return cases / n * k + std::min(k, cases % n); }
  bool is_whole() const { return n == 1; }
};

// Channels whose values over time are kept of every case: at t = 0, interval, 2 interval …
struct SweepBands {
  std::vector<std::string> channels;
  double interval = 0;      // [s]
  std::uint64_t times = 0;  // how many
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
  SweepBands bands;
  SweepPart part;
  // What else decides which cases there are: --until, --rare, --boundary; null = nothing.
  nlohmann::ordered_json study;
  struct Input {
    std::string unit, meaning;
  };
  std::vector<Input> inputs;  // of the plan's keys
};

// Whether the cases are draws of the plan: those of a search are not.
bool is_drawn(const nlohmann::ordered_json& study);

// The facts of a sweep, for its summary and its journal.
nlohmann::ordered_json to_json(const Sweep& sweep);
// What makes two sweeps the same: scenario (by its digest), keys, draws, columns.
nlohmann::ordered_json find_identity(const Sweep& sweep);

// "audit.energy" fits itself, "audit" all below it, "audit.*" likewise, "audit.en*" what begins so,
// "contacts.*.force_peak" that of every contact.
bool fits_path(std::string_view pattern, std::string_view path);

// Cases from `first` to before `last` of a store, which has them all, with their inputs. Both files get their
// names when both are written. An empty `csv` is none.
struct SweepRows {
  const CaseStore& store;
  std::uint64_t first, last;
  std::function<std::vector<Cell>(std::uint64_t number)> inputs;
};
void write_sweep(const Sweep& sweep, const SweepRows& rows, const std::filesystem::path& h5,
                 const std::filesystem::path& csv);

// One column of the table, whatever it holds.
struct SweepColumn {
  std::string name, unit, description;
  bool is_text = false;
};

// A file that is open. The columns are as above: case, the plan's keys, outcome, verdict, as_expected,
// message, the collected ones.
class SweepTable {
 public:
  // Throws a RecordError on a file that cannot be read, or is no sweep.
  explicit SweepTable(const std::filesystem::path& h5);

  std::string version, scenario;
  std::string file, title;  // of the scenario
  std::vector<std::string> settings;
  SweepPlan plan;
  SweepPart part;
  nlohmann::ordered_json summary;
  std::vector<SweepColumn> columns;
  std::vector<std::string> bands;  // channels

  std::uint64_t cases() const { return cases_; }
  std::uint64_t find_first() const { return part.first(plan.cases()); }  // number of the first case
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

  // A whole column of numbers; one text after the other.
  std::vector<double> numbers(const SweepColumn& column) const;
  void for_each_text(
      const SweepColumn& column,
      const std::function<void(std::uint64_t i, const std::string& text)>& visit) const;
  const Hdf5Reader& reader() const { return *file_; }

 private:
  void read_summary();
  void list_columns();

  std::shared_ptr<const Hdf5Reader> file_;
  std::uint64_t cases_ = 0;
};
bool is_sweep(const std::filesystem::path& h5);

// A sweep back from its facts, but for texts, models and what is known of inputs. Throws a RecordError of
// `name` on facts that are none.
Sweep read_facts(const nlohmann::ordered_json& facts, const std::string& name);
// The sweep of a file, and the columns that were collected.
Sweep read_sweep(const SweepTable& table);
std::vector<Collected> read_collected(const SweepTable& table);

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

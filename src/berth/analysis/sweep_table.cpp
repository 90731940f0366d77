// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/compile/digest.h"
#include "berth/interruption.h"
#include "berth/record/csv_writer.h"
#include "berth/record/hdf5_file.h"
#include "berth/record/json_text.h"
#include "berth/record/number_text.h"
#include "berth/record/part_file.h"
#include "berth/record/record_error.h"
#include "berth/scenario/scenario.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kTableFormat = 2;
constexpr int kJournalFormat = 3;
constexpr std::uint64_t kRowBlock = 8192;  // rows at a time

// A column that is written block by block.
struct WrittenColumn {
  SweepColumn facts;
  std::string path;
  std::uint64_t width = 1;
  std::function<Cell(std::uint64_t, const std::vector<Cell>& inputs, const CaseResult&)> value{};
  std::size_t place = 0;    // of a row of numbers, among those of a case
  std::size_t longest = 0;  // of texts
  bool ascii = true;
  Hdf5Column stored{};
};

std::vector<WrittenColumn> list_columns(const Sweep& sweep, std::span<const Collected> collected) {
  std::vector<WrittenColumn> table;
  const auto add = [&](std::string name, std::string unit, std::string description, bool is_text,
                       auto value) {
    std::string path = "/cases/" + name;
    table.push_back(
        {{std::move(name), std::move(unit), std::move(description), is_text}, std::move(path)});
    table.back().value = value;
  };
  add("case", "-", "number of the case", false,
      [](std::uint64_t i, const auto&, const auto&) { return Cell(static_cast<double>(i)); });
  for (std::size_t k = 0; k < sweep.plan.keys.size(); ++k)
    add(sweep.plan.keys[k].key, sweep.inputs[k].unit, sweep.inputs[k].meaning,
        sweep.plan.keys[k].is_text(),
        [k](std::uint64_t, const std::vector<Cell>& inputs, const auto&) { return inputs[k]; });
  add("outcome", "", "how the run ended; refused: bad input; failed: an error", true,
      [](std::uint64_t, const auto&, const CaseResult& r) { return Cell(r.outcome); });
  add("verdict", "", "of the event that stopped the run", true,
      [](std::uint64_t, const auto&, const CaseResult& r) { return Cell(r.verdict); });
  add("as_expected", "-", "1 when the run was completed and every expectation was met", false,
      [](std::uint64_t, const auto&, const CaseResult& r) {
        return Cell(r.as_expected ? 1.0 : 0.0);
      });
  add("message", "", "why it is not as expected", true,
      [](std::uint64_t, const auto&, const CaseResult& r) { return Cell(r.message); });
  std::size_t number = 0, text = 0;
  for (const Collected& c : collected) {
    const std::size_t place = c.is_text ? text++ : number;
    if (!c.is_text) number += c.width;
    add(c.path, c.unit, c.meaning.empty() ? "from the summary of the run" : c.meaning, c.is_text,
        [place, is_text = c.is_text](std::uint64_t, const auto&, const CaseResult& r) {
          return is_text ? Cell(r.texts[place]) : Cell(r.numbers[place]);
        });
    if (c.width == 1) continue;
    table.back().path = "/bands/" + c.path;
    table.back().width = c.width;
    table.back().place = place;
  }
  return table;
}

class TableWriter {
 public:
  TableWriter(const Sweep& sweep, const SweepRows& rows)
      : sweep_(sweep), rows_(rows), table_(list_columns(sweep, rows.store.columns())) {
    measure_texts();
  }

  void write(Hdf5File& file, PartFile* csv) {
    file.add_group("/cases");
    if (!sweep_.bands.channels.empty()) file.add_group("/bands");
    for (WrittenColumn& c : table_) add_column(file, c);
    if (csv) csv->write(head_line());
    std::vector<std::vector<double>> numbers(table_.size());
    std::vector<std::vector<std::string>> texts(table_.size());
    std::string lines;
    std::uint64_t count = 0;
    const auto flush = [&] {
      stop_if_interrupted();
      for (std::size_t c = 0; c < table_.size(); ++c) {
        if (table_[c].facts.is_text) {
          file.append(table_[c].stored, texts[c]);
        } else {
          file.append(table_[c].stored, numbers[c]);
        }
        numbers[c].clear();
        texts[c].clear();
      }
      if (csv) csv->write(lines);
      lines.clear();
      count = 0;
    };
    rows_.store.for_each(rows_.first, rows_.last, [&](std::uint64_t i, const CaseResult& result) {
      const std::vector<Cell> inputs = rows_.inputs(i);
      for (std::size_t c = 0; c < table_.size(); ++c)
        add_cell(table_[c], i, inputs, result, numbers[c], texts[c], csv ? &lines : nullptr);
      if (csv) lines.back() = '\n';
      if (++count == kRowBlock) flush();
    });
    if (count > 0) flush();
    for (WrittenColumn& c : table_) c.stored = {};
  }

 private:
  // The longest text of every column; texts have a fixed length in a file.
  void measure_texts() {
    rows_.store.for_each(rows_.first, rows_.last, [&](std::uint64_t i, const CaseResult& result) {
      const std::vector<Cell> inputs = rows_.inputs(i);
      for (WrittenColumn& c : table_) {
        if (!c.facts.is_text) continue;
        const std::string text = std::get<std::string>(c.value(i, inputs, result));
        c.longest = std::max(c.longest, text.size());
        c.ascii = c.ascii && is_ascii(text);
      }
    });
  }

  void add_column(Hdf5File& file, WrittenColumn& c) {
    const std::uint64_t count = rows_.last - rows_.first;
    c.stored = c.facts.is_text ? file.add_texts(c.path, c.longest, c.ascii, count)
                               : file.add_numbers(c.path, static_cast<int>(c.width), count);
    if (!c.facts.unit.empty()) file.add_attribute(c.path, "unit", c.facts.unit);
    if (!c.facts.description.empty())
      file.add_attribute(c.path, "description", c.facts.description);
  }

  std::string head_line() const {
    std::string text;
    for (const WrittenColumn& c : table_) {
      if (c.width > 1) continue;
      const bool has_unit = !c.facts.unit.empty() && c.facts.unit != "-";
      text += quoted_field(has_unit ? fmt::format("{} [{}]", c.facts.name, c.facts.unit)
                                    : c.facts.name) +
              ",";
    }
    text.back() = '\n';
    return text;
  }

  static void add_cell(const WrittenColumn& c, std::uint64_t i, const std::vector<Cell>& inputs,
                       const CaseResult& result, std::vector<double>& numbers,
                       std::vector<std::string>& texts, std::string* line) {
    if (c.width > 1) {
      const auto from = result.numbers.begin() + static_cast<std::ptrdiff_t>(c.place);
      numbers.insert(numbers.end(), from, from + static_cast<std::ptrdiff_t>(c.width));
      return;
    }
    Cell value = c.value(i, inputs, result);
    if (c.facts.is_text) {
      if (line) *line += quoted_field(std::get<std::string>(value));
      texts.push_back(std::move(std::get<std::string>(value)));
    } else {
      if (line) append_number(*line, std::get<double>(value));
      numbers.push_back(std::get<double>(value));
    }
    if (line) *line += ',';
  }

  const Sweep& sweep_;
  const SweepRows& rows_;
  std::vector<WrittenColumn> table_;
};

Json to_json(const Correlated& c) {
  return {{"keys", c.keys},
          {c.covariance.empty() ? "matrix" : "covariance",
           c.covariance.empty() ? c.matrix : c.covariance}};
}

}  // namespace

bool is_drawn(const Json& study) { return study.is_null() || study.contains("until"); }

Json to_json(const Sweep& sweep) {
  Json out;
  out["version"] = std::string(version);
  out["file"] = sweep.file;
  out["title"] = sweep.title;
  out["settings"] = sweep.settings;
  Json vary = Json::array();
  for (const Vary& v : sweep.plan.keys) vary.push_back(describe(v));
  out["vary"] = vary;
  out["keys"] = Json::array();
  for (const Vary& v : sweep.plan.keys) out["keys"].push_back(v.key);
  out["samples"] = sweep.plan.samples;
  out["seed"] = sweep.plan.seed;
  out["design"] = std::string(name_of(sweep.plan.design));
  out["correlation"] = Json::array();
  for (const Correlated& c : sweep.plan.correlated) out["correlation"].push_back(to_json(c));
  out["indices"] = sweep.plan.finds_indices;
  out["cases"] =
      is_drawn(sweep.study) ? sweep.plan.cases() : sweep.study.value("cases", std::uint64_t{0});
  out["collect"] = sweep.collect;
  if (!sweep.bands.channels.empty())
    out["bands"] = {{"channels", sweep.bands.channels},
                    {"interval", sweep.bands.interval},
                    {"times", sweep.bands.times}};
  if (!sweep.study.is_null()) out["study"] = sweep.study;
  if (!sweep.part.is_whole()) out["part"] = {sweep.part.k, sweep.part.n};
  return out;
}

Json find_identity(const Sweep& sweep) {
  Json facts = to_json(sweep);
  Json out;
  out["journal"] = kJournalFormat;
  out["version"] = facts["version"];
  out["scenario"] = find_sha256(sweep.source);
  for (const char* key : {"file", "title", "settings", "keys", "cases"}) facts.erase(key);
  for (const auto& [key, value] : facts.items()) out[key] = value;
  return out;
}

bool fits_path(std::string_view pattern, std::string_view path) {
  if (const std::size_t star = pattern.find(".*."); star != std::string_view::npos) {
    const std::string_view before = pattern.substr(0, star + 1), behind = pattern.substr(star + 2);
    if (!path.starts_with(before)) return false;
    // A name may have dots of its own.
    for (std::size_t dot = path.find('.', before.size() + 1); dot != std::string_view::npos;
         dot = path.find('.', dot + 1))
      if (fits_path(behind.substr(1), path.substr(dot + 1))) return true;
    return false;
  }
  return fits_channel(pattern, path) ||
         (path.size() > pattern.size() && path.starts_with(pattern) && path[pattern.size()] == '.');
}

void write_sweep(const Sweep& sweep, const SweepRows& rows, const std::filesystem::path& h5,
                 const std::filesystem::path& csv) {
  PartFile part(h5);
  std::optional<PartFile> text;
  if (!csv.empty()) text.emplace(csv);
  Hdf5File file(part.descriptor(), part.name());
  file.add_attribute("/", "berth_version", std::string(version));
  file.add_attribute("/", "format", kTableFormat);
  file.add_attribute("/", "kind", std::string("sweep"));
  TableWriter(sweep, rows).write(file, text ? &*text : nullptr);
  if (!sweep.bands.channels.empty()) {
    std::vector<double> t;
    for (std::uint64_t i = 0; i < sweep.bands.times; ++i)
      t.push_back(static_cast<double>(i) * sweep.bands.interval);
    Hdf5Column times = file.add_numbers("/bands/t", 1, t.size());
    file.append(times, t);
    file.add_attribute("/bands/t", "unit", std::string("s"));
  }
  write_models(list_stored(sweep.models), file);
  file.add_text("/scenario", sweep.scenario);
  file.add_text("/source", sweep.source);
  file.add_text("/summary", to_ascii(to_text(to_json(sweep))));
  file.close();
  if (text) text->keep();
  part.keep();
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/record/csv_writer.h"
#include "berth/record/hdf5_file.h"
#include "berth/record/hdf5_reader.h"
#include "berth/record/json_text.h"
#include "berth/record/number_text.h"
#include "berth/record/part_file.h"
#include "berth/record/record_error.h"
#include "berth/scenario/scenario.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kTableFormat = 1;

std::vector<SweepColumn> build_columns(const Sweep& sweep, std::span<const Collected> collected,
                                       std::span<const CaseResult> results) {
  std::vector<SweepColumn> table;
  const auto add = [&](std::string name, std::string unit, std::string description, bool is_text,
                       const auto& value_of) {
    SweepColumn column{std::move(name), std::move(unit), std::move(description)};
    column.is_text = is_text;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Cell value = value_of(i);
      if (is_text) {
        column.texts.push_back(std::get<std::string>(value));
      } else {
        column.numbers.push_back(std::get<double>(value));
      }
    }
    table.push_back(std::move(column));
  };
  add("case", "-", "number of the case", false,
      [](std::size_t i) { return Cell(static_cast<double>(i)); });
  for (std::size_t k = 0; k < sweep.plan.keys.size(); ++k) {
    const Vary& key = sweep.plan.keys[k];
    add(key.key, sweep.inputs[k].unit, sweep.inputs[k].meaning, key.is_text(),
        [&](std::size_t i) { return sweep.plan.value(i, k); });
  }
  add("outcome", "", "how the run ended; refused: bad input; failed: an error", true,
      [&](std::size_t i) { return Cell(results[i].outcome); });
  add("verdict", "", "of the event that stopped the run", true,
      [&](std::size_t i) { return Cell(results[i].verdict); });
  add("as_expected", "-", "1 when the run was completed and every expectation was met", false,
      [&](std::size_t i) { return Cell(results[i].as_expected ? 1.0 : 0.0); });
  add("message", "", "why it is not as expected", true,
      [&](std::size_t i) { return Cell(results[i].message); });
  std::size_t number = 0, text = 0;
  for (const Collected& c : collected) {
    const std::size_t place = c.is_text ? text++ : number++;
    add(c.path, c.unit, c.meaning.empty() ? "from the summary of the run" : c.meaning, c.is_text,
        [&](std::size_t i) {
          return c.is_text ? Cell(results[i].texts[place]) : Cell(results[i].numbers[place]);
        });
  }
  return table;
}

void write_columns(Hdf5File& file, std::span<const SweepColumn> table) {
  file.add_group("/cases");
  for (const SweepColumn& column : table) {
    const std::string path = "/cases/" + column.name;
    if (column.is_text) {
      std::size_t longest = 0;
      bool ascii = true;
      for (const std::string& t : column.texts) {
        longest = std::max(longest, t.size());
        ascii = ascii && is_ascii(t);
      }
      Hdf5Column stored = file.add_texts(path, longest, ascii, column.texts.size());
      file.append(stored, column.texts);
    } else {
      Hdf5Column stored = file.add_numbers(path, 1, column.numbers.size());
      file.append(stored, column.numbers);
    }
    if (!column.unit.empty()) file.add_attribute(path, "unit", column.unit);
    if (!column.description.empty()) file.add_attribute(path, "description", column.description);
  }
}

std::string to_csv(std::span<const SweepColumn> table, std::size_t rows) {
  std::string text;
  for (const SweepColumn& c : table) {
    if (&c != table.data()) text += ',';
    const bool has_unit = !c.unit.empty() && c.unit != "-";
    text += quoted_field(has_unit ? fmt::format("{} [{}]", c.name, c.unit) : c.name);
  }
  text += '\n';
  for (std::size_t i = 0; i < rows; ++i) {
    for (const SweepColumn& c : table) {
      if (&c != table.data()) text += ',';
      if (c.is_text) {
        text += quoted_field(c.texts[i]);
      } else {
        append_number(text, c.numbers[i]);
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace

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
  out["cases"] = sweep.plan.cases();
  out["collect"] = sweep.collect;
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

void write_sweep(const Sweep& sweep, std::span<const Collected> columns,
                 std::span<const CaseResult> results, const std::filesystem::path& h5,
                 const std::filesystem::path& csv) {
  const std::vector<SweepColumn> table = build_columns(sweep, columns, results);
  PartFile part(h5);
  Hdf5File file(part.descriptor(), part.name());
  file.add_attribute("/", "berth_version", std::string(version));
  file.add_attribute("/", "format", kTableFormat);
  file.add_attribute("/", "kind", std::string("sweep"));
  write_columns(file, table);
  write_models(list_stored(sweep.models), file);
  file.add_text("/scenario", sweep.scenario);
  file.add_text("/source", sweep.source);
  file.add_text("/summary", to_ascii(to_text(to_json(sweep))));
  file.close();
  if (!csv.empty()) {
    PartFile text(csv);
    text.write(to_csv(table, results.size()));
    text.keep();
  }
  part.keep();
}

bool is_sweep(const std::filesystem::path& h5) { return Hdf5Reader(h5).has("/cases/case"); }

SweepTable read_sweep(const std::filesystem::path& h5) {
  const Hdf5Reader file(h5);
  for (const char* wanted : {"/cases/case", "/scenario", "/summary"})
    if (!file.has(wanted))
      throw RecordError(file.name(),
                        fmt::format("is no result of berth sweep: it has no {}", wanted));
  const auto damaged = [&](std::string_view what) {
    return RecordError(file.name(), fmt::format("is damaged: {}", what));
  };
  SweepTable table;
  table.version = file.attribute("/", "berth_version");
  const auto one_text = [&](const char* path) {
    const std::vector<std::string> texts = file.texts(path);
    if (texts.empty()) throw damaged(fmt::format("{} is empty", path));
    return texts.front();
  };
  table.scenario = one_text("/scenario");
  try {
    const Json summary = Json::parse(one_text("/summary"));
    summary.at("file").get_to(table.file);
    summary.at("title").get_to(table.title);
    summary.at("settings").get_to(table.settings);
    Problems problems;
    const auto vary = summary.at("vary").get<std::vector<std::string>>();
    const auto samples = summary.at("samples").get<std::uint64_t>();
    const auto seed = summary.at("seed").get<std::uint64_t>();
    table.plan = build_sweep_plan(vary, samples, seed, problems);
    if (!table.plan.is_random()) {  // which has no samples to ask for
      problems.list.clear();
      table.plan = build_sweep_plan(vary, 0, seed, problems);
    }
    if (!problems.empty()) throw damaged(problems.list.front().message);
  } catch (const Json::exception& e) {
    throw damaged(e.what());
  }
  std::vector<std::string> names{"case"};
  for (const Vary& key : table.plan.keys) names.push_back(key.key);
  names.insert(names.end(), {"outcome", "verdict", "as_expected", "message"});
  const std::size_t known = names.size();
  for (std::string& name : file.members("/cases"))
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(known), name) ==
        names.begin() + static_cast<std::ptrdiff_t>(known))
      names.push_back(std::move(name));
  for (const std::string& name : names) {
    const std::string path = "/cases/" + name;
    SweepColumn column{name, file.attribute(path, "unit"), file.attribute(path, "description")};
    column.is_text = file.is_text(path);
    if (column.is_text) {
      column.texts = file.texts(path);
    } else {
      column.numbers = file.numbers(path);
    }
    const std::size_t rows = column.is_text ? column.texts.size() : column.numbers.size();
    if (!table.columns.empty() && rows != table.cases())
      throw damaged(fmt::format("{} has {} rows, not {}", path, rows, table.cases()));
    table.columns.push_back(std::move(column));
  }
  if (!table.outcome().is_text || !table.verdict().is_text || !table.message().is_text ||
      table.as_expected().is_text || table.columns.front().is_text)
    throw damaged("a column of texts holds numbers, or the reverse");
  for (std::size_t k = 0; k < table.plan.keys.size(); ++k)
    if (table.inputs()[k].is_text != table.plan.keys[k].is_text())
      throw damaged(fmt::format("{} is not what was varied", table.plan.keys[k].key));
  return table;
}

std::optional<StoredCase> read_case(const std::filesystem::path& h5, std::int64_t number,
                                    Problems& problems) {
  const auto refuse = [&](std::string why) {
    problems.add(Place{0, 0, h5.string()}, "", std::move(why));
    return std::nullopt;
  };
  try {
    const Hdf5Reader file(h5);
    if (!file.has("/cases/case") || !file.has("/source") || !file.has("/summary"))
      return refuse("is no sweep: berth sweep writes them");
    const std::size_t cases = file.numbers("/cases/case").size();
    if (number < 0 || static_cast<std::uint64_t>(number) >= cases)
      return refuse(fmt::format("has no case {}: they are numbered 0…{}", number, cases - 1));
    const auto row = static_cast<std::size_t>(number);
    std::vector<StoredModel> models = read_models(file);
    StoredCase out{file.texts("/source").at(0), {}, restore_models(models, file.name())};
    const Json summary = Json::parse(file.texts("/summary").at(0));
    for (const Json& key : summary.at("keys")) {
      const auto name = key.get<std::string>();
      const std::string path = "/cases/" + name;
      const Cell value =
          file.is_text(path) ? Cell(file.texts(path).at(row)) : Cell(file.numbers(path).at(row));
      out.settings.push_back(to_setting(name, value));
    }
    return out;
  } catch (const RecordError& e) {
    problems.add(Place{0, 0, "--case"}, "", e.what());
  } catch (const std::exception& e) {
    return refuse(fmt::format("is damaged: {}", e.what()));
  }
  return std::nullopt;
}

}  // namespace berth

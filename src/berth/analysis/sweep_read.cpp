// SPDX-License-Identifier: Apache-2.0

// The table of a sweep, read back.

#include <algorithm>

#include <fmt/format.h>

#include "berth/analysis/sweep_table.h"
#include "berth/interruption.h"
#include "berth/record/json_text.h"
#include "berth/record/record_error.h"
#include "berth/scenario/scenario.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kTextBlock = 8192;  // texts at a time

RecordError damaged(const std::string& file, std::string_view what) {
  return {file, fmt::format("is damaged: {}", what)};
}

std::string read_one_text(const Hdf5Reader& file, const char* path) {
  const std::vector<std::string> texts = file.texts(path);
  if (texts.empty()) throw damaged(file.name(), fmt::format("{} is empty", path));
  return texts.front();
}

// The plan that the summary states. Files of 0.1.0 do not say what they had no word for.
SweepPlan read_plan(const Json& summary, const std::string& file) {
  PlanRequest request;
  summary.at("vary").get_to(request.vary);
  request.samples = read_whole(summary.at("samples"));
  request.seed = read_whole(summary.at("seed"));
  const std::string design = summary.value("design", "random");
  const std::optional<Design> known = find_design(design);
  if (!known) throw damaged(file, fmt::format("there is no design {}", design));
  request.design = *known;
  request.finds_indices = summary.value("indices", false);
  for (const Json& c : summary.value("correlation", Json::array())) {
    Correlated one;
    c.at("keys").get_to(one.keys);
    if (c.contains("matrix")) c.at("matrix").get_to(one.matrix);
    if (c.contains("covariance")) c.at("covariance").get_to(one.covariance);
    const std::size_t n = one.keys.size();
    const auto& rows = one.matrix.empty() ? one.covariance : one.matrix;
    if (rows.size() != n ||
        std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() != n; }))
      throw damaged(file, "a correlation has not as many rows as keys");
    request.correlated.push_back(std::move(one));
  }
  Problems problems;
  SweepPlan plan = build_sweep_plan(request, problems);
  if (!plan.is_random()) {  // which has no samples to ask for
    problems.list.clear();
    request.samples = 0;
    plan = build_sweep_plan(request, problems);
  }
  if (!problems.empty()) throw damaged(file, problems.list.front().message);
  return plan;
}

}  // namespace

bool is_sweep(const std::filesystem::path& h5) { return Hdf5Reader(h5).has("/cases/case"); }

SweepTable::SweepTable(const std::filesystem::path& h5)
    : file_(std::make_shared<const Hdf5Reader>(h5)) {
  for (const char* wanted : {"/cases/case", "/scenario", "/summary"})
    if (!file_->has(wanted))
      throw RecordError(file_->name(),
                        fmt::format("is no result of berth sweep: it has no {}", wanted));
  version = file_->attribute("/", "berth_version");
  scenario = read_one_text(*file_, "/scenario");
  cases_ = file_->extent("/cases/case").rows;
  read_summary();
  list_columns();
}

void SweepTable::read_summary() {
  try {
    summary = Json::parse(read_one_text(*file_, "/summary"));
  } catch (const Json::exception& e) {
    throw damaged(file_->name(), e.what());
  }
  Sweep sweep = read_facts(summary, file_->name());
  file = std::move(sweep.file);
  title = std::move(sweep.title);
  settings = std::move(sweep.settings);
  plan = std::move(sweep.plan);
  part = sweep.part;
  bands = std::move(sweep.bands.channels);
}

void SweepTable::list_columns() {
  std::vector<std::string> names{"case"};
  for (const Vary& key : plan.keys) names.push_back(key.key);
  names.insert(names.end(), {"outcome", "verdict", "as_expected", "message"});
  const std::vector<std::string> known = names;
  for (std::string& name : file_->members("/cases"))
    if (std::find(known.begin(), known.end(), name) == known.end())
      names.push_back(std::move(name));
  for (const std::string& name : names) {
    const std::string path = "/cases/" + name;
    columns.push_back({name, file_->attribute(path, "unit"), file_->attribute(path, "description"),
                       file_->is_text(path)});
    const auto [rows, width] = file_->extent(path);
    if (rows != cases_ || width != 1)
      throw damaged(file_->name(), fmt::format("{} has {} rows, not {}", path, rows, cases_));
  }
  if (!outcome().is_text || !verdict().is_text || !message().is_text || as_expected().is_text ||
      columns.front().is_text)
    throw damaged(file_->name(), "a column of texts holds numbers, or the reverse");
  for (std::size_t k = 0; k < plan.keys.size(); ++k)
    if (inputs()[k].is_text != plan.keys[k].is_text())
      throw damaged(file_->name(), fmt::format("{} is not what was varied", plan.keys[k].key));
}

std::vector<double> SweepTable::numbers(const SweepColumn& column) const {
  stop_if_interrupted();
  return file_->numbers("/cases/" + column.name);
}

void SweepTable::for_each_text(
    const SweepColumn& column,
    const std::function<void(std::uint64_t, const std::string&)>& visit) const {
  for (std::uint64_t first = 0; first < cases_; first += kTextBlock) {
    stop_if_interrupted();
    const std::vector<std::string> block =
        file_->text_rows("/cases/" + column.name, first, std::min(kTextBlock, cases_ - first));
    for (std::size_t i = 0; i < block.size(); ++i) visit(first + i, block[i]);
  }
}

Sweep read_facts(const Json& facts, const std::string& name) {
  Sweep sweep;
  try {
    facts.at("file").get_to(sweep.file);
    facts.at("title").get_to(sweep.title);
    facts.at("settings").get_to(sweep.settings);
    facts.at("collect").get_to(sweep.collect);
    sweep.plan = read_plan(facts, name);
    sweep.study = facts.value("study", Json());
    if (facts.contains("part")) {
      sweep.part = {read_whole(facts["part"].at(0)), read_whole(facts["part"].at(1))};
      if (sweep.part.k < 1 || sweep.part.k > sweep.part.n)
        throw damaged(name, "there is no such part");
    }
    if (facts.contains("bands")) {
      facts["bands"].at("channels").get_to(sweep.bands.channels);
      facts["bands"].at("interval").get_to(sweep.bands.interval);
      facts["bands"].at("times").get_to(sweep.bands.times);
    }
  } catch (const Json::exception& e) {
    throw damaged(name, e.what());
  }
  return sweep;
}

Sweep read_sweep(const SweepTable& table) {
  const Hdf5Reader& file = table.reader();
  Sweep sweep = read_facts(table.summary, file.name());
  sweep.scenario = table.scenario;
  sweep.source = read_one_text(file, "/source");
  std::vector<StoredModel> models = read_models(file);
  sweep.models = restore_models(models, file.name());
  for (const SweepColumn& c : table.inputs()) sweep.inputs.push_back({c.unit, c.description});
  return sweep;
}

std::vector<Collected> read_collected(const SweepTable& table) {
  std::vector<Collected> list;
  for (const SweepColumn& c : table.collected())
    list.push_back({c.name, c.is_text, c.unit, c.description, 1});
  for (const std::string& name : table.bands) {
    const std::string path = "/bands/" + name;
    list.push_back({name, false, table.reader().attribute(path, "unit"),
                    table.reader().attribute(path, "description"),
                    table.reader().extent(path).width});
  }
  return list;
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
    const std::uint64_t cases = file.extent("/cases/case").rows;
    if (cases == 0) return refuse("has no cases");
    // A part begins with some other number than 0.
    const auto first = static_cast<std::int64_t>(file.rows("/cases/case", 0, 1).front());
    const std::int64_t row = number - first;
    if (row < 0 || static_cast<std::uint64_t>(row) >= cases)
      return refuse(fmt::format("has no case {}: they are numbered {}…{}", number, first,
                                first + static_cast<std::int64_t>(cases) - 1));
    const auto at = static_cast<std::uint64_t>(row);
    std::vector<StoredModel> models = read_models(file);
    StoredCase out{file.texts("/source").at(0), {}, restore_models(models, file.name())};
    const Json summary = Json::parse(file.texts("/summary").at(0));
    for (const Json& key : summary.at("keys")) {
      const auto name = key.get<std::string>();
      const std::string path = "/cases/" + name;
      const Cell value = file.is_text(path) ? Cell(file.text_rows(path, at, 1).at(0))
                                            : Cell(file.rows(path, at, 1).at(0));
      out.settings.push_back(to_setting(name, value));
    }
    return out;
  } catch (const RecordError& e) {
    problems.add(Place{0, 0, "--case"}, "", e.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return refuse(fmt::format("is damaged: {}", e.what()));
  }
  return std::nullopt;
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/report/sweep_page.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "berth/analysis/sweep_answers.h"
#include "berth/record/json_text.h"
#include "berth/record/part_file.h"
#include "berth/record/record_error.h"
#include "berth/report/page.h"
#include "berth/report/sweep_bands.h"
#include "berth/report/sweep_cases.h"
#include "berth/statistics/effect.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

Json to_page(const Proportion& p) {
  return {{"fraction", p.fraction}, {"low", p.low}, {"high", p.high}};
}

Json to_page(const Statistics& s) {
  Json out = {{"count", s.count}};
  if (s.count > 0)
    out.update({{"min", s.least},
                {"p05", s.low},
                {"p25", s.quarter},
                {"median", s.median},
                {"mean", s.mean},
                {"p75", s.three_quarters},
                {"p95", s.high},
                {"p99", s.top},
                {"max", s.largest},
                {"min_case", s.least_case},
                {"max_case", s.largest_case}});
  return out;
}

// Columns, maps and points of a sweep, put together piece by piece.
class SweepPage {
 public:
  SweepPage(const SweepTable& table, const SweepPageLimits& limits, NumberBlock& block)
      : table_(table),
        limits_(limits),
        block_(block),
        good_(table.numbers(table.as_expected())),
        classes_(find_classes(table, good_)) {
    choose();
  }

  Json build_classes() const {
    Json out = Json::array();
    for (const CaseClass& c : classes_.list) {
      Json one = to_page(find_proportion(c.count, table_.cases()));
      one.update({{"name", c.name}, {"good", c.good}, {"count", c.count}});
      out.push_back(std::move(one));
    }
    return out;
  }

  Json build_verdict() const {
    std::uint64_t good = 0;
    for (const CaseClass& c : classes_.list) good += c.good ? c.count : 0;
    Json out = to_page(find_share(table_.plan, table_.find_first(), good_, count_checks()));
    out["count"] = good;
    return out;
  }

  // What matters, and how sure that is; null where nothing is random.
  Json build_answers() const {
    if (!is_drawn(table_.summary.value("study", Json())) || !table_.part.is_whole()) return nullptr;
    AnswerSource source{
        table_.plan, table_.find_first(), table_.find_first() + table_.cases(), good_, {}, {}};
    std::vector<SweepColumn> columns;
    for (const SweepColumn& c : table_.collected()) {
      if (c.is_text) continue;
      source.outputs.push_back(c.name);
      columns.push_back(c);
    }
    source.checks = count_checks();
    source.numbers = [&](std::size_t c) { return table_.numbers(columns[c]); };
    const SweepAnswers answers = find_answers(source);
    return answers.outputs.empty() ? Json() : to_json(answers);
  }

  Json build_columns() {
    Json out = Json::array();
    const std::size_t inputs = table_.plan.keys.size();
    for (std::size_t k = 0; k < inputs; ++k) {
      Json one = build_column(table_.inputs()[k], table_.plan.keys[k].spread == Spread::log);
      one["role"] = "input";
      one["vary"] = describe(table_.plan.keys[k]);
      axes_.push_back(build_page_axis(table_.plan.keys[k], table_.inputs()[k].unit));
      effects_.push_back(0);
      pieces_.emplace_back();
      if (axes_.back()) add_shares(k, one);
      one["effect"] = effects_.back();
      out.push_back(std::move(one));
    }
    for (const SweepColumn& column : table_.collected()) {
      Json one = build_column(column, false);
      one["role"] = "output";
      out.push_back(std::move(one));
    }
    return out;
  }

  // After the columns. Of every two inputs: cases of each class, row by row, the interval of the share
  // that is as expected, the largest of every output that is a number, and the effect of both together.
  // Most effect first.
  Json build_maps() {
    std::vector<std::size_t> order = find_mapped();
    if (order.size() > limits_.maps) order.resize(limits_.maps);
    std::sort(order.begin(), order.end());
    choose_map_outputs(order);
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < order.size(); ++a)
      for (std::size_t b = a + 1; b < order.size(); ++b) pairs.push_back({order[a], order[b], {}});
    find_largest(pairs);
    std::vector<Json> maps;
    for (const Pair& pair : pairs) maps.push_back(build_map(pair));
    std::stable_sort(maps.begin(), maps.end(), [](const Json& a, const Json& b) {
      return a["effect"].get<double>() > b["effect"].get<double>();
    });
    return maps;
  }

  // Places of columns, after the maps.
  Json find_map_outputs() const {
    Json out = Json::array();
    for (const std::size_t c : map_outputs_) out.push_back(table_.plan.keys.size() + c);
    return out;
  }

  Json build_points() {
    const auto n = static_cast<std::uint64_t>(points_.cases.size());
    const auto is_bad = [](double x) { return x != 1; };
    const auto failures =
        static_cast<std::uint64_t>(std::count_if(good_.begin(), good_.end(), is_bad));
    Json out = {{"count", n},
                {"failures", points_.failures},
                {"all_failures", failures},
                {"exact", is_exact()},
                {"case", block_.add_doubles(pick(table_.numbers(table_.columns.front())))}};
    std::vector<double> codes;
    for (const std::uint64_t i : points_.cases) codes.push_back(classes_.of[i]);
    out["class"] = block_.add_floats(codes, false);
    Json message, outcome;
    add_texts(table_.message(), message);
    add_texts(table_.outcome(), outcome);
    out["message"] = std::move(message);
    out["outcome"] = std::move(outcome);
    return out;
  }

 private:
  std::uint64_t count_checks() const {
    const Json study = table_.summary.value("study", Json::object());
    return study.is_object() ? study.value("checks", std::uint64_t{0}) : 0;
  }

  // Which cases are points; the worst by any column are.
  void choose() {
    std::size_t width = 1;
    std::vector<std::uint64_t> worst;
    const auto add = [&](const SweepColumn& column) {
      ++width;
      if (column.is_text) return;
      const std::vector<double> values = table_.numbers(column);
      for (const bool largest : {true, false}) {
        const auto cases = find_extremes(values, limits_.worst, largest);
        worst.insert(worst.end(), cases.begin(), cases.end());
      }
    };
    for (const SweepColumn& column : table_.inputs()) add(column);
    for (const SweepColumn& column : table_.collected()) add(column);
    points_ = choose_points(good_, std::min(limits_.points, limits_.numbers / width), worst);
    numbers_ = width * points_.cases.size();
  }

  bool is_exact() const { return numbers_ <= limits_.exact; }

  std::vector<double> pick(const std::vector<double>& from) const {
    std::vector<double> out;
    out.reserve(points_.cases.size());
    for (const std::uint64_t i : points_.cases) out.push_back(from[i]);
    return out;
  }

  // Different texts of the points once, and their numbers; −1 where there are too many.
  void add_texts(const SweepColumn& column, Json& out) {
    std::map<std::string, double> known;
    std::vector<double> codes;
    Json labels = Json::array();
    std::size_t bytes = 0;
    table_.for_each_text(column, [&](std::uint64_t i, const std::string& text) {
      if (codes.size() == points_.cases.size() || points_.cases[codes.size()] != i) return;
      auto at = known.find(text);
      if (at == known.end() && bytes + text.size() <= limits_.text_bytes) {
        at = known.emplace(text, static_cast<double>(labels.size())).first;
        labels.push_back(text);
        bytes += text.size() + 8;
      }
      codes.push_back(at == known.end() ? -1 : at->second);
    });
    out["labels"] = std::move(labels);
    out["data"] = block_.add_floats(codes, false);
  }

  Json build_column(const SweepColumn& column, bool log) {
    Json out = {{"name", column.name},
                {"unit", column.unit},
                {"description", column.description},
                {"text", column.is_text}};
    if (column.is_text) {
      add_texts(column, out);
      return out;
    }
    const std::vector<double> values = table_.numbers(column);
    const Statistics s = find_statistics(values);
    const Bins bins = build_bins(s, s.least > 0 && (log || is_spread_wide(s)));
    out["data"] = is_exact() ? block_.add_doubles(pick(values)) : block_.add_floats(pick(values));
    out["log"] = bins.log;
    out["statistics"] = to_page(s);
    out["edges"] = bins.edges;
    const std::size_t n = bins.edges.empty() ? 0 : bins.edges.size() - 1;
    std::vector<double> counts(n * classes_.list.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isfinite(values[i])) ++counts[classes_.of[i] * n + bins.find(values[i])];
    out["counts"] = block_.add_floats(counts, false);
    for (const bool largest : {true, false}) {
      Json places = Json::array();
      for (const std::uint64_t i : find_extremes(values, limits_.worst, largest))
        places.push_back(std::lower_bound(points_.cases.begin(), points_.cases.end(), i) -
                         points_.cases.begin());
      out[largest ? "largest" : "smallest"] = std::move(places);
    }
    return out;
  }

  // How often cases are as expected in each piece of an input.
  void add_shares(std::size_t k, Json& out) {
    const MapAxis& axis = *axes_[k];
    const std::vector<double> values = table_.numbers(table_.inputs()[k]);
    std::vector<PieceCount> pieces(axis.size());
    pieces_[k].reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t at = std::isnan(values[i]) ? axis.size() : find_piece(axis, values[i]);
      pieces_[k].push_back(static_cast<std::uint8_t>(at));
      if (at >= pieces.size()) continue;
      ++pieces[at].trials;
      pieces[at].successes += classes_.list[classes_.of[i]].good ? 1 : 0;
    }
    effects_[k] = find_effect(pieces);
    Json& axis_out = out["axis"];
    if (axis.values.empty()) {
      axis_out["edges"] = axis.edges;
    } else {
      axis_out["values"] = axis.values;
    }
    Json shares = Json::array();
    for (const PieceCount& p : pieces) {
      Json one = to_page(find_proportion(p.successes, p.trials));
      one["count"] = p.trials;
      shares.push_back(std::move(one));
    }
    out["shares"] = std::move(shares);
  }

  // Inputs with at least two pieces, most effect first.
  std::vector<std::size_t> find_mapped() const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < axes_.size(); ++k)
      if (axes_[k] && axes_[k]->size() > 1) order.push_back(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return effects_[a] > effects_[b]; });
    return order;
  }

  void choose_map_outputs(const std::vector<std::size_t>& order) {
    std::size_t cells = 0;
    for (std::size_t a = 0; a < order.size(); ++a)
      for (std::size_t b = a + 1; b < order.size(); ++b)
        cells += axes_[order[a]]->size() * axes_[order[b]]->size();
    for (std::size_t c = 0; c < table_.collected().size(); ++c)
      if (!table_.collected()[c].is_text) map_outputs_.push_back(c);
    if (cells * map_outputs_.size() > limits_.map_numbers) map_outputs_.clear();
  }

  // Two inputs, and the largest of every output in their pieces.
  struct Pair {
    std::size_t x, y;
    std::vector<double> largest;
  };
  // The piece of a case, or as many as there are where it lies in none.
  std::size_t find_cell(const Pair& pair, std::size_t i) const {
    const MapAxis &x = *axes_[pair.x], &y = *axes_[pair.y];
    const std::size_t px = pieces_[pair.x][i], py = pieces_[pair.y][i];
    return px >= x.size() || py >= y.size() ? x.size() * y.size() : py * x.size() + px;
  }

  // Each output is read once.
  void find_largest(std::vector<Pair>& pairs) const {
    const auto cells = [&](const Pair& p) { return axes_[p.x]->size() * axes_[p.y]->size(); };
    for (Pair& p : pairs) p.largest.assign(cells(p) * map_outputs_.size(), std::nan(""));
    for (std::size_t k = 0; k < map_outputs_.size(); ++k) {
      const std::vector<double> values = table_.numbers(table_.collected()[map_outputs_[k]]);
      for (Pair& p : pairs)
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::size_t at = find_cell(p, i);
          if (at == cells(p)) continue;
          double& most = p.largest[k * cells(p) + at];
          most = std::fmax(most, values[i]);
        }
    }
  }

  Json build_map(const Pair& pair) {
    const std::size_t cells = axes_[pair.x]->size() * axes_[pair.y]->size();
    std::vector<double> counts(cells * classes_.list.size());
    std::vector<PieceCount> pieces(cells);
    for (std::size_t i = 0; i < table_.cases(); ++i) {
      const std::size_t at = find_cell(pair, i);
      if (at == cells) continue;
      ++counts[classes_.of[i] * cells + at];
      ++pieces[at].trials;
      pieces[at].successes += classes_.list[classes_.of[i]].good ? 1 : 0;
    }
    std::vector<double> low, high;
    for (const PieceCount& p : pieces) {
      const Proportion share = find_proportion(p.successes, p.trials);
      low.push_back(share.low), high.push_back(share.high);
    }
    return {{"x", pair.x},
            {"y", pair.y},
            {"effect", find_effect(pieces)},
            {"counts", block_.add_floats(counts, false)},
            {"low", block_.add_floats(low, false)},
            {"high", block_.add_floats(high, false)},
            {"largest", block_.add_floats(pair.largest, false)}};
  }

  const SweepTable& table_;
  const SweepPageLimits limits_;
  NumberBlock& block_;
  const std::vector<double> good_;  // as expected: 1
  CaseClasses classes_;
  CasePoints points_;
  std::size_t numbers_ = 0;
  std::vector<std::optional<MapAxis>> axes_;  // of the inputs
  std::vector<double> effects_;
  std::vector<std::size_t> map_outputs_;           // of the collected columns
  std::vector<std::vector<std::uint8_t>> pieces_;  // of every case
};

// Cases whose own page is there: STEM_case17.html.
Json find_case_pages(const std::filesystem::path& folder, const std::string& stem,
                     std::size_t cases) {
  std::vector<std::uint64_t> found;
  const std::string before = stem + "_case", behind = ".html";
  std::error_code unreadable;
  const std::filesystem::path here = folder.empty() ? "." : folder;
  for (const auto& entry : std::filesystem::directory_iterator(here, unreadable)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(before) || !name.ends_with(behind) ||
        name.size() <= before.size() + behind.size())
      continue;
    const std::string number =
        name.substr(before.size(), name.size() - before.size() - behind.size());
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), n);
    if (error == std::errc() && end == number.data() + number.size() && n < cases &&
        std::to_string(n) == number)
      found.push_back(n);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

PageData build_sweep_page_data(const std::filesystem::path& h5, const std::filesystem::path& beside,
                               const SweepPageLimits& limits) {
  const SweepTable table(h5);
  const std::string file = h5.filename().string(), stem = h5.stem().string();
  PageData page;
  page.title = table.title.empty() ? file : table.title;
  SweepPage parts(table, limits, page.block);
  Json head;
  head["format"] = 1;
  head["kind"] = "sweep";
  head["program"] = fmt::format("berth {}", version);
  head["title"] = page.title;
  head["file"] = file;
  head["stem"] = stem;
  head["shell_file"] = quote_for_shell(file);
  head["scenario_file"] = std::filesystem::path(table.file).filename().string();
  head["written_by"] = table.version;
  head["warning"] = table.reader().warning();
  head["settings"] = table.settings;
  head["cases"] = table.cases();
  head["random"] = table.plan.is_random();
  head["samples"] = table.plan.samples;
  head["seed"] = table.plan.seed;
  head["design"] = std::string(name_of(table.plan.design));
  head["study"] = table.summary.value("study", Json());
  head["as_expected"] = parts.build_verdict();
  head["classes"] = parts.build_classes();
  head["columns"] = parts.build_columns();
  head["maps"] = parts.build_maps();
  head["map_outputs"] = parts.find_map_outputs();
  head["points"] = parts.build_points();
  head["answers"] = parts.build_answers();
  head["bands"] = build_bands(table, page.block);
  head["case_pages"] = find_case_pages(beside, stem, table.cases());
  head["scenario"] = table.scenario;
  page.head = escape_script(to_text(head));
  return page;
}

std::size_t write_sweep_page(const std::filesystem::path& h5, const std::filesystem::path& page) {
  const std::string text =
      fill_template(sweep_template(), build_sweep_page_data(h5, page.parent_path()));
  PartFile file(page);
  file.write(text);
  file.keep();
  return text.size();
}

}  // namespace berth

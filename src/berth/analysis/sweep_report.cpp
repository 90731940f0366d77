// SPDX-License-Identifier: Apache-2.0

// What a sweep says of itself: how its cases ended, how often as expected, the spread of every value.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "berth/analysis/sweep.h"
#include "berth/record/json_text.h"
#include "berth/statistics/column_statistics.h"
#include "berth/statistics/proportion.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLines = 20;           // of a table on the terminal
constexpr std::size_t kMostCasesReported = 100;  // numbers of cases that went wrong

struct ColumnStatistics : Statistics {
  std::string path;
};

// Of the columns that are numbers.
std::vector<ColumnStatistics> find_column_statistics(const SweepResult& result) {
  std::vector<ColumnStatistics> list;
  std::size_t place = 0;
  std::vector<double> values(result.results.size());
  for (const Collected& c : result.columns) {
    if (c.is_text) continue;
    const std::size_t column = place++;
    std::transform(result.results.begin(), result.results.end(), values.begin(),
                   [&](const CaseResult& r) {
                     return column < r.numbers.size() ? r.numbers[column] : std::nan("");
                   });
    list.push_back({find_statistics(values), c.path});
  }
  return list;
}

// Counts by a text of each finished case, in alphabetical order.
template <class Key>
std::map<std::string, std::uint64_t> count_by(const SweepResult& result, const Key& key) {
  std::map<std::string, std::uint64_t> counts;
  for (const CaseResult& r : result.results)
    if (!r.outcome.empty()) ++counts[key(r)];
  return counts;
}

std::vector<std::uint64_t> find_unexpected(const SweepResult& result) {
  std::vector<std::uint64_t> list;
  for (std::size_t i = 0; i < result.results.size(); ++i)
    if (!result.results[i].outcome.empty() && !result.results[i].as_expected) list.push_back(i);
  return list;
}

std::string join_counts(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, n] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name);
  return text;
}

}  // namespace

std::string describe(const Sweep& sweep, const SweepResult& result) {
  const auto outcome = [](const CaseResult& r) { return r.outcome; };
  const auto verdict = [](const CaseResult& r) { return r.verdict; };
  std::string out = sweep.title.empty() ? "" : sweep.title + "\n";
  out += fmt::format("{} of {} cases", result.finished, result.results.size());
  if (result.finished > 0) out += ": " + join_counts(count_by(result, outcome));
  out += fmt::format(" ({} taken over, {:.3g} s of computing).", result.taken_over,
                     result.wall_seconds);
  auto verdicts = count_by(result, verdict);
  verdicts.erase("");
  if (!verdicts.empty()) out += "\nVerdicts: " + join_counts(verdicts) + ".";

  const std::vector<std::uint64_t> unexpected = find_unexpected(result);
  const std::uint64_t good = result.finished - unexpected.size();
  const Proportion p = find_proportion(good, result.finished);
  out += fmt::format("\nAs expected: {} of {}, {:.4g} %", good, result.finished, 100 * p.fraction);
  if (sweep.plan.is_random())
    out += fmt::format(" (with 95 % confidence, between {:.4g} and {:.4g} %)", 100 * p.low,
                       100 * p.high);
  out += ".";
  if (!unexpected.empty()) {
    const std::size_t reported = std::min<std::size_t>(unexpected.size(), 10);
    out += fmt::format("\n  not as expected: case{} {}{}", unexpected.size() > 1 ? "s" : "",
                       fmt::join(unexpected.begin(),
                                 unexpected.begin() + static_cast<std::ptrdiff_t>(reported), ", "),
                       reported < unexpected.size() ? " …" : "");
    const std::string& why = result.results[unexpected[0]].message;
    if (!why.empty()) out += fmt::format("\n  case {}: {}", unexpected[0], why);
  }

  const std::vector<ColumnStatistics> statistics = find_column_statistics(result);
  if (!statistics.empty())
    out += fmt::format("\n  {:<32} {:>11} {:>11} {:>11} {:>11} {:>11}  of case", "", "least",
                       "median", "mean", "95 % below", "largest");
  for (std::size_t i = 0; i < std::min(statistics.size(), kMostLines); ++i) {
    const ColumnStatistics& s = statistics[i];
    if (s.count > 0)
      out += fmt::format("\n  {:<32} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g}  {}", s.path,
                         s.least, s.median, s.mean, s.high, s.largest, s.largest_case);
  }
  if (statistics.size() > kMostLines)
    out += fmt::format("\n  and {} more columns", statistics.size() - kMostLines);
  if (result.map) out += "\n" + describe(*result.map);
  if (!result.csv.empty()) out += "\n  table in " + result.csv;
  if (!result.h5.empty())
    out += fmt::format("\n  recorded in {}; berth run --case N {} replays a case", result.h5,
                       result.h5);
  return out + "\n";
}

std::string to_json(const Sweep& sweep, const SweepResult& result) {
  Json out = to_json(sweep);
  out["complete"] = result.complete();
  out["finished"] = result.finished;
  out["taken_over"] = result.taken_over;
  out["wall_seconds"] = result.wall_seconds;
  out["out"] = result.h5;
  out["csv"] = result.csv;
  out["outcomes"] = count_by(result, [](const CaseResult& r) { return r.outcome; });
  out["verdicts"] = count_by(result, [](const CaseResult& r) { return r.verdict; });
  const std::vector<std::uint64_t> unexpected = find_unexpected(result);
  const std::uint64_t good = result.finished - unexpected.size();
  const Proportion p = find_proportion(good, result.finished);
  out["as_expected"] = {
      {"count", good}, {"fraction", p.fraction}, {"low", p.low}, {"high", p.high}};
  out["not_as_expected"] = std::vector(
      unexpected.begin(), unexpected.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                   unexpected.size(), kMostCasesReported)));
  Json columns = Json::object();
  for (const ColumnStatistics& s : find_column_statistics(result)) {
    Json one = {{"count", s.count}};
    if (s.count > 0)
      one.update({{"min", s.least},
                  {"p05", s.low},
                  {"median", s.median},
                  {"p95", s.high},
                  {"p99", s.top},
                  {"mean", s.mean},
                  {"max", s.largest},
                  {"min_case", s.least_case},
                  {"max_case", s.largest_case}});
    columns[s.path] = one;
  }
  out["columns"] = columns;
  if (result.map) out["map"] = to_json(*result.map);
  return to_text(out, 2);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0

// What a sweep says of itself: how its cases ended, how often as expected, the spread of every value.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "berth/analysis/sweep.h"
#include "berth/record/json_text.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLines = 20;           // of a table on the terminal
constexpr std::size_t kMostCasesReported = 100;  // numbers of cases that went wrong

// Of the finite values of a column.
struct Statistics {
  std::string path;
  std::size_t count = 0;
  double least = 0, median = 0, mean = 0, largest = 0;
  double low = 0, high = 0, top = 0;  // 5, 95 and 99 % lie below
  std::uint64_t least_case = 0, largest_case = 0;
};

std::vector<Statistics> find_statistics(const SweepResult& result) {
  std::vector<Statistics> list;
  std::size_t place = 0;
  for (const Collected& c : result.columns) {
    if (c.is_text) continue;
    const std::size_t column = place++;
    Statistics s{.path = c.path};
    std::vector<double> values;
    double sum = 0;
    for (std::size_t i = 0; i < result.results.size(); ++i) {
      const CaseResult& r = result.results[i];
      if (column >= r.numbers.size() || !std::isfinite(r.numbers[column])) continue;
      const double x = r.numbers[column];
      if (values.empty() || x < s.least) s.least = x, s.least_case = i;
      if (values.empty() || x > s.largest) s.largest = x, s.largest_case = i;
      values.push_back(x);
      sum += x;
    }
    s.count = values.size();
    if (!values.empty()) {
      const std::size_t half = values.size() / 2;
      std::sort(values.begin(), values.end());
      s.mean = sum / static_cast<double>(values.size());
      s.median = values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
      const auto below = [&](double share) {
        const double at = share * static_cast<double>(values.size() - 1);
        return values[static_cast<std::size_t>(std::lround(at))];
      };
      s.low = below(0.05), s.high = below(0.95), s.top = below(0.99);
    }
    list.push_back(std::move(s));
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

//   p ± = (p̂ + z²/2n ± z √(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n)
// Holds its promise near 0 and 1 too, where p̂ ± z √(p̂(1−p̂)/n) has no width.
Proportion find_proportion(std::uint64_t successes, std::uint64_t trials) {
  if (trials == 0) return {0, 0, 1};
  constexpr double z = 1.959963984540054;  // 97.5 % of a normal distribution lie below
  const double n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double middle = p + z * z / (2 * n);
  const double width = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {p, successes == 0 ? 0 : (middle - width) / scale,
          successes == trials ? 1 : (middle + width) / scale};
}

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

  const std::vector<Statistics> statistics = find_statistics(result);
  if (!statistics.empty())
    out += fmt::format("\n  {:<32} {:>11} {:>11} {:>11} {:>11} {:>11}  of case", "", "least",
                       "median", "mean", "95 % below", "largest");
  for (std::size_t i = 0; i < std::min(statistics.size(), kMostLines); ++i) {
    const Statistics& s = statistics[i];
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
  for (const Statistics& s : find_statistics(result)) {
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

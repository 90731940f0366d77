// SPDX-License-Identifier: Apache-2.0

// What a sweep says of itself: how its cases ended, how often as expected, the spread of every value.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "berth/analysis/sweep.h"
#include "berth/analysis/sweep_answers.h"
#include "berth/record/json_text.h"
#include "berth/statistics/column_statistics.h"

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
  const std::vector<Collected>& columns = result.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].is_text || columns[c].width > 1) continue;
    const auto values =
        result.store->numbers(find_place(columns, c), result.range.first, result.range.last);
    list.push_back({find_statistics(values), columns[c].path});
    list.back().least_case += result.range.first;
    list.back().largest_case += result.range.first;
  }
  return list;
}

// What the texts and verdicts of all finished cases come to.
struct Counts {
  std::map<std::string, std::uint64_t> outcomes, verdicts;
  std::uint64_t good = 0;
  std::vector<std::uint64_t> unexpected;  // the first ones
  std::string why;                        // of the first of them
};
Counts count_cases(const SweepResult& result) {
  Counts out;
  result.for_each([&](std::uint64_t number, const CaseResult& r) {
    ++out.outcomes[r.outcome];
    ++out.verdicts[r.verdict];
    if (r.as_expected) {
      ++out.good;
      return;
    }
    if (out.unexpected.empty()) out.why = r.message;
    if (out.unexpected.size() < kMostCasesReported) out.unexpected.push_back(number);
  });
  return out;
}

// Nothing of a sweep that is not complete, or of one part: whose cases are not all of a sample.
std::optional<SweepAnswers> answer(const SweepResult& result) {
  if (!result.complete() || !result.store || !is_drawn(result.sweep.study) ||
      !result.sweep.part.is_whole())
    return std::nullopt;
  AnswerSource source{result.sweep.plan, result.range.first, result.range.last, {}, {}, {}};
  for (const bool is_good : result.store->find_expected(result.range.first, result.range.last))
    source.good.push_back(is_good ? 1 : 0);
  std::vector<std::size_t> places;
  const std::vector<Collected>& columns = result.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].is_text || columns[c].width > 1) continue;
    source.outputs.push_back(columns[c].path);
    places.push_back(find_place(columns, c));
  }
  source.checks =
      result.sweep.study.is_object() ? result.sweep.study.value("checks", std::uint64_t{0}) : 0;
  source.numbers = [&result, places](std::size_t c) {
    return result.store->numbers(places[c], result.range.first, result.range.last);
  };
  return find_answers(source);
}

// The share that is as expected, as its design or its stopping rule has it.
Proportion find_share(const SweepResult& result, const std::optional<SweepAnswers>& answers,
                      std::uint64_t good) {
  return answers && result.sweep.plan.is_random() ? answers->share
                                                  : find_proportion(good, result.finished);
}

std::string join_counts(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, n] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name);
  return text;
}

// The value below which 99 % lie with 95 % confidence, or nothing.
std::string describe_bound(const std::optional<SweepAnswers>& answers, const std::string& path) {
  if (!answers) return "";
  for (const OutputAnswers& o : answers->outputs)
    if (o.name == path && o.bound) return fmt::format("{:.5g}", *o.bound);
  return "";
}

std::string describe_study(const Json& study) {
  if (study.contains("probability"))
    return fmt::format(
        "\nProbability of {}: {:.3g}, between {:.3g} and {:.3g} with 95 % confidence ({} levels, "
        "{} "
        "cases{}).",
        study.at("rare").get<std::string>(), study.at("probability").get<double>(),
        study.at("low").get<double>(), study.at("high").get<double>(),
        study.at("levels").get<std::uint64_t>(), study.at("cases").get<std::uint64_t>(),
        study.at("without_failure").get<std::uint64_t>() > 0
            ? fmt::format("; {} of {} replicates found none",
                          study.at("without_failure").get<std::uint64_t>(),
                          study.at("estimates").size())
            : "");
  if (study.contains("contours")) {
    std::string out = fmt::format(
        "\nBoundary over {} and {}: {} nodes.", study.at("boundary").at(0).get<std::string>(),
        study.at("boundary").at(1).get<std::string>(), study.at("nodes").size());
    for (const Json& c : study.at("contours"))
      out += fmt::format("\n  {:g} % as expected: {} contour{}", 100 * c.at("level").get<double>(),
                         c.at("lines").size(), c.at("lines").size() == 1 ? "" : "s");
    return out;
  }
  if (!study.contains("fraction")) return "";
  const auto percent = [&](const char* key) { return 100 * study.at(key).get<double>(); };
  return fmt::format(
      "\n{}: {:.4g} %, between {:.4g} and {:.4g} % with {:.4g} % confidence however often it is "
      "checked "
      "({} checks){}.",
      study.at("until").get<std::string>(), percent("fraction"), percent("low"), percent("high"),
      percent("confidence"), study.at("checks").get<std::uint64_t>(),
      study.at("is_sure").get<bool>() ? ""
                                      : "; there were not samples enough to be as sure as wanted");
}

}  // namespace

std::string describe(const SweepResult& result) {
  const Sweep& sweep = result.sweep;
  const Counts counts = count_cases(result);
  const std::optional<SweepAnswers> answers = answer(result);
  std::string out = sweep.title.empty() ? "" : sweep.title + "\n";
  if (!sweep.part.is_whole()) out += fmt::format("part {} of {}: ", sweep.part.k, sweep.part.n);
  out += fmt::format("{} of {} cases", result.finished, result.range.size());
  if (result.finished > 0) out += ": " + join_counts(counts.outcomes);
  out += fmt::format(" ({} taken over, {:.3g} s of computing).", result.taken_over,
                     result.wall_seconds);
  auto verdicts = counts.verdicts;
  verdicts.erase("");
  if (!verdicts.empty()) out += "\nVerdicts: " + join_counts(verdicts) + ".";

  const Proportion p = find_share(result, answers, counts.good);
  out += fmt::format("\nAs expected: {} of {}, {:.4g} %", counts.good, result.finished,
                     100 * p.fraction);
  if (sweep.plan.is_random() && is_drawn(sweep.study))
    out += fmt::format(" (with 95 % confidence, between {:.4g} and {:.4g} %)", 100 * p.low,
                       100 * p.high);
  out += ".";
  out += describe_study(sweep.study);
  const std::uint64_t bad = result.finished - counts.good;
  if (bad > 0) {
    const std::size_t reported = std::min<std::size_t>(counts.unexpected.size(), 10);
    out += fmt::format(
        "\n  not as expected: case{} {}{}", bad > 1 ? "s" : "",
        fmt::join(counts.unexpected.begin(),
                  counts.unexpected.begin() + static_cast<std::ptrdiff_t>(reported), ", "),
        reported < bad ? " …" : "");
    if (!counts.why.empty())
      out += fmt::format("\n  case {}: {}", counts.unexpected[0], counts.why);
  }

  const std::vector<ColumnStatistics> statistics = find_column_statistics(result);
  if (!statistics.empty())
    out += fmt::format("\n  {:<32} {:>11} {:>11} {:>11} {:>11} {:>11}  {:<8}{}", "", "least",
                       "median", "mean", "95 % below", "largest", "of case",
                       answers && !answers->outputs.empty() ? "99/95" : "");
  for (std::size_t i = 0; i < std::min(statistics.size(), kMostLines); ++i) {
    const ColumnStatistics& s = statistics[i];
    if (s.count > 0)
      out += fmt::format("\n  {:<32} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g}  {:<8}{}",
                         s.path, s.least, s.median, s.mean, s.high, s.largest, s.largest_case,
                         describe_bound(answers, s.path));
  }
  if (statistics.size() > kMostLines)
    out += fmt::format("\n  and {} more columns", statistics.size() - kMostLines);
  if (answers && !answers->outputs.empty()) {
    if (result.range.size() < find_least_samples())
      out += fmt::format(
          "\n  99/95 (99 % of all lie below, with 95 % confidence) takes {} cases at least",
          find_least_samples());
    out += describe(*answers);
  }
  if (result.map) out += "\n" + describe(*result.map);
  if (!result.csv.empty()) out += "\n  table in " + result.csv;
  if (!result.h5.empty())
    out += fmt::format("\n  recorded in {}; berth run --case N {} replays a case", result.h5,
                       result.h5);
  return out + "\n";
}

std::string to_json(const SweepResult& result) {
  const Counts counts = count_cases(result);
  const std::optional<SweepAnswers> answers = answer(result);
  Json out = to_json(result.sweep);
  out["complete"] = result.complete();
  out["finished"] = result.finished;
  out["taken_over"] = result.taken_over;
  out["wall_seconds"] = result.wall_seconds;
  out["out"] = result.h5;
  out["csv"] = result.csv;
  out["outcomes"] = counts.outcomes;
  out["verdicts"] = counts.verdicts;
  const Proportion p = find_share(result, answers, counts.good);
  out["as_expected"] = {
      {"count", counts.good}, {"fraction", p.fraction}, {"low", p.low}, {"high", p.high}};
  out["not_as_expected"] = counts.unexpected;
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
  if (answers && !answers->outputs.empty()) out["answers"] = to_json(*answers);
  if (result.map) out["map"] = to_json(*result.map);
  return to_text(out, 2);
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_answers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/statistics/confidence_sequence.h"
#include "berth/statistics/ranks.h"
#include "berth/statistics/replicates.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostRanked = 100'000;  // cases
constexpr std::size_t kMostOutputs = 24, kMostInputLines = 8;
constexpr std::size_t kGroups = 16;  // of random draws, for the intervals of Sobol's indices

// The random keys that are numbers, by their places among the keys.
std::vector<std::size_t> list_random(const SweepPlan& plan) {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < plan.keys.size(); ++k)
    if (plan.keys[k].is_random()) list.push_back(k);
  return list;
}

// Columns of the random inputs of the first cases; empty of those that are texts.
std::vector<std::vector<double>> list_inputs(const AnswerSource& source,
                                             const std::vector<std::size_t>& keys,
                                             std::uint64_t count) {
  std::vector<std::vector<double>> columns(keys.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::vector<Cell> inputs = source.plan.inputs(source.first + i);
    for (std::size_t j = 0; j < keys.size(); ++j)
      if (!source.plan.keys[keys[j]].is_text())
        columns[j].push_back(std::get<double>(inputs[keys[j]]));
  }
  return columns;
}

std::vector<double> sort_finite(std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  std::sort(values.begin(), values.end());
  return values;
}

// A percentile whose interval comes from those of the randomisations.
Interval find_replicated_percentile(const std::vector<std::vector<double>>& groups,
                                    const std::vector<double>& all, double share) {
  std::vector<double> found;
  for (const std::vector<double>& sorted : groups)
    if (!sorted.empty()) found.push_back(find_percentile(sorted, share).value);
  Interval out{find_percentile(all, share).value, -INFINITY, INFINITY};
  if (found.size() < 2) return out;
  const Interval of = find_mean_interval(found);
  out.low = std::min(of.low, out.value);
  out.high = std::max(of.high, out.value);
  return out;
}

// Order statistics of independent draws; samples of other designs are not independent.
void add_percentiles(const SweepPlan& plan, std::uint64_t first, const std::vector<double>& values,
                     OutputAnswers& out) {
  const std::vector<double> all = sort_finite(values);
  if (all.empty()) return;
  if (plan.randomisations() == 1) {
    out.median = find_percentile(all, 0.5);
    out.p95 = find_percentile(all, 0.95);
    out.p99 = find_percentile(all, 0.99);
    out.bound = find_tolerance_bound(all);
    return;
  }
  std::vector<std::vector<double>> groups(plan.randomisations());
  for (std::size_t i = 0; i < values.size(); ++i)
    groups[plan.randomisation_of(first + i * plan.cases_per_sample())].push_back(values[i]);
  for (std::vector<double>& group : groups) group = sort_finite(std::move(group));
  out.median = find_replicated_percentile(groups, all, 0.5);
  out.p95 = find_replicated_percentile(groups, all, 0.95);
  out.p99 = find_replicated_percentile(groups, all, 0.99);
}

// Of the cases for Sobol's indices, those of A alone are draws of their own.
std::vector<double> keep_draws(const SweepPlan& plan, const std::vector<double>& values) {
  if (!plan.finds_indices) return values;
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); i += plan.cases_per_sample()) out.push_back(values[i]);
  return out;
}

// Rank correlations with the inputs, of the cases that have the number.
void add_ranks(const std::vector<double>& values, const std::vector<std::vector<double>>& inputs,
               OutputAnswers& out) {
  std::vector<bool> is_number;
  for (const double x : values) is_number.push_back(std::isfinite(x));
  const auto pick = [&](const std::vector<double>& from) {
    std::vector<double> list;
    for (std::size_t i = 0; i < from.size() && i < is_number.size(); ++i)
      if (is_number[i]) list.push_back(from[i]);
    return list;
  };
  const std::vector<double> y = pick(values);
  for (const std::vector<double>& input : inputs)
    out.ranks.push_back(input.empty() || y.size() < 4 ? Interval{NAN, NAN, NAN}
                                                      : find_rank_correlation(pick(input), y));
}

void add_answers(const AnswerSource& source, const std::vector<double>& values,
                 const std::vector<std::vector<double>>& inputs, OutputAnswers& out) {
  const std::size_t ranked = inputs.empty() ? 0 : std::min<std::size_t>(values.size(), kMostRanked);
  if (!source.plan.finds_indices) {
    add_ranks({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(ranked)}, inputs, out);
    return;
  }
  const std::size_t groups =
      source.plan.randomisations() > 1 ? source.plan.randomisations() : kGroups;
  out.sobol = find_sobol_indices(values, inputs.size(), groups);
  out.left_out = count_left_out(values, inputs.size());
}

Json to_json(const Interval& i) { return {{"value", i.value}, {"low", i.low}, {"high", i.high}}; }

std::string describe_interval(const Interval& i) {
  return fmt::format("{:.3f} ({:.3f} … {:.3f})", i.value, i.low, i.high);
}

// The inputs of an output by what they matter, the most first.
template <class Of>
std::vector<std::size_t> sort_by(std::size_t count, const Of& of) {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < count; ++j)
    if (std::isfinite(of(j))) order.push_back(j);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(of(a)) > std::abs(of(b)); });
  return order;
}

}  // namespace

Proportion find_share(const SweepPlan& plan, std::uint64_t first, std::span<const double> good,
                      std::uint64_t checks) {
  std::vector<PieceCount> pieces(plan.randomisations());
  const std::uint64_t cases = plan.cases_per_sample();  // the first of each is a draw of its own
  for (std::size_t i = 0; i < good.size(); i += cases) {
    PieceCount& piece = pieces[plan.randomisation_of(first + i)];
    ++piece.trials;
    piece.successes += good[i] == 1 ? 1 : 0;
  }
  if (pieces.size() > 1)
    return find_replicated_proportion(pieces, checks > 0 ? find_check_confidence(checks) : 0.95);
  return checks > 0 ? find_lasting_proportion(pieces[0].successes, pieces[0].trials)
                    : find_proportion(pieces[0].successes, pieces[0].trials);
}

SweepAnswers find_answers(const AnswerSource& source) {
  SweepAnswers out;
  out.share = find_share(source.plan, source.first, source.good, source.checks);
  const std::vector<std::size_t> keys = list_random(source.plan);
  if (keys.empty()) return out;
  for (const std::size_t k : keys) out.inputs.push_back(source.plan.keys[k].key);
  out.ranked = std::min<std::uint64_t>(source.good.size(), kMostRanked);
  const auto inputs = list_inputs(source, keys, source.plan.finds_indices ? 0 : out.ranked);
  out.outputs.push_back({.name = "as_expected"});
  add_answers(source, source.good, inputs, out.outputs.back());
  for (std::size_t c = 0; c < std::min(source.outputs.size(), kMostOutputs); ++c) {
    const std::vector<double> values = source.numbers(c);
    out.outputs.push_back({.name = source.outputs[c]});
    add_answers(source, values, inputs, out.outputs.back());
    add_percentiles(source.plan, source.first, keep_draws(source.plan, values), out.outputs.back());
  }
  return out;
}

std::string describe(const SweepAnswers& answers) {
  std::string out;
  for (const OutputAnswers& o : answers.outputs) {
    if (o.sobol.empty()) continue;
    out += fmt::format(
        "\n  Sobol's indices of {} (95 % intervals){}\n  {:<48} {:>24} {:>24}", o.name,
        o.left_out > 0 ? fmt::format(", {} samples without a number left out", o.left_out) : "", "",
        "first order", "total");
    for (const std::size_t j :
         sort_by(o.sobol.size(), [&](std::size_t k) { return o.sobol[k].total.value; }))
      out += fmt::format("\n  {:<48} {:>24} {:>24}", answers.inputs[j],
                         describe_interval(o.sobol[j].first), describe_interval(o.sobol[j].total));
  }
  if (answers.outputs.empty() || answers.outputs[0].ranks.empty()) return out;
  const OutputAnswers& o = answers.outputs[0];
  const auto order = sort_by(o.ranks.size(), [&](std::size_t k) { return o.ranks[k].value; });
  if (order.empty()) return out;
  out += "\n  Spearman's rank correlation with as_expected (95 % intervals)";
  for (std::size_t i = 0; i < std::min(order.size(), kMostInputLines); ++i)
    out += fmt::format("\n  {:<48} {:>24}", answers.inputs[order[i]],
                       describe_interval(o.ranks[order[i]]));
  return out;
}

Json to_json(const SweepAnswers& answers) {
  Json out = Json::object();
  out["inputs"] = answers.inputs;
  out["ranked_cases"] = answers.ranked;
  out["outputs"] = Json::object();
  for (const OutputAnswers& o : answers.outputs) {
    Json one = Json::object();
    if (o.median) {
      one["p50"] = to_json(*o.median);
      one["p95"] = to_json(*o.p95);
      one["p99"] = to_json(*o.p99);
      one["p99_95"] = o.bound ? Json(*o.bound) : Json();
    }
    if (!o.ranks.empty()) {
      one["spearman"] = Json::array();
      for (const Interval& i : o.ranks) one["spearman"].push_back(to_json(i));
    }
    if (!o.sobol.empty()) {
      one["sobol"] = Json::array();
      for (const SensitivityIndex& s : o.sobol)
        one["sobol"].push_back({{"first", to_json(s.first)}, {"total", to_json(s.total)}});
      one["left_out"] = o.left_out;
    }
    out["outputs"][o.name] = std::move(one);
  }
  return out;
}

}  // namespace berth

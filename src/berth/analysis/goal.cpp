// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/goal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace berth {
namespace {

// "p95" ↦ 0.95
std::optional<double> read_percentile(std::string_view word) {
  if (!word.starts_with('p')) return std::nullopt;
  double percent = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), percent);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return percent > 0 && percent < 100 ? std::optional(percent / 100) : std::nullopt;
}

}  // namespace

std::optional<Goal> read_goal(std::string_view text, bool maximise, const char* option,
                              Problems& problems) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  Goal goal;
  goal.maximise = maximise;
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) {
    auto criterion = read_criterion(text, option, problems);
    if (!criterion) return std::nullopt;
    goal.criterion = std::move(*criterion);
    return goal;
  }
  const std::string_view word = text.substr(0, open);
  goal.criterion.name = text.substr(open + 1, text.size() - open - 2);
  if (word == "mean") {
    goal.kind = Goal::Kind::mean;
  } else if (word == "max") {
    goal.kind = Goal::Kind::largest;
  } else if (const auto below = read_percentile(word)) {
    goal.kind = Goal::Kind::percentile;
    goal.below = *below;
  } else {
    problems.add(
        Place{0, 0, option}, "",
        fmt::format("\"{}\": there is no {}(…); write mean(…), p95(…) or max(…)", text, word));
    return std::nullopt;
  }
  return goal;
}

std::string Goal::text() const {
  switch (kind) {
    case Kind::mean: return fmt::format("mean({})", criterion.name);
    case Kind::largest: return fmt::format("max({})", criterion.name);
    case Kind::percentile: return fmt::format("p{:g}({})", 100 * below, criterion.name);
    case Kind::share: break;
  }
  return describe(criterion);
}

std::optional<GoalLimit> read_goal_limit(std::string_view text, const char* option,
                                         Problems& problems) {
  // The last sign is the constraint's: a criterion may have one of its own.
  const std::size_t sign = text.find_last_of("<>");
  double limit = 0;
  std::string_view number = sign == std::string_view::npos ? "" : text.substr(sign + 1);
  while (number.starts_with(' ') || number.starts_with('=')) number.remove_prefix(1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), limit);
  if (number.empty() || error != std::errc{} || end != number.data() + number.size()) {
    problems.add(
        Place{0, 0, option}, "",
        fmt::format("\"{}\" has no limit: write it as p95(contacts.tip.force_peak) < 400", text));
    return std::nullopt;
  }
  auto goal = read_goal(text.substr(0, sign), false, option, problems);
  if (!goal) return std::nullopt;
  return GoalLimit{std::move(*goal), text[sign] == '>', limit};
}

std::string describe(const GoalLimit& c) {
  return fmt::format("{} {} {}", c.goal.text(), c.above ? '>' : '<', c.limit);
}

double find_violation(const GoalLimit& c, double value) {
  if (std::isnan(value)) return 1e9;
  const double beyond = c.above ? c.limit - value : value - c.limit;
  return std::max(0.0, beyond / std::max(std::abs(c.limit), 1e-12));
}

GoalReader::GoalReader(const Goal& goal, const std::vector<Collected>& columns, const char* option,
                       Problems& problems)
    : goal_(goal) {
  if (goal.kind == Goal::Kind::share) {
    judge_.emplace(goal.criterion, columns, option, problems);
  } else {
    place_ = find_number_place(goal.criterion.name, columns, option, problems).value_or(0);
  }
}

double GoalReader::read(const CaseResult& result) const {
  return judge_ ? (judge_->is_met(result) ? 1 : 0) : result.numbers[place_];
}

double GoalReader::find(std::vector<double> x) const {
  std::erase_if(x, [](double one) { return !std::isfinite(one); });
  if (x.empty()) return std::nan("");
  switch (goal_.kind) {
    case Goal::Kind::largest: return *std::max_element(x.begin(), x.end());
    case Goal::Kind::percentile: {
      const auto at =
          static_cast<std::ptrdiff_t>(std::lround(goal_.below * static_cast<double>(x.size() - 1)));
      std::nth_element(x.begin(), x.begin() + at, x.end());
      return x[static_cast<std::size_t>(at)];
    }
    default: return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  }
}

}  // namespace berth

// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/design_search.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kStretch = 1u << 24;  // of draws, for one generation
constexpr double kDeviations = 3;             // within which the worst case is sought

}  // namespace

DesignSearch::DesignSearch(const Sweep& sweep, Problems& problems) : sweep_(sweep) {
  const Json& wanted = sweep.study.at("optimise");
  is_worst_ = wanted.at("worst").get<bool>();
  samples_ = wanted.at("samples").get<std::uint64_t>();
  budget_ = wanted.at("budget").get<std::uint64_t>();
  confirmation_ = wanted.at("confirm").get<std::uint64_t>();
  for (const Json& input : wanted.at("inputs")) {
    std::vector<std::size_t> places;
    for (const Json& key : input.at("keys")) {
      std::size_t k = 0;
      while (sweep.plan.keys[k].key != key.get<std::string>()) ++k;
      places.push_back(k);
    }
    keys_.push_back(std::move(places));
    low_.push_back(input.at("low").get<double>());
    high_.push_back(input.at("high").get<double>());
    start_.push_back(input.at("start").get<double>());
  }
  for (std::size_t g = 0; g < wanted.at("goals").size(); ++g)
    if (auto read = read_goal(wanted["goals"][g].get<std::string>(),
                              wanted["maximise"].at(g).get<bool>(), "--goal", problems))
      goals_.push_back(std::move(*read));
  for (const Json& text : wanted.at("constraints"))
    if (auto read = read_goal_limit(text.get<std::string>(), "--constraint", problems))
      constraints_.push_back(std::move(*read));
  searches_.push_back({1});
  if (goals_.size() == 2)
    for (const double weight : {0.0, 0.5, 0.25, 0.75}) searches_.push_back({weight});
}

// --- cases ---------------------------------------------------------------------------------------

void DesignSearch::add(std::vector<double> x, std::uint64_t count, std::uint64_t draws) {
  const std::uint64_t first = designs_.empty() ? 0 : designs_.back().first + designs_.back().count;
  designs_.push_back({std::move(x), first, count, draws});
}

std::vector<double> DesignSearch::find_values(const std::vector<double>& x) const {
  std::vector<double> out;
  if (is_worst_)
    for (const Cell& cell : find_dispersed(x)) out.push_back(std::get<double>(cell));
  for (std::size_t i = 0; i < x.size() && !is_worst_; ++i)
    out.push_back(low_[i] * (1 - x[i]) + high_[i] * x[i]);
  return out;
}

// Of the worst case the middle: no standard deviation from the nominal one.
std::vector<double> DesignSearch::find_start() const {
  std::vector<double> out(keys_.size(), 0.5);
  for (std::size_t i = 0; i < keys_.size() && !is_worst_; ++i)
    out[i] = (start_[i] - low_[i]) / (high_[i] - low_[i]);
  return out;
}

std::vector<Cell> DesignSearch::find_dispersed(const std::vector<double>& x) const {
  std::vector<double> z;
  for (const double one : x) z.push_back(kDeviations * (2 * one - 1));
  return sweep_.plan.from_normal(z);
}

std::vector<Cell> DesignSearch::inputs(std::uint64_t number) const {
  const auto behind =
      std::upper_bound(designs_.begin(), designs_.end(), number,
                       [](std::uint64_t n, const Tried& design) { return n < design.first; });
  const Tried& design = *std::prev(behind);
  if (is_worst_) return find_dispersed(design.x);
  std::vector<Cell> out = sweep_.plan.draw(design.draws + (number - design.first));
  const std::vector<double> values = find_values(design.x);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    for (const std::size_t k : keys_[i]) out[k] = values[i];
  return out;
}

std::uint64_t DesignSearch::expect() const {
  const std::uint64_t so_far = designs_.empty() ? 0 : designs_.back().first + designs_.back().count;
  return std::max(so_far, samples_ * budget_ + 2 * confirmation_);
}

// --- designs -------------------------------------------------------------------------------------

void DesignSearch::judge(const CaseStore& done, Problems& problems) {
  std::vector<GoalReader> readers;
  for (const Goal& goal : goals_) readers.emplace_back(goal, done.columns(), "--goal", problems);
  for (const GoalLimit& c : constraints_)
    readers.emplace_back(c.goal, done.columns(), "--constraint", problems);
  if (known_ == 0)
    for (const Goal& goal : goals_)
      if (goal.kind == Goal::Kind::share)
        check_word(goal.criterion, done, {0, designs_.back().first + designs_.back().count},
                   goal.maximise ? "--maximise" : "--minimise", problems);
  if (!problems.empty()) return;
  for (; known_ < designs_.size(); ++known_) {
    Tried& design = designs_[known_];
    std::vector<std::vector<double>> contributions(readers.size());
    done.for_each(design.first, design.first + design.count,
                  [&](std::uint64_t, const CaseResult& result) {
                    for (std::size_t r = 0; r < readers.size(); ++r)
                      contributions[r].push_back(readers[r].read(result));
                  });
    for (std::size_t r = 0; r < readers.size(); ++r) {
      const double value = readers[r].find(std::move(contributions[r]));
      if (r < goals_.size()) {
        design.values.push_back(value);
      } else {
        design.violation += find_violation(constraints_[r - goals_.size()], value);
      }
    }
  }
}

// As something to be made small.
double DesignSearch::find_signed(const Tried& design, std::size_t goal) const {
  return goals_[goal].maximise ? -design.values[goal] : design.values[goal];
}

double DesignSearch::find_scalar(const Tried& design) const {
  const double weight = searches_[search_].weight;
  if (goals_.size() == 1 || weight == 1) return find_signed(design, 0);
  if (weight == 0) return find_signed(design, 1);
  // What the searches for each goal alone have met.
  ChebyshevOptions options{.weight = weight};
  for (std::size_t g = 0; g < 2; ++g) {
    double least = INFINITY, largest = -INFINITY;
    for (const Tried& d : designs_) {
      if (d.values.empty() || !std::isfinite(d.values[g])) continue;
      least = std::min(least, find_signed(d, g));
      largest = std::max(largest, find_signed(d, g));
    }
    options.ideal[g] = least;
    options.scale[g] = largest > least ? largest - least : 1;
  }
  return find_chebyshev({find_signed(design, 0), find_signed(design, 1)}, options);
}

void DesignSearch::record_answers() {
  CmaEs& method = *searches_[search_].method;
  const std::size_t count = method.ask().size();
  std::vector<CmaAnswer> answers;
  for (std::size_t i = designs_.size() - count; i < designs_.size(); ++i)
    answers.push_back({find_scalar(designs_[i]), designs_[i].violation});
  const std::size_t before = method.history().size();
  method.record(answers);
  why_ = method.why();
  for (std::size_t i = before; i < method.history().size(); ++i) {
    const CmaGeneration& g = method.history()[i];
    const double sign = goals_[searches_[search_].weight == 0 ? 1 : 0].maximise ? -1 : 1;
    const bool is_one = searches_[search_].weight == 0 || searches_[search_].weight == 1;
    history_.push_back({{"search", search_},
                        {"run", g.run},
                        {"generation", history_.size()},
                        {"evaluations", designs_.size()},
                        {"best", is_one ? sign * g.best_value : g.best_value},
                        {"median", is_one ? sign * g.median_value : g.median_value},
                        {"spread", g.spread},
                        {"mean", find_values(g.mean)}});
  }
}

// Adds the designs that the present search asks for; false when it and all others are done.
bool DesignSearch::ask_search() {
  for (; search_ < searches_.size(); ++search_) {
    std::optional<CmaEs>& method = searches_[search_].method;
    if (!method) {
      std::vector<double> start = find_start();
      for (double& x : start) x = std::clamp(x, 0.0, 1.0);
      method.emplace(CmaOptions{.inputs = static_cast<std::uint32_t>(keys_.size()),
                                .budget = std::max<std::uint64_t>(budget_ / searches_.size(), 8),
                                .seed = sweep_.plan.seed + search_,
                                .start = start,
                                .tolerance = 5e-3,
                                .is_noisy = false});
    }
    if (method->is_done()) continue;
    ++generation_;
    for (const CmaTrial& trial : method->ask())
      add(trial.x, is_worst_ ? 1 : samples_, generation_ * kStretch);
    return true;
  }
  return false;
}

// The design it started from and the best one, by draws that no other has seen.
void DesignSearch::ask_confirmation() {
  is_confirming_ = true;
  const std::uint64_t count = is_worst_ ? 1 : confirmation_;
  std::vector<double> best = searches_[0].method->best();
  if (is_worst_) {  // nothing is random in it: the largest that was met is the answer
    const auto worst =
        std::min_element(designs_.begin(), designs_.end(), [&](const Tried& a, const Tried& b) {
          return std::isnan(b.values[0]) || find_signed(a, 0) < find_signed(b, 0);
        });
    best = worst->x;
  }
  add(find_start(), count, 0);
  add(best, count, 0);
}

std::optional<CaseRange> DesignSearch::next(const CaseStore* done, Problems& problems) {
  const std::size_t first = designs_.size();
  if (done) {
    judge(*done, problems);
    if (!problems.empty() || is_confirming_) return std::nullopt;
    record_answers();
  }
  if (!ask_search()) ask_confirmation();
  return CaseRange{designs_[first].first, designs_.back().first + designs_.back().count};
}

// --- what was found ------------------------------------------------------------------------------

Json DesignSearch::to_json(const Tried& design) const {
  return {{"x", find_values(design.x)},
          {"values", design.values},
          {"violation", design.violation},
          {"samples", design.count},
          {"first_case", design.first}};
}

void DesignSearch::conclude(Sweep& sweep) const {
  Json& study = sweep.study;
  const std::size_t searched = designs_.size() - 2;
  study["start"] = to_json(designs_[searched]);
  study["best"] = to_json(designs_[searched + 1]);
  study["why"] = why_;
  study["history"] = history_;
  study["designs"] = Json::array();
  for (std::size_t i = 0; i < searched; ++i) study["designs"].push_back(to_json(designs_[i]));
  study["front"] = Json::array();
  if (goals_.size() == 2) {
    std::vector<TwoGoals> results;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < searched; ++i) {
      if (designs_[i].violation > 0) continue;
      results.push_back({find_signed(designs_[i], 0), find_signed(designs_[i], 1)});
      places.push_back(i);
    }
    for (const std::size_t i : find_front(results)) study["front"].push_back(places[i]);
  }
  study["cases"] = designs_.back().first + designs_.back().count;
}

}  // namespace berth

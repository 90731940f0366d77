// SPDX-License-Identifier: Apache-2.0
#include "berth/search/cma_es.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "berth/math/philox.h"

namespace berth {

namespace {

constexpr double kLargestSpread = 0.5;  // of an input in 0 … 1
constexpr double kSmoothing = 0.3;      // of the rank noise
constexpr double kLevelUp = 0.5, kLevelDown = 0.15;
constexpr std::uint32_t kStartDraws =
    1u << 20;  // counters of random starts lie beyond those of samples

void check_options(const CmaOptions& o) {
  const auto require = [](bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(std::string("CMA-ES: ") + rule);
  };
  require(o.inputs >= 1 && o.inputs <= 1000, "1 … 1000 inputs");
  require(o.start.empty() || o.start.size() == o.inputs, "a start with all inputs, or none");
  for (const double x : o.start) require(x >= 0 && x <= 1, "a start in 0 … 1");
  require(o.step > 0 && o.step <= kLargestSpread, "a step in (0, 0.5]");
  require(o.tolerance >= 0, "a tolerance that is not negative");
  require(o.population == 0 || o.population >= 4, "a population of at least 4");
  require(o.most_repetitions_level <= 40, "most_repetitions_level up to 40");
  require(o.judgements >= 1, "at least one judgement");
}

std::uint32_t find_population(const CmaOptions& o) {
  if (o.population > 0) return o.population;
  return 4 + static_cast<std::uint32_t>(3 * log(static_cast<double>(o.inputs)));
}

std::vector<double> find_start(const CmaOptions& o) {
  return o.start.empty() ? std::vector<double>(o.inputs, 0.5) : o.start;
}

// (1)
std::vector<double> reflect(std::vector<double> x) {
  for (double& t : x) {
    t -= 2 * std::floor(t / 2);
    if (t > 1) t = 2 - t;
  }
  return x;
}

std::size_t find_twice(std::size_t population, bool is_noisy) {
  return is_noisy ? std::clamp<std::size_t>((population + 4) / 5, 2, 20) : 0;
}

CmaAnswer find_mean(std::span<const CmaAnswer> answers) {
  CmaAnswer mean;
  for (const CmaAnswer& a : answers) mean.value += a.value, mean.violation += a.violation;
  const double count = static_cast<double>(answers.size());
  return {mean.value / count, mean.violation / count};
}

RankScore score_of(const CmaAnswer& a) { return {a.value, a.violation}; }

// Of finite values, at least one.
double find_median_value(std::vector<double> values) {
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), values.begin() + half, values.end());
  return values[static_cast<std::size_t>(half)];
}

// Whether a's mean ranks before b's, by more than two standard errors where both are feasible.
bool is_better(std::span<const CmaAnswer> a, std::span<const CmaAnswer> b) {
  const CmaAnswer mean_a = find_mean(a), mean_b = find_mean(b);
  if (!(score_of(mean_a) < score_of(mean_b))) return false;
  if (mean_b.violation > 0 || std::isnan(mean_b.value)) return true;
  double squares = 0;
  for (const CmaAnswer& x : a) squares += (x.value - mean_a.value) * (x.value - mean_a.value);
  for (const CmaAnswer& x : b) squares += (x.value - mean_b.value) * (x.value - mean_b.value);
  const double count = static_cast<double>(a.size());
  return mean_b.value - mean_a.value > 2 * std::sqrt(squares / (count * std::max(1.0, count - 1)));
}

}  // namespace

CmaEs::CmaEs(const CmaOptions& options)
    : options_((check_options(options), options)),
      population_(find_population(options)),
      distribution_(find_start(options), options.step, population_) {
  begin_run();
}

std::uint32_t CmaEs::level() const { return static_cast<std::uint32_t>(fine_level_); }

std::uint64_t CmaEs::find_generation_cost(std::uint32_t population, std::uint32_t at_level) const {
  return (population + find_twice(population, options_.is_noisy)) << at_level;
}

// The mean, that of feasible points, and the best of the runs before.
std::uint64_t CmaEs::find_judgement_cost(std::uint32_t at_level) const {
  return std::uint64_t{3} * options_.judgements << at_level;
}

void CmaEs::add_trial(const std::vector<double>& x) {
  trials_.push_back({reflect(x), level(), asked_++});
}

void CmaEs::begin_run() {
  fine_level_ = rank_noise_ = 0;
  held_.clear();
  is_held_ = false;
  first_of_run_ = history_.size();
  ask_generation();
}

void CmaEs::ask_generation() {
  phase_ = Phase::generation;
  trials_.clear();
  samples_.clear();
  std::vector<double> z(options_.inputs);
  for (std::uint32_t i = 0; i < population_; ++i, ++drawn_) {
    for (std::uint32_t k = 0; k < options_.inputs; ++k)
      z[k] = find_normal(options_.seed, drawn_, k);
    samples_.push_back(distribution_.find_sample(z));
    add_trial(samples_.back());
  }
  const std::size_t twice = find_twice(population_, options_.is_noisy);
  for (std::size_t i = 0; i < twice; ++i) add_trial(samples_[i]);
}

void CmaEs::record(std::span<const CmaAnswer> answers) {
  if (answers.size() != trials_.size())
    throw std::invalid_argument("CMA-ES: " + std::to_string(answers.size()) + " answers for " +
                                std::to_string(trials_.size()) + " trials");
  if (is_done()) return;
  for (const CmaTrial& t : trials_) evaluations_ += std::uint64_t{1} << t.repetitions_level;
  if (phase_ == Phase::judgement) return record_judgement(answers);
  record_generation(answers);
  follow_noise();
  why_ = find_reason_to_stop();
  if (why_.empty())
    ask_generation();
  else
    ask_judgement();
}

void CmaEs::record_generation(std::span<const CmaAnswer> answers) {
  // What was evaluated twice shows the noise, and is ranked by its mean.
  std::vector<CmaAnswer> of(answers.begin(), answers.begin() + population_);
  std::vector<RankScore> first, second, scores;
  for (const CmaAnswer& a : of) first.push_back(score_of(a));
  for (std::size_t i = 0; i + population_ < answers.size(); ++i) {
    const CmaAnswer both[] = {of[i], answers[population_ + i]};
    second.push_back(score_of(both[1]));
    of[i] = find_mean(both);
  }
  for (const CmaAnswer& a : of) scores.push_back(score_of(a));

  std::vector<std::size_t> order(population_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  std::vector<std::vector<double>> ranked;
  is_feasible_.clear();
  for (const std::size_t i : order) {
    ranked.push_back(std::move(samples_[i]));
    is_feasible_.push_back(!(scores[i].violation > 0));
  }
  samples_ = std::move(ranked);
  const std::uint32_t asked_level = level();
  distribution_.update(samples_);
  if (options_.is_noisy) adapt_repetitions(find_rank_noise(first, second));
  if (distribution_.spread() > kLargestSpread)
    distribution_.scale_step(kLargestSpread / distribution_.spread());
  highest_level_ = std::max(highest_level_, asked_level);
  history_.push_back({run_, population_, asked_level, of[order[0]].value,
                      of[order[population_ / 2]].value, reflect(distribution_.mean()),
                      distribution_.step(), distribution_.spread(), rank_noise_, evaluations_});
}

// (2)
void CmaEs::adapt_repetitions(double rank_noise) {
  rank_noise_ += kSmoothing * (rank_noise - rank_noise_);
  const double most = options_.most_repetitions_level;
  if (rank_noise_ <= 0) {
    fine_level_ = std::max(0.0, fine_level_ - kLevelDown);
    return;
  }
  if (fine_level_ < most) {
    fine_level_ = std::min(most, fine_level_ + kLevelUp);
    return;
  }
  distribution_.scale_step(1 + 2 / (static_cast<double>(options_.inputs) + 10));
  is_held_ = true;
}

// Generations at which the step size was held up are gathered; when they are many and their values no
// longer fall, the noise has won. While they do fall, a new window begins.
void CmaEs::follow_noise() {
  if (!is_held_) return;
  is_held_ = false;
  held_.push_back({distribution_.mean(), history_.back().median_value});
  if (held_.size() < 2 * find_half_window()) return;
  if (is_falling()) held_.clear();
}

std::size_t CmaEs::find_half_window() const { return 10 + 5 * options_.inputs / population_; }

bool CmaEs::is_falling() const {
  const std::size_t half = held_.size() / 2;
  double mean[2] = {0, 0}, squares = 0;
  const double count = static_cast<double>(half);
  for (std::size_t i = 0; i < 2 * half; ++i) mean[i / half] += held_[i].value / count;
  for (std::size_t i = 0; i < 2 * half; ++i)
    squares += (held_[i].value - mean[i / half]) * (held_[i].value - mean[i / half]);
  return mean[0] - mean[1] > std::sqrt(squares) / count;  // the standard error of the difference
}

// The mean of the distribution; of its means, once the noise has won.
std::vector<double> CmaEs::find_answer() const {
  if (held_.size() < find_half_window()) return distribution_.mean();
  std::vector<double> mean(options_.inputs);
  for (const Held& h : held_)
    for (std::size_t k = 0; k < mean.size(); ++k)
      mean[k] += h.mean[k] / static_cast<double>(held_.size());
  return mean;
}

std::string_view CmaEs::find_reason_to_stop() const {
  const std::uint64_t next = find_generation_cost(population_, level()) +
                             find_judgement_cost(std::max(level(), highest_level_));
  if (evaluations_ + next > options_.budget) return "budget of evaluations";
  if (distribution_.spread() < options_.tolerance) return "step size below tolerance";
  if (held_.size() >= 2 * find_half_window()) return "noise at the highest level of repetitions";
  if (is_stagnant()) return "stagnation";
  return {};
}

// The median value of late generations is no better than that of early ones of a long window.
bool CmaEs::is_stagnant() const {
  const std::size_t window = 120 + 30 * options_.inputs / population_;
  if (history_.size() - first_of_run_ < window) return false;
  const auto median = [&](std::size_t from, std::size_t to) {
    std::vector<double> values;
    for (std::size_t i = from; i < to; ++i)
      if (std::isfinite(history_[i].median_value)) values.push_back(history_[i].median_value);
    return values.empty() ? 0 : find_median_value(std::move(values));
  };
  const std::size_t end = history_.size(), third = window * 3 / 10;
  return median(end - third, end) >= median(end - window, end - window + third);
}

// Of the points of the last generation that hold all constraints; empty when none or all do.
std::vector<double> CmaEs::find_feasible_mean() const {
  std::vector<double> mean(options_.inputs);
  double count = 0;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    if (!is_feasible_[i]) continue;
    ++count;
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += samples_[i][k];
  }
  if (count == 0 || count == static_cast<double>(samples_.size())) return {};
  for (double& x : mean) x /= count;
  return mean;
}

void CmaEs::ask_judgement() {
  phase_ = Phase::judgement;
  trials_.clear();
  candidates_.clear();
  fine_level_ = highest_level_;
  if (!best_.empty()) candidates_.push_back(best_);
  candidates_.push_back(reflect(find_answer()));
  if (const auto inside = find_feasible_mean(); !inside.empty())
    candidates_.push_back(reflect(inside));
  for (const std::vector<double>& x : candidates_)
    for (std::uint32_t i = 0; i < options_.judgements; ++i) add_trial(x);
}

// The first candidate, best of the runs before, gives way to what is better beyond the noise: by two
// standard errors of the difference.
void CmaEs::record_judgement(std::span<const CmaAnswer> answers) {
  const std::size_t each = options_.judgements;
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    if (is_better(answers.subspan(i * each, each), answers.subspan(chosen * each, each)))
      chosen = i;
  best_ = candidates_[chosen];
  best_answer_ = find_mean(answers.subspan(chosen * each, each));
  // Another run, if the budget allows for ten generations of it at least.
  const std::uint32_t doubled = 2 * population_;
  const std::uint64_t least =
      10 * find_generation_cost(doubled, 0) + find_judgement_cost(highest_level_);
  trials_.clear();
  if (run_ >= options_.most_restarts || evaluations_ + least > options_.budget) return;
  ++run_;
  population_ = doubled;
  std::vector<double> start(options_.inputs);
  for (std::uint32_t k = 0; k < options_.inputs; ++k)
    start[k] = find_uniform(options_.seed, run_, kStartDraws + k);
  distribution_ = CmaDistribution(std::move(start), options_.step, population_);
  begin_run();
}

std::vector<double> CmaEs::best() const {
  return best_.empty() ? reflect(distribution_.mean()) : best_;
}

}  // namespace berth

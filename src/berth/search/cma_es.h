// SPDX-License-Identifier: Apache-2.0
#pragma once

// CMA-ES — the least value of a noisy function of 1 … 40 inputs, without slopes.
//
//   generation   λ points of a normal distribution, ranked; the better half moves it (cma_distribution.h)
//   bounds       inputs lie in 0 … 1; beyond, x is reflected: its distance to the nearest even number (1)
//   constraints  feasible points are ranked by value, the others after them by total violation
//   noise        a fifth of the points is evaluated twice; where ranks change too much (rank_noise.h), the
//                next generation is asked for at a higher level: level L means 2ᴸ times the Monte Carlo
//                samples of level 0. At the highest level the step size is held up instead           (2)
//   answer       the mean of the distribution, not the luckiest sample; while (2) holds, the average of
//                the means. Where the mean is infeasible, the mean of the feasible points if it is better
//   restarts     with twice the population, from a random start, while the budget lasts (IPOP). The answers
//                of two runs are compared by evaluating both again
//
//   CmaEs search({.inputs = 3, .budget = 20000, .seed = 7});
//   while (!search.is_done()) search.record(evaluate(search.ask()));     // any number of cores
//   search.best()
//
// Everything follows from the options and the recorded answers.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "berth/search/cma_distribution.h"
#include "berth/search/rank_noise.h"

namespace berth {

// A point to be evaluated.
struct CmaTrial {
  std::vector<double> x;                // each input in 0 … 1
  std::uint32_t repetitions_level = 0;  // 2 to this power times the samples of level 0
  std::uint64_t number = 0;  // of this trial: seed of its random numbers, if they shall be fresh
};

struct CmaAnswer {
  double value = 0;      // to be made small; NaN ranks last
  double violation = 0;  // of all constraints together, 0 when they hold
};

struct CmaOptions {
  std::uint32_t inputs = 1;
  std::uint64_t budget = 100000;  // trials, one of level L counted as 2ᴸ
  std::uint64_t seed = 1;
  std::vector<double> start = {};  // in 0 … 1; empty: the middle
  double step = 0.3;               // standard deviation at the start
  double tolerance = 1e-4;         // a run ends when no input has a larger standard deviation
  std::uint32_t population = 0;    // λ; 0: 4 + 3 ln(inputs)
  bool is_noisy = true;            // false: nothing is evaluated twice
  std::uint32_t most_repetitions_level = 10;
  std::uint32_t most_restarts = 9;
  std::uint32_t judgements = 8;  // evaluations of an answer when two are compared
};

// What a generation came to.
struct CmaGeneration {
  std::uint32_t run;  // 0, 1 after the first restart …
  std::uint32_t population;
  std::uint32_t repetitions_level;
  double best_value;  // as evaluated: of the highest rank
  double median_value;
  std::vector<double> mean;   // after it
  double step, spread;        // σ, and the largest standard deviation of an input
  double rank_noise;          // smoothed; positive: ranks cannot be trusted
  std::uint64_t evaluations;  // so far, in units of the budget
};

class CmaEs {
 public:
  // Throws std::invalid_argument when the options make no sense.
  explicit CmaEs(const CmaOptions& options);

  const std::vector<CmaTrial>& ask() const { return trials_; }  // none when the search is done
  // In the order of the trials. Throws if they are not as many.
  void record(std::span<const CmaAnswer> answers);
  bool is_done() const { return trials_.empty(); }
  // Why the last run ended; empty before.
  std::string_view why() const { return why_; }

  // The answer, and its value and violation as means of the evaluations that judged it. Before the first
  // run has ended: the mean of the distribution, not evaluated.
  std::vector<double> best() const;
  std::optional<CmaAnswer> best_answer() const { return best_answer_; }
  const std::vector<CmaGeneration>& history() const { return history_; }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  enum class Phase { generation, judgement };
  // A generation whose step size was held up against the noise.
  struct Held {
    std::vector<double> mean;
    double value;  // the median of the generation
  };
  void begin_run();
  void ask_generation();
  void record_generation(std::span<const CmaAnswer> answers);
  void adapt_repetitions(double rank_noise);
  void follow_noise();
  bool is_falling() const;
  std::size_t find_half_window() const;
  std::vector<double> find_answer() const;
  std::string_view find_reason_to_stop() const;
  bool is_stagnant() const;
  void ask_judgement();
  void record_judgement(std::span<const CmaAnswer> answers);
  void add_trial(const std::vector<double>& x);
  std::vector<double> find_feasible_mean() const;
  std::uint32_t level() const;
  std::uint64_t find_generation_cost(std::uint32_t population, std::uint32_t at_level) const;
  std::uint64_t find_judgement_cost(std::uint32_t at_level) const;

  CmaOptions options_;
  std::uint32_t run_ = 0, population_;
  CmaDistribution distribution_;
  Phase phase_ = Phase::generation;
  std::vector<CmaTrial> trials_;              // being evaluated
  std::vector<std::vector<double>> samples_;  // of the generation, not reflected; then best first
  std::vector<bool> is_feasible_;             // of these
  std::uint64_t drawn_ = 0, asked_ = 0, evaluations_ = 0;
  double fine_level_ = 0, rank_noise_ = 0;  // the level is the integer below
  std::uint32_t highest_level_ = 0;         // of all runs; answers are judged at it
  bool is_held_ = false;                    // the step size has just been held up
  std::vector<Held> held_;
  std::size_t first_of_run_ = 0;  // in the history
  std::string_view why_;
  std::vector<std::vector<double>> candidates_;
  std::vector<double> best_;
  std::optional<CmaAnswer> best_answer_;
  std::vector<CmaGeneration> history_;
};

}  // namespace berth

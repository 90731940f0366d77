// SPDX-License-Identifier: Apache-2.0

// CMA-ES on functions whose optimum is known, with noise whose deviation falls as the square root of the
// repetitions. Ranges are those between 5 and 95 % of values at random points of the box.

#include "berth/search/cma_es.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "berth/math/philox.h"
#include "tests/search/seeds.h"

namespace berth::cma_es_test {
namespace {

using Inputs = std::vector<double>;
using Function = std::function<CmaAnswer(const Inputs&)>;

// Where the optima lie, in no pattern that the method could profit from.
double optimum(std::size_t k) { return 0.3 + 0.4 * static_cast<double>((7 * k) % 10) / 9; }
Inputs optima(std::size_t n) {
  Inputs x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = optimum(k);
  return x;
}

CmaAnswer sphere(const Inputs& x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - optimum(k)) * (x[k] - optimum(k));
  return {sum, 0};
}
CmaAnswer ellipsoid(const Inputs& x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(x.size() - 1);
    sum += pow(1e4, share) * (x[k] - optimum(k)) * (x[k] - optimum(k));
  }
  return {sum, 0};
}
CmaAnswer rosenbrock(const Inputs& x) {  // over −2 … 2, optimum at 1: 0.75 of the box
  double sum = 0;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const double a = 4 * x[k] - 2, b = 4 * x[k + 1] - 2;
    sum += 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a);
  }
  return {sum, 0};
}
CmaAnswer rastrigin(const Inputs& x) {  // over a width of 10.24
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double y = 10.24 * (x[k] - optimum(k));
    sum += y * y + 10 - 10 * cos(2 * 3.14159265358979 * y);
  }
  return {sum, 0};
}
// The point of x + y + z ≥ 1.5 that is nearest to (0.2, 0.2, 0.2): (0.5, 0.5, 0.5), value 0.27.
CmaAnswer constrained(const Inputs& x) {
  double squares = 0, sum = 0;
  for (const double t : x) squares += (t - 0.2) * (t - 0.2), sum += t;
  return {squares, std::max(0.0, 1.5 - sum)};
}

std::vector<CmaAnswer> evaluate(const CmaEs& search, const Function& f, double noise,
                                std::uint64_t seed) {
  std::vector<CmaAnswer> answers;
  for (const CmaTrial& t : search.ask()) {
    CmaAnswer a = f(t.x);
    a.value += noise * find_normal(1000 + seed, t.number, 0) /
               std::sqrt(std::ldexp(1.0, static_cast<int>(t.repetitions_level)));
    answers.push_back(a);
  }
  return answers;
}

CmaEs run(const CmaOptions& options, const Function& f, double noise = 0) {
  CmaEs search(options);
  while (!search.is_done()) {
    for (const CmaTrial& t : search.ask())
      for (const double x : t.x) EXPECT_TRUE(x >= 0 && x <= 1);
    search.record(evaluate(search, f, noise, options.seed));
  }
  EXPECT_LE(search.evaluations(), options.budget);
  return search;
}

double find_distance(const Inputs& a, const Inputs& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

double find_range(const Function& f, std::uint32_t inputs) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Inputs x(inputs);
    for (std::uint32_t k = 0; k < inputs; ++k) x[k] = find_uniform(5, i, k);
    values.push_back(f(x).value);
  }
  std::sort(values.begin(), values.end());
  return values[950] - values[50];
}

// Runs of several seeds that end within the distance of the optimum, or the share of the range of its
// value.
struct Goal {
  Inputs optimum;
  double noise;  // of the range
  double distance = 1, value = 1;
  int seeds = 3;
};
void expect_found(CmaOptions options, const Function& f, const Goal& goal) {
  const double range = find_range(f, options.inputs);
  const int seeds = test::seeds(goal.seeds);
  int found = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    const Inputs best = run(options, f, goal.noise * range).best();
    found += find_distance(best, goal.optimum) <= goal.distance &&
             f(best).value - f(goal.optimum).value <= goal.value * range &&
             !(f(best).violation > 0);
  }
  EXPECT_GE(found, seeds - seeds / 10) << "of " << seeds;
}

TEST(CmaEs, FindsOptimaWithoutNoise) {
  const CmaOptions options{.budget = 100000, .most_restarts = 0};
  const auto with = [&](std::uint32_t inputs) {
    CmaOptions o = options;
    o.inputs = inputs;
    return o;
  };
  expect_found(with(1), sphere, {optima(1), 0, 1e-3});
  expect_found(with(5), sphere, {optima(5), 0, 1e-3});
  expect_found(with(10), ellipsoid, {optima(10), 0, 1e-3});
  expect_found(with(6), rosenbrock, {Inputs(6, 0.75), 0, 1e-3});
  CmaOptions rough = with(40);
  rough.tolerance = 0.01;
  expect_found(rough, sphere, {.optimum = optima(40), .noise = 0, .distance = 0.03, .seeds = 1});
}

TEST(CmaEs, FindsTheOptimumOfASphereUnderNoise) {
  const CmaOptions options{.inputs = 5, .budget = 1000000, .most_restarts = 0};
  expect_found(options, sphere, {optima(5), 0.01, 0.02});
  expect_found(options, sphere, {optima(5), 0.1, 0.021});
}

// The shallow axes of the ellipsoid and the floor of the valley lie far below the noise, whatever the
// method: with a thousand repetitions at most, the value is near the optimum but the place is not.
// With as many as it takes, the place is.
TEST(CmaEs, FindsOptimaOfBadlyScaledFunctionsUnderNoise) {
  const CmaOptions few{.budget = 3000000, .most_restarts = 0};
  const CmaOptions many{
      .budget = 100000000000000, .most_repetitions_level = 34, .most_restarts = 0};
  const auto with = [](CmaOptions o, std::uint32_t inputs) {
    o.inputs = inputs;
    return o;
  };
  expect_found(with(few, 10), ellipsoid, {.optimum = optima(10), .noise = 0.01, .value = 1e-3});
  expect_found(with(few, 6), rosenbrock,
               {.optimum = Inputs(6, 0.75), .noise = 0.01, .value = 2e-3});
  expect_found(with(many, 10), ellipsoid, {optima(10), 0.01, 0.02, 1, 2});
  expect_found(with(many, 6), rosenbrock, {Inputs(6, 0.75), 0.01, 0.02, 1, 2});
}

// Local minima everywhere: the population must grow until it sees the whole.
TEST(CmaEs, FindsTheLowestOfManyMinimaByRestarts) {
  const CmaOptions options{.inputs = 5,
                           .budget = 1000000,
                           .tolerance = 0.005,
                           .most_repetitions_level = 8,
                           .most_restarts = 6};
  expect_found(options, rastrigin, {optima(5), 0.01, 0.02, 1, 2});
}

TEST(CmaEs, FindsAnOptimumOnAConstraint) {
  CmaOptions options{.inputs = 3, .budget = 1000000, .most_restarts = 0};
  expect_found(options, constrained, {Inputs(3, 0.5), 0, 2e-3});
  options.most_restarts = 9;
  expect_found(options, constrained, {Inputs(3, 0.5), 0.01, 0.02, 2e-3});
}

TEST(CmaEs, FindsAnOptimumInACorner) {
  const Function slope = [](const Inputs& x) { return CmaAnswer{x[0] + 2 * x[1] - x[2], 0}; };
  expect_found({.inputs = 3, .budget = 20000, .most_restarts = 0}, slope, {{0, 0, 1}, 0, 1e-3});
}

TEST(CmaEs, FollowsFromSeedAndAnswersAlone) {
  const CmaOptions options{.inputs = 3, .budget = 20000, .seed = 4};
  CmaEs first(options);
  std::vector<std::vector<CmaAnswer>> recorded;
  while (!first.is_done()) {
    recorded.push_back(evaluate(first, rosenbrock, 5, 4));
    first.record(recorded.back());
  }
  CmaEs again(options);
  for (const auto& answers : recorded) again.record(answers);
  EXPECT_TRUE(again.is_done());
  EXPECT_EQ(again.best(), first.best());
  EXPECT_EQ(again.evaluations(), first.evaluations());
  ASSERT_EQ(again.history().size(), first.history().size());
  for (std::size_t i = 0; i < first.history().size(); ++i) {
    EXPECT_EQ(again.history()[i].mean, first.history()[i].mean);
    EXPECT_EQ(again.history()[i].step, first.history()[i].step);
  }
  CmaOptions other = options;
  other.seed = 5;
  EXPECT_NE(CmaEs(other).ask()[0].x, CmaEs(options).ask()[0].x);
}

TEST(CmaEs, RaisesRepetitionsOnlyUnderNoise) {
  const CmaOptions options{.inputs = 5, .budget = 200000, .most_restarts = 0};
  const CmaEs quiet = run(options, sphere);
  for (const CmaGeneration& g : quiet.history()) EXPECT_EQ(g.repetitions_level, 0u);
  const CmaEs noisy = run(options, sphere, 0.05);
  std::uint32_t highest = 0;
  for (const CmaGeneration& g : noisy.history()) highest = std::max(highest, g.repetitions_level);
  EXPECT_GT(highest, 5u);
  EXPECT_EQ(noisy.history()[0].repetitions_level, 0u);
  // No two trials have the same number, twice evaluated points neither.
  CmaEs search(options);
  ASSERT_EQ(search.ask().size(), 10u);
  EXPECT_EQ(search.ask()[8].x, search.ask()[0].x);
  EXPECT_NE(search.ask()[8].number, search.ask()[0].number);
}

TEST(CmaEs, SaysWhyItEnded) {
  EXPECT_EQ(run({.inputs = 2, .most_restarts = 0}, sphere).why(), "step size below tolerance");
  EXPECT_EQ(run({.inputs = 5, .budget = 300}, sphere).why(), "budget of evaluations");
  EXPECT_EQ(run({.inputs = 2, .most_repetitions_level = 2, .most_restarts = 0}, sphere, 0.1).why(),
            "noise at the highest level of repetitions");
  const Function flat = [](const Inputs&) { return CmaAnswer{1, 0}; };
  EXPECT_EQ(run({.inputs = 2, .tolerance = 0, .is_noisy = false, .most_restarts = 0}, flat).why(),
            "stagnation");
}

TEST(CmaEs, RestartsWithTwiceThePopulation) {
  const CmaEs search = run({.inputs = 2, .budget = 5000, .most_restarts = 2}, sphere);
  std::vector<std::uint32_t> populations;
  for (const CmaGeneration& g : search.history())
    if (populations.size() == g.run) populations.push_back(g.population);
  EXPECT_EQ(populations, (std::vector<std::uint32_t>{6, 12, 24}));
  ASSERT_TRUE(search.best_answer());
  EXPECT_LT(search.best_answer()->value, 1e-6);
}

// Half of the box cannot be simulated at all.
TEST(CmaEs, ValuesThatAreNoNumbersRankLast) {
  const Function f = [](const Inputs& x) {
    return x[0] < 0.5 ? CmaAnswer{std::numeric_limits<double>::quiet_NaN(), 0} : sphere(x);
  };
  const Inputs best = run({.inputs = 2, .budget = 20000, .most_restarts = 1}, f).best();
  EXPECT_NEAR(best[0], 0.5, 5e-3);
  EXPECT_NEAR(best[1], optimum(1), 5e-3);
  const Function none = [](const Inputs&) {
    return CmaAnswer{std::numeric_limits<double>::quiet_NaN(), 0};
  };
  EXPECT_EQ(run({.inputs = 2, .budget = 3000}, none).best().size(), 2u);
}

TEST(CmaEs, MistakesAreReported) {
  EXPECT_THROW(CmaEs({.inputs = 0}), std::invalid_argument);
  EXPECT_THROW(CmaEs({.inputs = 2, .start = {0.5}}), std::invalid_argument);
  EXPECT_THROW(CmaEs({.inputs = 1, .start = {2}}), std::invalid_argument);
  EXPECT_THROW(CmaEs({.population = 3}), std::invalid_argument);
  CmaEs search({.inputs = 2});
  EXPECT_THROW(search.record(std::vector<CmaAnswer>(1)), std::invalid_argument);
}

}  // namespace
}  // namespace berth::cma_es_test

// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/radau.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/solve.h"
#include "tests/integrate/problems.h"
#include "tests/integrate/spring_pair.h"

namespace berth::radau_test {
namespace {

using problems::blow_up;
using problems::Coupled;
using problems::Kepler;
using problems::NoRate;
using problems::SpringPair;

const std::vector<Block> kPlane = {{0, 2, 1.0}, {2, 2, 1.0}};

static_assert(Integrator<Radau, double, NoRate>);
static_assert(HasJacobian<const SpringPair> && !HasJacobian<const NoRate>);

// The same f without its Jacobian.
template <class F>
auto without_jacobian(const F& f) {
  return [f](double t, std::span<const double> x, std::span<double> rate) { f(t, x, rate); };
}

template <class F>
Solution<double> solve_radau(F&& f, double t_0, const std::vector<double>& x_0, double t_1,
                             const IntegratorOptions& options = {},
                             std::vector<Block> blocks = {}) {
  if (blocks.empty()) blocks.push_back({0, x_0.size(), 1.0});
  Radau r(x_0.size(), std::move(blocks), options);
  r.start(t_0, x_0);
  StepOutcome outcome = StepOutcome::accepted;
  while (r.t() < t_1 && outcome == StepOutcome::accepted) outcome = r.step(f, t_1);
  return {outcome, r.t(), std::vector<double>(r.x().begin(), r.x().end()), r.counters()};
}

double distance_of_motion(std::span<const double> a, std::span<const double> b) {
  return problems::distance(a.first(8), b.first(8));  // without the energy lost
}

// --- stiff springs -------------------------------------------------------------------------------

TEST(Radau, CostsTheSameHoweverStiffTheSpring) {
  // A fifth of a turn, as an orbit makes it in 20 minutes.
  const double omega = 1.1e-3, t = 1200;
  std::uint64_t steps_at_100 = 0;
  for (const double alpha : {1e2, 1e3, 1e4, 1e5}) {
    const SpringPair pair{.alpha = alpha};
    const auto r =
        solve_radau(pair, 0, pair.circling(omega, 0), t, {.tolerance = 1e-8}, SpringPair::blocks());
    ASSERT_EQ(r.outcome, StepOutcome::accepted);
    const std::uint64_t steps = r.counters.accepted + r.counters.rejected;
    if (alpha == 1e2) steps_at_100 = steps;
    RecordProperty("steps_at_" + std::to_string(int(alpha)), std::to_string(steps));
    EXPECT_LE(steps, 52u) << alpha;
    EXPECT_LE(steps, 2 * steps_at_100) << alpha;
    EXPECT_LE(r.counters.rhs, 500u) << alpha;
    EXPECT_LT(distance_of_motion(r.x, pair.circling(omega, t)), 1e-7) << alpha;
  }
}

TEST(Radau, FollowsATumblingPairAllTheWayAround) {
  const double omega = 0.03, t = 300;
  std::uint64_t steps_at_100 = 0;
  for (const double alpha : {1e2, 1e5}) {
    const SpringPair pair{.alpha = alpha};
    const auto r =
        solve_radau(pair, 0, pair.circling(omega, 0), t, {.tolerance = 1e-8}, SpringPair::blocks());
    ASSERT_EQ(r.outcome, StepOutcome::accepted);
    if (alpha == 1e2) steps_at_100 = r.counters.accepted;
    EXPECT_LE(r.counters.accepted, 2 * steps_at_100);
    EXPECT_LT(distance_of_motion(r.x, pair.circling(omega, t)), 1e-7) << alpha;
  }
}

TEST(Radau, KeepsAtItsStepNearRounding) {
  // Positions are known to 1e-16 m, velocities on such springs hardly better than 1e-16 m / h.
  std::uint64_t steps_at_100 = 0;
  for (const double alpha : {1e2, 1e3, 1e4, 1e5}) {
    const SpringPair pair{.alpha = alpha};
    const auto r = solve_radau(pair, 0, pair.circling(1.1e-3, 0), 1200,
                               {.tolerance = 1e-11, .max_steps = 2000}, SpringPair::blocks());
    ASSERT_EQ(r.outcome, StepOutcome::accepted) << alpha;
    const std::uint64_t steps = r.counters.accepted + r.counters.rejected;
    if (alpha == 1e2) steps_at_100 = steps;
    EXPECT_LE(steps, 4 * steps_at_100) << alpha;
    EXPECT_LT(distance_of_motion(r.x, pair.circling(1.1e-3, 1200)), 1e-10) << alpha;
  }
}

TEST(Radau, DampsAKickItCannotFollow) {
  // 1 mm/s along a spring that needs 1e-5 s to take it: gone after some steps, the turning stays.
  const SpringPair pair{.alpha = 1e5};
  const double omega = 1e-2;
  std::vector<double> x = pair.circling(omega, 0);
  x[4] += 5e-4;
  x[6] -= 5e-4;
  const auto r = solve_radau(pair, 0, x, 100, {.tolerance = 1e-8}, SpringPair::blocks());
  ASSERT_EQ(r.outcome, StepOutcome::accepted);
  EXPECT_LT(r.counters.accepted + r.counters.rejected, 400u);
  const double kinetic = 0.5 * (0.5 * pair.m) * 1e-3 * 1e-3;
  EXPECT_NEAR(r.x[8], kinetic, 0.01 * kinetic);  // all of it in the damper
  EXPECT_LT(distance_of_motion(r.x, pair.circling(omega, 100)), 1e-6);
}

TEST(Radau, AgreesWithDop853AtModerateStiffness) {
  const SpringPair pair{.alpha = 20};
  std::vector<double> x = pair.circling(0.03, 0);
  x[6] += 0.01;  // and it rings a little
  const auto radau = solve_radau(pair, 0, x, 50, {.tolerance = 1e-11}, SpringPair::blocks());
  const auto dop853 =
      solve("dop853", pair, 0.0, x, 50.0, {.tolerance = 1e-13}, SpringPair::blocks());
  ASSERT_EQ(radau.outcome, StepOutcome::accepted);
  EXPECT_LT(problems::distance(radau.x, dop853.x), 3e-10);
}

TEST(Radau, KeepsMomentumAndCountsTheEnergyLost) {
  const SpringPair pair{.alpha = 1e3};
  std::vector<double> x = pair.circling(0.02, 0);
  x[6] += 0.01;
  x[7] += 0.003;
  const auto r = solve_radau(pair, 0, x, 200, {.tolerance = 1e-9}, SpringPair::blocks());
  ASSERT_EQ(r.outcome, StepOutcome::accepted);
  for (std::size_t i = 4; i < 6; ++i) EXPECT_NEAR(r.x[i] + r.x[i + 2], x[i] + x[i + 2], 1e-14);
  const double lost = r.x[8];
  EXPECT_GT(lost, 1e-6);
  EXPECT_NEAR(pair.energy(r.x) + lost, pair.energy(x), 1e-6 * pair.energy(x));
}

TEST(Radau, NeedsNoJacobianForSpringsOfMediumStiffness) {
  for (const double alpha : {1e2, 1e3}) {
    const SpringPair pair{.alpha = alpha};
    const std::vector<double> x = pair.circling(1.1e-3, 0);
    const auto exact = solve_radau(pair, 0, x, 1200, {.tolerance = 1e-8}, SpringPair::blocks());
    const auto differences =
        solve_radau(without_jacobian(pair), 0, x, 1200, {.tolerance = 1e-8}, SpringPair::blocks());
    EXPECT_EQ(exact.counters.accepted, differences.counters.accepted);
    EXPECT_EQ(exact.counters.rhs + 9 * differences.counters.jacobian, differences.counters.rhs);
    EXPECT_LT(problems::distance(exact.x, differences.x), 1e-9);
  }
}

// --- problems of the literature ------------------------------------------------------------------

// ε ẍ = (1 − x²) ẋ − x with ε = 1e-6 (Hairer and Wanner, IV.10; reference of the Bari
// test set for initial value problems).
struct VanDerPol {
  static constexpr double epsilon = 1e-6;
  void operator()(double, std::span<const double> x, std::span<double> rate) const {
    rate[0] = x[1];
    rate[1] = ((1 - x[0] * x[0]) * x[1] - x[0]) / epsilon;
  }
  void jacobian(double, std::span<const double> x, Eigen::MatrixXd& J) const {
    J << 0, 1, (-2 * x[0] * x[1] - 1) / epsilon, (1 - x[0] * x[0]) / epsilon;
  }
};

TEST(Radau, SolvesVanDerPolsEquation) {
  const std::vector<Block> blocks = {{0, 1, 1.0}, {1, 1, 1.0}};
  const auto r = solve_radau(VanDerPol{}, 0, {2, 0}, 2, {.tolerance = 1e-8}, blocks);
  ASSERT_EQ(r.outcome, StepOutcome::accepted);
  EXPECT_NEAR(r.x[0], 0.1706167732170483e1, 1e-8);
  EXPECT_NEAR(r.x[1], -0.8928097010247975e0, 1e-8);
  EXPECT_LT(r.counters.accepted, 3000u);
}

// Three reactions with rates of 0.04, 3e7 and 1e4 (ibid.).
struct Robertson {
  void operator()(double, std::span<const double> x, std::span<double> rate) const {
    rate[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    rate[2] = 3e7 * x[1] * x[1];
    rate[1] = -rate[0] - rate[2];
  }
};

TEST(Radau, SolvesRobertsonsReactionOverElevenDecades) {
  const std::vector<Block> blocks = {{0, 1, 1e-8}, {1, 1, 1e-13}, {2, 1, 1.0}};
  const auto r = solve_radau(Robertson{}, 0, {1, 0, 0}, 1e11, {.tolerance = 1e-7}, blocks);
  ASSERT_EQ(r.outcome, StepOutcome::accepted);
  EXPECT_NEAR(r.x[0], 0.2083340149701255e-7, 1e-12);
  EXPECT_NEAR(r.x[1], 0.8333360770334713e-13, 1e-18);
  EXPECT_NEAR(r.x[2], 0.9999999791665050, 1e-12);
  EXPECT_LT(r.counters.accepted, 1000u);
}

// ẋ = −λ (x − cos t) − sin t: x = cos t, however large λ (Prothero and Robinson).
struct Attracted {
  double lambda;
  void operator()(double t, std::span<const double> x, std::span<double> rate) const {
    rate[0] = -lambda * (x[0] - std::cos(t)) - std::sin(t);
  }
};

TEST(Radau, FollowsATimeDependentTargetHoweverStrongThePull) {
  for (const double lambda : {1.0, 1e3, 1e6, 1e9}) {
    const auto r = solve_radau(Attracted{lambda}, 0, {1}, 10, {.tolerance = 1e-8});
    ASSERT_EQ(r.outcome, StepOutcome::accepted);
    EXPECT_NEAR(r.x[0], std::cos(10), 1e-7) << lambda;
    EXPECT_LT(r.counters.accepted, 250u) << lambda;
  }
}

// --- order ---------------------------------------------------------------------------------------

struct Errors {
  double end = 0;    // at t = 6
  double dense = 0;  // largest inside any step
};

// Steps of equal length, their stages solved to rounding whatever the error of the step.
Errors integrate(int steps) {
  const Coupled f;
  const std::vector<Block> blocks = {{0, 2, 1.0}};
  const ErrorNorm norm(blocks, 1e-13);
  RadauStages stages(2, blocks, 1e-13);
  CollocationStep step(2);
  Stages z = Stages::Zero(2, 3);
  StepCounters counters;
  Errors errors;
  std::vector<double> x = Coupled::exact(0), next(2), rate(2), inside(2);
  for (int i = 0; i < steps; ++i) {
    const double t_0 = 6.0 * i / steps, t_1 = 6.0 * (i + 1) / steps;
    f(t_0, std::span<const double>(x), std::span<double>(rate));
    EXPECT_TRUE(stages.linearise(f, t_0, x, rate, counters));
    EXPECT_EQ(stages.solve(f, t_0, t_1, x, norm, z, counters), RadauStages::Solved::yes);
    for (std::size_t k = 0; k < 2; ++k) next[k] = x[k] + z(Eigen::Index(k), 2);
    step.build(t_0, t_1, x, next, z);
    for (const double theta : {0.1, 0.3, 0.5, 0.8, 0.95}) {
      const double t = t_0 + theta * (t_1 - t_0);
      step.interpolate(t, inside);
      errors.dense = std::max(errors.dense, problems::distance(inside, Coupled::exact(t)));
    }
    x = next;
    step.extrapolate(t_1, t_1 - t_0, z);
  }
  errors.end = problems::distance(x, Coupled::exact(6));
  return errors;
}

TEST(Radau, HasOrderFive) {
  const double order = std::log2(integrate(60).end / integrate(120).end);
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, 4.8);
  EXPECT_LT(order, 5.5);
}

TEST(Radau, InterpolatesToOrderFour) {
  const double order = std::log2(integrate(60).dense / integrate(120).dense);
  EXPECT_GT(order, 3.8);
  EXPECT_LT(order, 4.5);
}

TEST(Radau, ErrorFollowsTheTolerance) {
  double before = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const auto r =
        solve_radau(Kepler{}, 0, Kepler::exact(0.5, 0), 20, {.tolerance = tolerance}, kPlane);
    const double error = problems::distance(r.x, Kepler::exact(0.5, 20));
    EXPECT_LT(error, 1e3 * tolerance);
    EXPECT_LT(error, 0.1 * before);
    before = error;
  }
}

// --- contract of integrators ---------------------------------------------------------------------

TEST(Radau, LandsOnEveryRequestedTimeBitForBit) {
  Radau r(2, {{0, 2, 1.0}}, {.tolerance = 1e-9});
  r.start(0, Coupled::exact(0));
  for (const double t : {0.1, 1.0 / 3, 0.7, 0.7 + 1e-13, std::nextafter(0.75, 1), 2.0, 6.1}) {
    while (r.t() < t) ASSERT_EQ(r.step(Coupled{}, t), StepOutcome::accepted);
    EXPECT_EQ(r.t(), t);
  }
  EXPECT_LT(problems::distance(r.x(), Coupled::exact(6.1)), 1e-7);
}

TEST(Radau, NeverEvaluatesBeyondTheLimit) {
  double earliest = 0, latest = 0;
  const auto f = [&](double t, std::span<const double> x, std::span<double> rate) {
    earliest = std::min(earliest, t);
    latest = std::max(latest, t);
    Coupled{}(t, x, rate);
  };
  Radau r(2, {{0, 2, 1.0}}, {.tolerance = 1e-6});
  r.start(0, Coupled::exact(0));
  for (int i = 1; i < 300; ++i) {
    const double limit = i * 0.0173;
    while (r.t() < limit) r.step(f, limit);
    r.prepare_dense(f);
    ASSERT_LE(latest, limit);
  }
  EXPECT_EQ(earliest, 0);
}

TEST(Radau, RemembersTheNaturalStepAcrossAShortOne) {
  Radau r(4, kPlane, {.tolerance = 1e-8});
  r.start(0, Kepler::exact(0.1, 0));
  while (r.t() < 5) r.step(Kepler{}, 5.0);
  const double natural = r.natural_step();
  r.step(Kepler{}, 5.0 + 1e-9);
  EXPECT_EQ(r.t(), 5.0 + 1e-9);
  EXPECT_GE(r.natural_step(), natural);
}

TEST(Radau, KeepsToTheLongestStep) {
  Radau r(4, kPlane, {.tolerance = 1e-3, .max_step = 0.1});
  r.start(0, Kepler::exact(0.1, 0));
  while (r.t() < 5) {
    r.step(Kepler{}, 5.0);
    EXPECT_LE(r.t() - r.t_previous(), 0.1 * (1 + 1e-8));
  }
  EXPECT_LE(r.counters().accepted, 60u);
}

TEST(Radau, StatesOutsideTheBlocksDoNotSteerTheStep) {
  const auto f = [](double t, std::span<const double> x, std::span<double> rate) {
    rate[0] = -x[0] * x[0];
    rate[1] = 1e6 * std::sin(1e5 * t);
  };
  const auto smooth = [](double, std::span<const double> x, std::span<double> rate) {
    rate[0] = -x[0] * x[0];
  };
  const auto with = solve_radau(f, 0, {1, 0}, 5, {.tolerance = 1e-8}, {{0, 1, 1.0}});
  const auto without = solve_radau(smooth, 0, {1}, 5, {.tolerance = 1e-8}, {{0, 1, 1.0}});
  EXPECT_EQ(with.counters.accepted, without.counters.accepted);
  EXPECT_NEAR(with.x[0], without.x[0], 1e-14);
}

TEST(Radau, InterpolatesBothEndsBitForBit) {
  Radau r(2, {{0, 2, 1.0}}, {.tolerance = 1e-6});
  r.start(0, Coupled::exact(0));
  std::vector<double> x(2);
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> begin(r.x().begin(), r.x().end());
    r.step(Coupled{}, 6.0);
    r.prepare_dense(Coupled{});
    r.interpolate(r.t_previous(), x);
    EXPECT_EQ(x, begin);
    EXPECT_TRUE(std::ranges::equal(r.x_previous(), begin));
    r.interpolate(r.t(), x);
    EXPECT_TRUE(std::ranges::equal(x, r.x()));
  }
}

TEST(Radau, AProjectedStateStartsTheNextStepAndKeepsTheLastOne) {
  Radau r(2, {{0, 2, 1.0}}, {.tolerance = 1e-6});
  r.start(0, Coupled::exact(0));
  r.step(Coupled{}, 6.0);
  r.step(Coupled{}, 6.0);
  const double t = r.t(), middle = 0.5 * (r.t_previous() + r.t());
  const std::vector<double> end(r.x().begin(), r.x().end());
  std::vector<double> moved = end, before(2), after(2);
  r.interpolate(middle, before);
  moved[0] += 0.125;
  r.replace_state(moved);
  EXPECT_TRUE(std::ranges::equal(r.x(), moved));
  EXPECT_EQ(r.t(), t);
  r.prepare_dense(Coupled{});
  r.interpolate(middle, after);
  EXPECT_EQ(after, before);
  r.interpolate(t, after);
  EXPECT_EQ(after, end);
  r.step(Coupled{}, 6.0);
  EXPECT_TRUE(std::ranges::equal(r.x_previous(), moved));
}

TEST(Radau, RestartsAfterAnEventWithTheStepItHad) {
  const SpringPair pair{.alpha = 1e4};
  const double omega = 1.1e-3;
  Radau r(9, SpringPair::blocks(), {.tolerance = 1e-8});
  r.start(0, pair.circling(omega, 0));
  while (r.t() < 300) r.step(pair, 300.0);
  const double natural = r.natural_step();
  // Back inside the step just made, as an event puts it.
  const double t = r.t() - 0.3 * (r.t() - r.t_previous());
  r.restart(t, pair.circling(omega, t));
  EXPECT_EQ(r.natural_step(), natural);
  EXPECT_THROW(r.prepare_dense(pair), std::logic_error);
  const std::uint64_t rejected = r.counters().rejected;
  ASSERT_EQ(r.step(pair, 1200.0), StepOutcome::accepted);
  EXPECT_EQ(r.t_previous(), t);
  EXPECT_GT(r.t() - t, 0.2 * natural);
  EXPECT_LE(r.counters().rejected, rejected + 1);
}

TEST(Radau, StartsAfreshAndRepeatsItself) {
  const SpringPair pair{.alpha = 1e3};
  Radau r(9, SpringPair::blocks(), {.tolerance = 1e-8});
  std::vector<std::vector<double>> ends;
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < 2; ++i) {
    r.start(0, pair.circling(0.01, 0));
    while (r.t() < 100) r.step(pair, 100.0);
    ends.emplace_back(r.x().begin(), r.x().end());
    counts.push_back(r.counters().rhs);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(counts[0], counts[1]);
}

// --- failures ------------------------------------------------------------------------------------

TEST(Radau, StopsBeforeASingularityAndKeepsTheState) {
  const auto r = solve_radau(blow_up, 0, {1}, 2, {.tolerance = 1e-8});
  EXPECT_TRUE(r.outcome == StepOutcome::step_too_small || r.outcome == StepOutcome::non_finite);
  EXPECT_NEAR(r.t, 1, 1e-5);
  EXPECT_TRUE(std::isfinite(r.x[0]));
  EXPECT_GT(r.x[0], 1e4);
}

TEST(Radau, GivesUpEarlyWhenAskedTo) {
  const auto r = solve_radau(blow_up, 0, {1}, 2, {.min_step = 1e-3});
  EXPECT_EQ(r.outcome, StepOutcome::step_too_small);
  EXPECT_LT(r.t, 1);
  EXPECT_NEAR(r.x[0], 1 / (1 - r.t), 1e-6 * r.x[0]);
}

TEST(Radau, ReportsADerivativeThatIsNotANumber) {
  const auto f = [](double, std::span<const double>, std::span<double> rate) {
    rate[0] = std::numeric_limits<double>::quiet_NaN();
  };
  for (const double t_0 : {0.0, 5.0}) {
    const auto r = solve_radau(f, t_0, {3.5}, 10);
    EXPECT_EQ(r.outcome, StepOutcome::non_finite);
    EXPECT_EQ(r.t, t_0);
    EXPECT_EQ(r.x[0], 3.5);
  }
}

TEST(Radau, GoesUpToTheEdgeOfADerivativesDomain) {
  // Defined for t ≤ 1 only.
  const auto f = [](double t, std::span<const double>, std::span<double> rate) {
    rate[0] = std::sqrt(1 - t);
  };
  const auto r = solve_radau(f, 0, {0}, 2, {.tolerance = 1e-6});
  EXPECT_EQ(r.outcome, StepOutcome::non_finite);
  EXPECT_NEAR(r.t, 1, 1e-10);
  EXPECT_NEAR(r.x[0], 2.0 / 3, 1e-5);
}

TEST(Radau, PassesANumberLostOnlyByALongStep) {
  // Beyond x = 2, where the first trial step ends, f is not defined.
  const auto f = [](double t, std::span<const double> x, std::span<double> rate) {
    rate[0] = 3 * std::sin(3 * t) * x[0] * x[0] + 0 * std::sqrt(2 - x[0]);
  };
  const auto r = solve_radau(f, 0, {0.4}, 5, {.tolerance = 1e-8, .first_step = 0.9});
  EXPECT_EQ(r.outcome, StepOutcome::accepted);
  EXPECT_GT(r.counters.rejected, 0u);
}

TEST(Radau, CountsItsStepsAndItsWork) {
  const auto r = solve_radau(Kepler{}, 0, Kepler::exact(0.1, 0), 1e6, {.max_steps = 25});
  EXPECT_EQ(r.outcome, StepOutcome::too_many_steps);
  EXPECT_EQ(r.counters.accepted + r.counters.rejected, 25u);
  EXPECT_GE(r.counters.jacobian, r.counters.accepted);
  EXPECT_GE(r.counters.factorisation, 2 * r.counters.accepted);
}

TEST(Radau, RefusesMeaninglessRequests) {
  EXPECT_THROW(Radau(1, {{0, 2, 1.0}}, {}), std::invalid_argument);
  EXPECT_THROW(Radau(1, {{0, 1, 1.0}}, {.tolerance = 0}), std::invalid_argument);
  Radau r(1, {{0, 1, 1.0}}, {});
  r.start(1, std::vector<double>{1});
  EXPECT_THROW(r.step(blow_up, 1.0), std::invalid_argument);
  EXPECT_THROW(r.prepare_dense(blow_up), std::logic_error);
  EXPECT_THROW(r.start(1, std::vector<double>{1, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace berth::radau_test

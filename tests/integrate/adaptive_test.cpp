// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/adaptive.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/integrate/solve.h"
#include "tests/integrate/problems.h"

namespace berth::adaptive_test {
namespace {

using problems::blow_up;
using problems::Coupled;
using problems::Kepler;
using problems::NoRate;

const std::vector<Block> kPlane = {{0, 2, 1.0}, {2, 2, 1.0}};

static_assert(Integrator<Adaptive<double>, double, NoRate>);

TEST(Adaptive, FollowsAnEccentricOrbit) {
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    // One and a half revolutions, to apoapsis; the error grows with time and eccentricity.
    const auto r =
        solve(*m, Kepler{}, 0.0, Kepler::exact(0.9, 0), 3 * M_PI, {.tolerance = 1e-12}, kPlane);
    EXPECT_EQ(r.outcome, StepOutcome::accepted);
    EXPECT_LT(problems::distance(r.x, Kepler::exact(0.9, 3 * M_PI)), 5e-9) << m->name;
  }
}

TEST(Adaptive, TheDefaultMethodNeedsFewStepsForAnOrbit) {
  const auto r =
      solve("dop853", Kepler{}, 0.0, Kepler::exact(0.9, 0), 2 * M_PI, {.tolerance = 1e-10}, kPlane);
  EXPECT_LT(r.counters.rhs, 1200u);
  EXPECT_LT(r.counters.rejected, r.counters.accepted / 3);
  EXPECT_LT(problems::distance(r.x, Kepler::exact(0.9, 2 * M_PI)), 1e-6);
}

TEST(Adaptive, ErrorFollowsTheTolerance) {
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    double coarsest = 0, finest = 0;
    for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
      const auto r =
          solve(*m, Kepler{}, 0.0, Kepler::exact(0.5, 0), 20.0, {.tolerance = tolerance}, kPlane);
      finest = problems::distance(r.x, Kepler::exact(0.5, 20.0)) / tolerance;
      if (coarsest == 0) coarsest = finest;
      EXPECT_LT(finest, 3e3) << m->name << " at " << tolerance;
    }
    // Proportional within a factor of thirty over six decades.
    EXPECT_LT(std::fabs(std::log10(finest / coarsest)), 1.5) << m->name;
  }
}

TEST(Adaptive, LandsOnEveryRequestedTimeBitForBit) {
  for (const Tableau* m : kExplicitMethods) {
    Adaptive<double> a(*m, 2, {{0, 2, 1.0}}, {.tolerance = 1e-9, .step = 0.05});
    a.start(0, Coupled::exact(0));
    for (const double t : {0.1, 1.0 / 3, 0.7, 0.7 + 1e-13, std::nextafter(0.75, 1), 2.0, 6.1}) {
      while (a.t() < t) ASSERT_EQ(a.step(Coupled{}, t), StepOutcome::accepted);
      EXPECT_EQ(a.t(), t);
    }
    EXPECT_LT(problems::distance(a.x(), Coupled::exact(6.1)), 1e-6) << m->name;
  }
}

TEST(Adaptive, NeverEvaluatesBeyondTheLimit) {
  // What f does after t_limit (a thruster fires) must not be felt before.
  for (const Tableau* m : kExplicitMethods) {
    double earliest = 0, latest = 0;
    const auto f = [&](double t, std::span<const double> x, std::span<double> rate) {
      earliest = std::min(earliest, t);
      latest = std::max(latest, t);
      Coupled{}(t, x, rate);
    };
    Adaptive<double> a(*m, 2, {{0, 2, 1.0}}, {.tolerance = 1e-6, .step = 0.03});
    a.start(0, Coupled::exact(0));
    for (int i = 1; i < 300; ++i) {
      const double limit = i * 0.0173;
      while (a.t() < limit) a.step(f, limit);
      a.prepare_dense(f);
      ASSERT_LE(latest, limit);
    }
    EXPECT_EQ(earliest, 0);
  }
}

TEST(Adaptive, LeavesNoSliverBeforeALimit) {
  Adaptive<double> a(kDop853, 4, kPlane, {.tolerance = 1e-8});
  for (int i = 0; i < 200; ++i) {
    a.start(0, Kepler::exact(0.1, 0));
    const double limit = 1 + 0.01 * i;
    double shortest = 1, longest = 0;
    while (a.t() < limit) {
      ASSERT_EQ(a.step(Kepler{}, limit), StepOutcome::accepted);
      if (a.t_previous() == 0) continue;  // the first step is a guess
      shortest = std::min(shortest, a.t() - a.t_previous());
      longest = std::max(longest, a.t() - a.t_previous());
    }
    EXPECT_GE(shortest, 0.2 * longest);
  }
}

TEST(Adaptive, RemembersTheNaturalStepAcrossAShortOne) {
  Adaptive<double> a(kDop853, 4, kPlane, {.tolerance = 1e-8});
  a.start(0, Kepler::exact(0.1, 0));
  while (a.t() < 5) a.step(Kepler{}, 5.0);
  const double natural = a.natural_step();
  a.step(Kepler{}, 5.0 + 1e-9);
  EXPECT_EQ(a.t(), 5.0 + 1e-9);
  EXPECT_GE(a.natural_step(), natural);
}

TEST(Adaptive, FixedStepsDivideTheIntervalEvenly) {
  Adaptive<double> a(kRk4, 2, {}, {.step = 0.3});
  a.start(0, Coupled::exact(0));
  while (a.t() < 1) {
    ASSERT_EQ(a.step(Coupled{}, 1.0), StepOutcome::accepted);
    EXPECT_NEAR(a.t() - a.t_previous(), 0.25, 1e-15);
  }
  EXPECT_EQ(a.counters().accepted, 4u);
  // A whole number of steps stays what it is.
  a.start(0, Coupled::exact(0));
  while (a.t() < 3) a.step(Coupled{}, 3.0);
  EXPECT_EQ(a.counters().accepted, 10u);
  EXPECT_EQ(a.counters().rhs, 40u);
}

TEST(Adaptive, KeepsToTheLongestStep) {
  Adaptive<double> a(kDop853, 4, kPlane, {.tolerance = 1e-3, .max_step = 0.1});
  a.start(0, Kepler::exact(0.1, 0));
  while (a.t() < 5) {
    a.step(Kepler{}, 5.0);
    EXPECT_LE(a.t() - a.t_previous(), 0.1 * (1 + 1e-8));
  }
  EXPECT_LE(a.counters().accepted, 60u);
}

TEST(Adaptive, StatesOutsideTheBlocksDoNotSteerTheStep) {
  // A rotor angle whose rate jitters violently, next to a smooth state.
  const auto f = [](double t, std::span<const double> x, std::span<double> rate) {
    rate[0] = -x[0];
    rate[1] = 1e6 * std::sin(1e5 * t);
  };
  const auto with = solve<double>("dop853", f, 0, {1, 0}, 5, {}, {{0, 1, 1.0}});
  const auto smooth = [](double, std::span<const double> x, std::span<double> rate) {
    rate[0] = -x[0];
  };
  const auto without = solve<double>("dop853", smooth, 0, {1}, 5, {}, {{0, 1, 1.0}});
  EXPECT_EQ(with.counters.accepted, without.counters.accepted);
  EXPECT_EQ(with.x[0], without.x[0]);
}

TEST(Adaptive, StopsBeforeASingularityAndKeepsTheState) {
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    const auto r = solve<double>(*m, blow_up, 0, {1}, 2, {.tolerance = 1e-8});
    EXPECT_TRUE(r.outcome == StepOutcome::step_too_small || r.outcome == StepOutcome::non_finite);
    EXPECT_NEAR(r.t, 1, 1e-5) << m->name;
    EXPECT_TRUE(std::isfinite(r.x[0]));
    EXPECT_GT(r.x[0], 1e4);
  }
}

TEST(Adaptive, GivesUpEarlyWhenAskedTo) {
  const auto r = solve<double>("dop853", blow_up, 0, {1}, 2, {.min_step = 1e-3});
  EXPECT_EQ(r.outcome, StepOutcome::step_too_small);
  EXPECT_LT(r.t, 1);
  EXPECT_NEAR(r.x[0], 1 / (1 - r.t), 1e-6 * r.x[0]);
}

TEST(Adaptive, ReportsADerivativeThatIsNotANumber) {
  const auto f = [](double, std::span<const double>, std::span<double> rate) {
    rate[0] = std::numeric_limits<double>::quiet_NaN();
  };
  for (const Tableau* m : kExplicitMethods) {
    for (const double t_0 : {0.0, 5.0}) {
      const auto r = solve<double>(*m, f, t_0, {3.5}, 10, {.step = 0.1});
      EXPECT_EQ(r.outcome, StepOutcome::non_finite) << m->name;
      EXPECT_EQ(r.t, t_0);
      EXPECT_EQ(r.x[0], 3.5);
    }
  }
}

TEST(Adaptive, GoesUpToTheEdgeOfADerivativesDomain) {
  // Defined for t ≤ 1 only.
  const auto f = [](double t, std::span<const double>, std::span<double> rate) {
    rate[0] = std::sqrt(1 - t);
  };
  const auto r = solve<double>("dop853", f, 0, {0}, 2, {.tolerance = 1e-6});
  EXPECT_EQ(r.outcome, StepOutcome::non_finite);
  EXPECT_NEAR(r.t, 1, 1e-10);
  EXPECT_NEAR(r.x[0], 2.0 / 3, 1e-5);
}

TEST(Adaptive, PassesANumberLostOnlyByALongStep) {
  // A probing long step leaves the domain x < 2; the solution itself does not.
  const auto f = [](double t, std::span<const double> x, std::span<double> rate) {
    rate[0] = 40 * (std::sin(t) - x[0]) + 0 * std::sqrt(2 - x[0]);
  };
  const auto r = solve<double>("dop853", f, 0, {1.9}, 5, {.tolerance = 1e-8, .first_step = 3});
  EXPECT_EQ(r.outcome, StepOutcome::accepted);
  EXPECT_GT(r.counters.rejected, 0u);
}

TEST(Adaptive, CountsItsSteps) {
  const auto r = solve("dop853", Kepler{}, 0.0, Kepler::exact(0.1, 0), 1e6, {.max_steps = 25});
  EXPECT_EQ(r.outcome, StepOutcome::too_many_steps);
  EXPECT_EQ(r.counters.accepted + r.counters.rejected, 25u);
  EXPECT_EQ(name(r.outcome), "too_many_steps");
}

TEST(Adaptive, RestartsAfterAnEventWithTheStepItHad) {
  Adaptive<double> a(kDop853, 4, kPlane, {.tolerance = 1e-8});
  a.start(0, Kepler::exact(0.1, 0));
  while (a.t() < 2) a.step(Kepler{}, 2.0);
  const double natural = a.natural_step();
  const auto evaluations = a.counters().rhs;
  a.restart(1.9, Kepler::exact(0.1, 1.9));
  EXPECT_EQ(a.natural_step(), natural);
  a.step(Kepler{}, 10.0);
  EXPECT_EQ(a.t_previous(), 1.9);
  EXPECT_EQ(a.counters().rhs, evaluations + 12);
}

TEST(Adaptive, RefusesMeaninglessRequests) {
  EXPECT_THROW(Adaptive<double>(kRk4, 1, {}, {}), std::invalid_argument);
  EXPECT_THROW(Adaptive<double>(kDop853, 1, {{0, 2, 1.0}}, {}), std::invalid_argument);
  EXPECT_THROW(Adaptive<double>(kDop853, 1, {{0, 1, 1.0}}, {.tolerance = 0}),
               std::invalid_argument);
  Adaptive<double> a(kDop853, 1, {{0, 1, 1.0}}, {});
  a.start(1, std::vector<double>{1});
  EXPECT_THROW(a.step(blow_up, 1.0), std::invalid_argument);
  EXPECT_THROW(a.start(1, std::vector<double>{1, 2}), std::invalid_argument);
  EXPECT_THROW(solve<double>("euler", blow_up, 0, {1}, 1), std::invalid_argument);
}

RC_GTEST_PROP(Adaptive, ArrivesExactlyAndAccurately, ()) {
  const double e = *rc::gen::inRange(0, 80) * 0.01;
  const double t_0 = *rc::gen::inRange(0, 600) * 0.01;
  const double t_1 = t_0 + *rc::gen::inRange(1, 1000) * 0.00917;
  const auto r =
      solve("dop853", Kepler{}, t_0, Kepler::exact(e, t_0), t_1, {.tolerance = 1e-9}, kPlane);
  RC_ASSERT(r.outcome == StepOutcome::accepted);
  RC_ASSERT(r.t == t_1);
  RC_ASSERT(problems::distance(r.x, Kepler::exact(e, t_1)) < 3e-5);
}

}  // namespace
}  // namespace berth::adaptive_test

// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/step_control.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "berth/integrate/step_loop.h"
#include "tests/integrate/problems.h"

namespace berth::step_control_test {
namespace {

TEST(StepController, AimsAtNineTenthsOfTheIdealStep) {
  StepController c(kDop853);
  EXPECT_NEAR(c.after_acceptance(1.0, 0.1), 0.9, 1e-7);
  EXPECT_NEAR(c.after_acceptance(std::pow(0.5, 8), 0.1), 1.8, 1e-6);
  EXPECT_NEAR(c.after_rejection(std::pow(2.0, 8)), 0.45, 1e-7);
}

TEST(StepController, StaysWithinItsLimits) {
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    StepController c(*m);
    EXPECT_EQ(c.after_acceptance(0, 1), m->control_grow);
    EXPECT_EQ(c.after_acceptance(1e-30, 1), m->control_grow);
    // With no step before, after an event, the length in hand may be wrong by orders of magnitude.
    EXPECT_LT(c.after_rejection(1e200), 0.1 * m->control_shrink);
    EXPECT_LT(c.after_rejection(1.0000001), 1);
    c.remember(0.5, 1);
    EXPECT_EQ(c.after_rejection(1e200), m->control_shrink);
    EXPECT_LT(c.after_rejection(1.0000001), 1);
  }
}

TEST(StepController, ForeseesAShrinkingStep) {
  StepController steady(kDop853), approaching(kDop853);
  steady.remember(0.5, 0.1);
  approaching.remember(0.5, 0.2);  // the ideal step has halved since
  EXPECT_NEAR(approaching.after_acceptance(0.5, 0.1), 0.5 * steady.after_acceptance(0.5, 0.1),
              1e-6);
  approaching.forget();
  EXPECT_EQ(approaching.after_acceptance(0.5, 0.1), steady.after_acceptance(0.5, 0.1));
}

// A step far too short must grow again, whatever happened before it.
TEST(StepController, RecoversFromAStepFarTooShort) {
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    StepController c(*m);
    const double q = m->error_order;
    c.remember(1.0, 1.0);
    double h = 1e-6;  // the ideal step is still 1
    for (int i = 0; i < 30; ++i) {
      const double ratio = std::pow(h, q);
      const double factor = c.after_acceptance(ratio, h);
      c.remember(ratio, h);
      h = std::min(h * factor, 1.0);
    }
    EXPECT_GT(h, 0.5) << m->name;
  }
}

// Far from t = 0 a short step is rounded to ulps of t. That is not cut short: the loop goes on
// learning from such steps, or the long one it remembers would hold it down for ever.
TEST(StepLoop, GrowsFromAShortStepLateInARun) {
  StepLoop loop(StepController(kDop853), {});
  loop.set_natural_step(1.0);
  double t = 2.68;
  // The error ratio where 0.1 is just good enough; below 1e-4 it is round-off.
  const auto ideal = [](double h) {
    return std::max(std::pow(h / 0.1, kDop853.error_order), 1e-4);
  };
  const auto advance = [&] {
    double end = t;
    const StepOutcome outcome = loop.run(t, 100.0, [&](double t_end) {
      end = t_end;
      return ideal(t_end - t);
    });
    t = end;
    return outcome;
  };
  ASSERT_EQ(advance(), StepOutcome::accepted);
  loop.set_natural_step(std::ldexp(2000.3, -51));  // ulps of 2.68: the 0.3 will be lost
  for (int i = 0; i < 40; ++i) ASSERT_EQ(advance(), StepOutcome::accepted);
  EXPECT_GT(loop.natural_step(), 0.05);
}

TEST(StartingStep, IsNeitherRejectedOftenNorTooTimid) {
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      for (const double e : {0.0, 0.5, 0.9}) {
        Adaptive<double> a(*m, 4, {{0, 2, 1.0}, {2, 2, 1.0}}, {.tolerance = tolerance});
        a.start(0, problems::Kepler::exact(e, 0));
        a.step(problems::Kepler{}, 100.0);
        EXPECT_LE(a.counters().rejected, 3u);
        const double first = a.t();
        for (int i = 0; i < 5; ++i) a.step(problems::Kepler{}, 100.0);
        EXPECT_GT(first, 0.05 * (a.t() - a.t_previous())) << m->name << " " << tolerance;
      }
    }
  }
}

TEST(StartingStep, CopesWithAStateAtRest) {
  // Nothing moves until the spring is pulled at t = 0 by a slowly growing force.
  const auto f = [](double t, std::span<const double> x, std::span<double> rate) {
    rate[0] = x[1];
    rate[1] = -x[0] + t;
  };
  Adaptive<double> a(kDop853, 2, {{0, 1, 1.0}, {1, 1, 1.0}}, {});
  a.start(0, std::vector<double>{0, 0});
  while (a.t() < 10) ASSERT_EQ(a.step(f, 10.0), StepOutcome::accepted);
  EXPECT_NEAR(a.x()[0], 10 - std::sin(10.0), 1e-8);
  EXPECT_LT(a.counters().accepted, 60u);
}

}  // namespace
}  // namespace berth::step_control_test

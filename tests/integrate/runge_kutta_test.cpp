// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/runge_kutta.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/integrate/methods.h"
#include "berth/scalar/dual.h"
#include "tests/integrate/problems.h"
#include "tests/support/numbers.h"

namespace berth::runge_kutta_test {
namespace {

using problems::Coupled;
using problems::Kepler;
using test::copy;

const ErrorNorm kNorm({{0, 2, 1.0}}, 1e-6);

TEST(RungeKutta, ARejectedTrialLeavesTheStateAlone) {
  for (const Tableau* m : kExplicitMethods) {
    RungeKutta<double> rk(*m, 2);
    rk.start(0.5, Coupled::exact(0.5));
    rk.try_step(Coupled{}, 3.0, kNorm);
    EXPECT_EQ(rk.t(), 0.5);
    EXPECT_EQ(copy(rk.x()), Coupled::exact(0.5));
    // A second trial gives the same bits as if the first had never been.
    rk.try_step(Coupled{}, 0.6, kNorm);
    rk.accept();
    RungeKutta<double> fresh(*m, 2);
    fresh.start(0.5, Coupled::exact(0.5));
    fresh.try_step(Coupled{}, 0.6, kNorm);
    fresh.accept();
    EXPECT_EQ(copy(rk.x()), copy(fresh.x()));
    EXPECT_EQ(copy(rk.x_previous()), Coupled::exact(0.5));
    EXPECT_EQ(rk.t_previous(), 0.5);
  }
}

// The step taken back, another one from the same place gives the bits it gives without the first.
TEST(RungeKutta, AStepTakenBackLeavesNoTrace) {
  for (const Tableau* m : kExplicitMethods) {
    RungeKutta<double> rk(*m, 2), fresh(*m, 2);
    for (RungeKutta<double>* r : {&rk, &fresh}) {
      r->start(0.5, Coupled::exact(0.5));
      r->try_step(Coupled{}, 0.6, kNorm);
      r->accept();
    }
    rk.try_step(Coupled{}, 0.8, kNorm);
    rk.accept();
    rk.prepare_dense(Coupled{});
    rk.replace_state(Coupled::exact(0.8));
    rk.take_back();
    EXPECT_EQ(rk.t(), 0.6);
    EXPECT_EQ(copy(rk.x()), copy(fresh.x()));
    EXPECT_THROW(rk.take_back(), std::logic_error);
    std::vector<double> a(2), b(2);
    for (RungeKutta<double>* r : {&rk, &fresh}) {
      r->try_step(Coupled{}, 0.7, kNorm);
      r->accept();
      r->prepare_dense(Coupled{});
      r->interpolate(0.65, r == &rk ? a : b);
    }
    EXPECT_EQ(copy(rk.x()), copy(fresh.x())) << m->name;
    EXPECT_EQ(a, b) << m->name;
  }
}

TEST(RungeKutta, EvaluatesNoMoreThanTheTableAsksFor) {
  for (const Tableau* m : kExplicitMethods) {
    RungeKutta<double> rk(*m, 2);
    rk.start(0, Coupled::exact(0));
    rk.try_step(Coupled{}, 0.1, kNorm);
    rk.accept();
    const auto first = rk.evaluations();
    rk.try_step(Coupled{}, 0.2, kNorm);
    rk.accept();
    EXPECT_EQ(rk.evaluations() - first, std::uint64_t(m->stages)) << m->name;
    // Dense output makes no solution: the count does not depend on who evaluates it.
    int calls = 0;
    const auto counted = [&](double t, std::span<const double> x, std::span<double> x_dot) {
      ++calls;
      Coupled{}(t, x, x_dot);
    };
    rk.prepare_dense(counted);
    rk.prepare_dense(counted);
    EXPECT_LE(calls, m->dense_stages + 1) << m->name;
    EXPECT_EQ(rk.evaluations() - first, std::uint64_t(m->stages)) << m->name;
    rk.try_step(counted, 0.3, kNorm);
    EXPECT_EQ(rk.evaluations() - first, std::uint64_t(2 * m->stages)) << m->name;
    EXPECT_EQ(calls, m->stages + m->dense_stages) << m->name;
  }
}

TEST(RungeKutta, AProjectedStateStartsTheNextStepAndKeepsTheLastOne) {
  for (const Tableau* m : kExplicitMethods) {
    RungeKutta<double> rk(*m, 2);
    rk.start(0, Coupled::exact(0));
    rk.try_step(Coupled{}, 0.25, kNorm);
    rk.accept();
    const std::vector<double> end = copy(rk.x());
    std::vector<double> moved = end, x(2);
    moved[0] += 0.125;
    rk.replace_state(moved);
    EXPECT_EQ(copy(rk.x()), moved);
    // The polynomial still ends where the step ended, and is what it is without the projection.
    rk.prepare_dense(Coupled{});
    rk.interpolate(0.25, x);
    EXPECT_EQ(x, end);
    rk.interpolate(0.1, x);
    EXPECT_LT(problems::distance(x, Coupled::exact(0.1)), 1e-4);
    // The next step starts from the moved state with its own slope.
    rk.try_step(Coupled{}, 0.5, kNorm);
    rk.accept();
    RungeKutta<double> other(*m, 2);
    other.start(0.25, moved);
    other.try_step(Coupled{}, 0.5, kNorm);
    other.accept();
    EXPECT_EQ(copy(rk.x()), copy(other.x())) << m->name;
  }
}

TEST(RungeKutta, GivesTheSameDenseOutputWhetherOrNotTheStateWasReplaced) {
  RungeKutta<double> a(kDop853, 2), b(kDop853, 2);
  for (auto* rk : {&a, &b}) {
    rk->start(0, Coupled::exact(0));
    rk->try_step(Coupled{}, 0.5, kNorm);
    rk->accept();
  }
  b.replace_state(Coupled::exact(3));
  std::vector<double> x_a(2), x_b(2);
  a.prepare_dense(Coupled{});
  b.prepare_dense(Coupled{});
  a.interpolate(0.3, x_a);
  b.interpolate(0.3, x_b);
  EXPECT_EQ(x_a, x_b);
}

TEST(RungeKutta, RefusesToInterpolateBeforeAStep) {
  RungeKutta<double> rk(kDop853, 2);
  rk.start(0, Coupled::exact(0));
  EXPECT_THROW(rk.prepare_dense(Coupled{}), std::logic_error);
}

TEST(RungeKutta, ReportsALostNumber) {
  const auto f = [](double t, std::span<const double>, std::span<double> rate) {
    rate[0] = std::sqrt(1 - t);
    rate[1] = 0;
  };
  for (const Tableau* m : kExplicitMethods) {
    RungeKutta<double> rk(*m, 2);
    rk.start(0, std::vector<double>{0, 0});
    EXPECT_TRUE(std::isnan(rk.try_step(f, 2.0, kNorm))) << m->name;
  }
}

// Every row length meets its padding: the sums of neighbours must not leak into each other.
TEST(RungeKutta, TreatsEachStateAlikeWhateverTheirNumber) {
  const auto f = [](double t, std::span<const double> x, std::span<double> rate) {
    for (std::size_t i = 0; i < x.size(); ++i) rate[i] = x[i] * std::cos(t + double(i));
  };
  for (const Tableau* m : kExplicitMethods) {
    RungeKutta<double> all(*m, 40);
    all.start(0, std::vector<double>(40, 1.0));
    all.try_step(f, 0.5, kNorm);
    all.accept();
    all.prepare_dense(f);
    std::vector<double> dense_all(40);
    all.interpolate(0.2, dense_all);
    for (std::size_t n = 2; n < 40; ++n) {
      RungeKutta<double> some(*m, n);
      some.start(0, std::vector<double>(n, 1.0));
      some.try_step(f, 0.5, kNorm);
      some.accept();
      some.prepare_dense(f);
      std::vector<double> dense(n + 1, -7.0);
      some.interpolate(0.2, dense);
      EXPECT_EQ(copy(some.x()), copy(all.x().first(n)));
      EXPECT_EQ(copy(std::span(dense).first(n)), copy(std::span(dense_all).first(n)));
      EXPECT_EQ(dense[n], -7.0);  // nothing written beyond the state
    }
  }
}

// ∂x(t)/∂x(0) by dual numbers against central differences.
TEST(RungeKutta, CarriesSensitivities) {
  const auto run = [](auto x_0) {
    using T = typename decltype(x_0)::value_type;
    RungeKutta<T> rk(kDop853, 4);
    rk.start(0, x_0);
    const ErrorNorm norm({{0, 4, 1.0}}, 1.0);
    for (int i = 1; i <= 20; ++i) {
      rk.try_step(Kepler{}, 0.1 * i, norm);
      rk.accept();
    }
    return std::vector<T>(rk.x().begin(), rk.x().end());
  };
  const std::vector<double> x_0 = Kepler::exact(0.2, 0);
  std::vector<Dual> seeded(x_0.begin(), x_0.end());
  for (int i = 0; i < 4; ++i) set_slope(seeded[std::size_t(i)], i, 1.0);
  const std::vector<Dual> end = run(seeded);
  for (std::size_t j = 0; j < 4; ++j) {
    std::vector<double> plus = x_0, minus = x_0;
    plus[j] += 1e-5;
    minus[j] -= 1e-5;
    const std::vector<double> p = run(plus), q = run(minus);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(slope(end[i], int(j)), (p[i] - q[i]) / 2e-5, 1e-7);
    }
  }
}

RC_GTEST_PROP(DenseOutput, MeetsBothEndsInValueAndSlope, ()) {
  const Tableau& m = **rc::gen::elementOf(
      std::vector<const Tableau*>(kExplicitMethods.begin(), kExplicitMethods.end()));
  const double t_0 = *rc::gen::inRange(-1000, 1000) * 0.01;
  const double h = *rc::gen::inRange(1, 1000) * 0.0005;
  RungeKutta<double> rk(m, 2);
  const std::vector<double> x_0 = {0.3, 0.7};
  rk.start(t_0, x_0);
  rk.try_step(Coupled{}, t_0 + h, kNorm);
  rk.accept();
  rk.prepare_dense(Coupled{});
  std::vector<double> x(2), rate(2);
  rk.interpolate(t_0, x);
  RC_ASSERT(x == x_0);
  rk.interpolate(rk.t(), x);
  RC_ASSERT(x == copy(rk.x()));
  for (const double t : {t_0, rk.t()}) {
    const auto& at = t == t_0 ? x_0 : x;
    Coupled{}(t, std::span<const double>(at), std::span<double>(rate));
    std::vector<double> slope_there(2);
    rk.interpolate_rate(t, slope_there);
    RC_ASSERT(problems::distance(slope_there, rate) < 1e-12 / h);
  }
}

}  // namespace
}  // namespace berth::runge_kutta_test

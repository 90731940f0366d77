// SPDX-License-Identifier: Apache-2.0

// Equations with delays, through Past and Adaptive.

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/dop853.h"
#include "berth/integrate/dopri5.h"
#include "berth/integrate/past.h"

namespace berth::delay_test {
namespace {

// u' = f(u, u(t − delay)) with a constant before zero.
template <class F>
struct Delayed {
  F f;
  double delay, before;
  Past<double>* history;

  void operator()(double t, std::span<const double> x, std::span<double> rate) const {
    double late[1] = {before};
    // At zero itself the value before it holds for the step that ends a delay later.
    if (t - delay > 0 || (t - delay == 0 && piece_from >= delay)) history->find(t - delay, late);
    rate[0] = f(x[0], late[0]);
  }
  Past<double>* past() const { return history; }
  double shortest_delay() const { return delay; }
  double piece_from = 0;  // where the present smooth piece began
};

struct Solved {
  double u;
  std::uint64_t steps;
  double longest;
};

// Steps end at the first few multiples of the delay, where the solution has kinks.
template <class F>
Solved solve(F f, const Tableau& method, double tolerance, double delay, double before, double u_0,
             double t_end, double max_step, int kinks) {
  Past<double> past;
  past.start(0);
  Delayed<F> rate{f, delay, before, &past};
  Adaptive<double> solver(method, 1, {{0, 1, 1.0}}, {.tolerance = tolerance, .max_step = max_step});
  const std::vector<double> x{u_0};
  solver.start(0, x);
  int kink = 1;
  double longest = 0;
  while (solver.t() < t_end) {
    const double limit = kink <= kinks ? std::min(t_end, kink * delay) : t_end;
    if (solver.step(rate, limit) != StepOutcome::accepted) throw std::runtime_error("no step");
    longest = std::max(longest, solver.t() - solver.t_previous());
    solver.prepare_dense(rate);
    past.add(solver.dense());
    past.forget(solver.t() - 2 * delay);
    if (kink <= kinks && solver.t() == kink * delay) {
      ++kink;
      rate.piece_from = solver.t();
      const std::vector<double> here(solver.x().begin(), solver.x().end());
      solver.restart(solver.t(), here);
    }
  }
  return {solver.x()[0], solver.counters().accepted, longest};
}

double decay(double, double late) { return -late; }
double mackey_glass(double u, double late) {
  return 0.2 * late / (1 + std::pow(late, 10)) - 0.1 * u;
}

class DelayMethod : public testing::TestWithParam<const Tableau*> {};

TEST_P(DelayMethod, SolvesTheSimplestDelayEquation) {
  for (const double max_step : {0.37, 1.0, 1e9}) {
    const auto at = [&](double t) {
      return solve(decay, *GetParam(), 1e-12, 1, 0, 1, t, max_step, 12).u;
    };
    EXPECT_NEAR(at(5), 5.0 / 24, 1e-9) << max_step;
    EXPECT_NEAR(at(10), 19223.0 / 362880, 1e-9) << max_step;
  }
}

// With no kinks to stop at after the first few, steps grow beyond the delay.
TEST_P(DelayMethod, HandlesDelaysShorterThanTheStep) {
  const double delay = 0.05;
  const auto slow = [&](double tolerance, double max_step, int kinks) {
    return solve(decay, *GetParam(), tolerance, delay, 0, 1, 8, max_step, kinks);
  };
  const Solved tight = slow(1e-13, delay, 160);
  EXPECT_LE(tight.longest, delay * (1 + 1e-12));
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const Solved loose = slow(tolerance, 1e9, 8);
    if (GetParam() == &kDop853 || tolerance > 1e-9) {
      EXPECT_GT(loose.longest, 1.2 * delay) << tolerance;
    }
    EXPECT_LT(loose.steps, tight.steps);
    EXPECT_NEAR(loose.u, tight.u, 20 * tolerance) << tolerance;
  }
}

TEST_P(DelayMethod, FollowsMackeyGlass) {
  for (const double max_step : {7.0, 1e9}) {
    const auto at = [&](double t, int kinks) {
      return solve(mackey_glass, *GetParam(), 1e-13, 14, 0.5, 0.5, t, max_step, kinks).u;
    };
    EXPECT_NEAR(at(100, 8), 0.8281877478106, 1e-9) << max_step;
    EXPECT_NEAR(at(500, 12), 1.0104431117001, 1e-9) << max_step;
  }
}

INSTANTIATE_TEST_SUITE_P(Explicit, DelayMethod, testing::Values(&kDop853, &kDopri5),
                         [](const auto& p) { return p.param == &kDop853 ? "dop853" : "dopri5"; });

// --- the past itself -----------------------------------------------------------------------------

// Steps of u' = cos t from 0, each its own piece.
struct Sine {
  void operator()(double t, std::span<const double>, std::span<double> rate) const {
    rate[0] = std::cos(t);
  }
};
Past<double> sine_past(double step, int count) {
  Past<double> past;
  past.start(0);
  RungeKutta<double> stepper(kDop853, 1);
  const std::vector<double> x{0};
  stepper.start(0, x);
  const ErrorNorm norm({{0, 1, 1.0}}, 1e-12);
  for (int i = 1; i <= count; ++i) {
    stepper.try_step(Sine{}, i * step, norm);
    stepper.accept();
    stepper.prepare_dense(Sine{});
    past.add(stepper.dense());
  }
  return past;
}
double value_at(const Past<double>& past, double t) {
  double out[1];
  past.find(t, out);
  return out[0];
}

TEST(Past, FindsEveryTimeItKeeps) {
  const Past<double> past = sine_past(0.1, 50);
  EXPECT_EQ(past.begin(), 0);
  EXPECT_DOUBLE_EQ(past.end(), 5);
  for (int i = 0; i <= 1000; ++i)
    EXPECT_NEAR(value_at(past, 0.005 * i), std::sin(0.005 * i), 1e-13);
}

TEST(Past, IsCarriedOnBeyondItsEnd) {
  const Past<double> past = sine_past(0.1, 50);
  EXPECT_NEAR(value_at(past, 5.05), std::sin(5.05), 1e-10);
}

TEST(Past, ForgetsWholePiecesAndNoMore) {
  Past<double> past = sine_past(0.1, 50);
  past.forget(2.55);
  EXPECT_NEAR(past.begin(), 2.5, 1e-15);
  EXPECT_NEAR(value_at(past, 2.5), std::sin(2.5), 1e-13);
  EXPECT_NEAR(value_at(past, 4.99), std::sin(4.99), 1e-13);
  past.forget(1e9);
  EXPECT_FALSE(past.empty()) << "the last piece is carried on";
  EXPECT_NEAR(value_at(past, 4.95), std::sin(4.95), 1e-13);
}

TEST(Past, ReusesItsRingWhileItForgets) {
  Past<double> past;
  past.start(0);
  RungeKutta<double> stepper(kDop853, 1);
  const std::vector<double> x{0};
  stepper.start(0, x);
  const ErrorNorm norm({{0, 1, 1.0}}, 1e-12);
  for (int i = 1; i <= 500; ++i) {
    stepper.try_step(Sine{}, i * 0.1, norm);
    stepper.accept();
    stepper.prepare_dense(Sine{});
    past.add(stepper.dense());
    past.forget(i * 0.1 - (i % 7) * 0.13);
    for (double back = 0; back < (i % 7) * 0.13; back += 0.03)
      if (i * 0.1 - back >= past.begin()) {
        ASSERT_NEAR(value_at(past, i * 0.1 - back), std::sin(i * 0.1 - back), 1e-12);
      }
  }
}

TEST(Past, CutEndsTheLastPieceEarlier) {
  Past<double> past = sine_past(0.1, 10);
  past.cut(0.95);
  EXPECT_EQ(past.end(), 0.95);
  // What is added then takes over from there.
  RungeKutta<double> stepper(kDop853, 1);
  const std::vector<double> x{100};
  stepper.start(0.95, x);
  stepper.try_step(Sine{}, 1.2, ErrorNorm({{0, 1, 1.0}}, 1e-12));
  stepper.accept();
  stepper.prepare_dense(Sine{});
  past.add(stepper.dense());
  EXPECT_NEAR(value_at(past, 0.94), std::sin(0.94), 1e-12);
  EXPECT_NEAR(value_at(past, 0.95), std::sin(0.95), 1e-12);
  EXPECT_NEAR(value_at(past, 0.97), 100 + std::sin(0.97) - std::sin(0.95), 1e-12);
  EXPECT_NEAR(value_at(past, 1.1), 100 + std::sin(1.1) - std::sin(0.95), 1e-12);
}

TEST(Past, StartsAfreshWithNothing) {
  Past<double> past = sine_past(0.1, 10);
  past.start(7);
  EXPECT_TRUE(past.empty());
  EXPECT_EQ(past.begin(), 7);
  EXPECT_EQ(past.end(), 7);
}

// fl(fl(t + h) − h) may lie after t: a step of just one delay from the start must not search for a
// piece that is not there.
TEST(Past, AFirstStepOfOneDelayNeedsNoPast) {
  for (int i = 0; i < 2000; ++i) {
    const double t = 1e-3 * i / 7.0, delay = 0.016 + 1e-4 * (i % 13);
    Past<double> past;
    past.start(t);
    struct Asleep {
      Past<double>* history;
      double delay;
      void operator()(double, std::span<const double>, std::span<double> r) const { r[0] = 1; }
      Past<double>* past() const { return history; }
      double shortest_delay() const { return delay; }
    } asleep{&past, delay};
    Adaptive<double> solver(kDop853, 1, {{0, 1, 1.0}}, {.tolerance = 1e-8});
    const std::vector<double> x{0};
    // Long steps before: the first of the new stretch reaches all the way.
    solver.start(t - 1, x);
    while (solver.t() < t) solver.step([](double, auto, auto r) { r[0] = 1; }, t);
    solver.restart(t, x);
    ASSERT_EQ(solver.step(asleep, t + delay), StepOutcome::accepted);
    ASSERT_EQ(solver.t(), t + delay);
  }
}

}  // namespace
}  // namespace berth::delay_test

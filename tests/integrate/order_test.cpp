// SPDX-License-Identifier: Apache-2.0

// The order of every method in the list, measured by halving the step.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/methods.h"
#include "berth/integrate/runge_kutta.h"
#include "tests/integrate/problems.h"

namespace berth::order_test {
namespace {

using problems::Coupled;

struct Errors {
  double end = 0;    // at t = 6
  double dense = 0;  // largest inside any step
  double rate = 0;   // the same of the derivative
  double local = 0;  // largest inside the first step alone
};

Errors integrate(const Tableau& method, int steps) {
  const Coupled f;
  const ErrorNorm norm({{0, 2, 1.0}}, 1.0);
  RungeKutta<double> rk(method, 2);
  rk.start(0, Coupled::exact(0));
  Errors errors;
  std::vector<double> x(2), exact_rate(2);
  for (int i = 1; i <= steps; ++i) {
    rk.try_step(f, 6.0 * i / steps, norm);
    rk.accept();
    rk.prepare_dense(f);
    for (const double theta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      const double t = rk.t_previous() + theta * (rk.t() - rk.t_previous());
      const std::vector<double> exact = Coupled::exact(t);
      rk.interpolate(t, x);
      errors.dense = std::max(errors.dense, problems::distance(x, exact));
      f(t, std::span<const double>(exact), std::span<double>(exact_rate));
      rk.interpolate_rate(t, x);
      errors.rate = std::max(errors.rate, problems::distance(x, exact_rate));
    }
    if (i == 1) errors.local = errors.dense;
  }
  errors.end = problems::distance(rk.x(), Coupled::exact(6));
  return errors;
}

// Steps short enough for the leading term of the error, long enough to stay above rounding.
std::pair<Errors, Errors> integrate_twice(const Tableau& m) {
  const int steps = m.order >= 7 ? 20 : 100;
  return {integrate(m, steps), integrate(m, 2 * steps)};
}

class EveryMethod : public testing::TestWithParam<const Tableau*> {};

TEST_P(EveryMethod, HasItsOrder) {
  const Tableau& m = *GetParam();
  const auto [coarse, fine] = integrate_twice(m);
  const double order = std::log2(coarse.end / fine.end);
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, m.order - 0.2);
  EXPECT_LT(order, m.order + 0.5);
}

TEST_P(EveryMethod, HasItsDenseOrder) {
  const Tableau& m = *GetParam();
  const auto [coarse, fine] = integrate_twice(m);
  // Over many steps the solution's own order may be the smaller one.
  const int expected = std::min(m.order, m.dense_order + 1);
  EXPECT_GT(std::log2(coarse.dense / fine.dense), expected - 0.2);
  // One order less for the derivative.
  EXPECT_GT(std::log2(coarse.rate / fine.rate), std::min(m.order, m.dense_order) - 0.2);
}

TEST_P(EveryMethod, InterpolatesOneStepToOneOrderMore) {
  const Tableau& m = *GetParam();
  const auto [coarse, fine] = integrate_twice(m);
  EXPECT_GT(std::log2(coarse.local / fine.local), m.dense_order + 1 - 0.2);
}

INSTANTIATE_TEST_SUITE_P(Order, EveryMethod, testing::ValuesIn(kExplicitMethods),
                         [](const auto& method) { return std::string(method.param->name); });

}  // namespace
}  // namespace berth::order_test
